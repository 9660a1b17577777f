//! Record: the game as PGN, with everything needed to resume it. It must not know a file.

use std::time::Duration;

use rukh_chess::Color;
use rukh_chess::notation::CastlingNotation;
use rukh_chess::notation::pgn::{PgnGame, PgnMove, Variation};
use rukh_chess::types::ByColor;
use rukh_knowledge::openings::Opening;

use crate::conclusion::Conclusion;
use crate::control::TimeControl;
use crate::skill::Skill;
use crate::table::{GameTable, Player};

/// The tag of the engine's skill.
const STRENGTH: &str = "EngineStrength";
/// The tags of the kind of player.
const TYPES: [(Color, &str); 2] = [(Color::White, "WhiteType"), (Color::Black, "BlackType")];

/// What the table does not hold of a game: its date and the engine's skill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The day on which the game began, as in PGN: `2026.11.15`.
    pub date: String,
    /// The strength of the engine.
    pub skill: Skill,
}

impl Record {
    /// The names of White and Black; a person is called `person`.
    pub fn names(&self, players: ByColor<Player>, person: &str) -> [String; Color::COUNT] {
        players.0.map(|player| match (player, self.skill) {
            (Player::Person, _) => person.to_owned(),
            (Player::Engine, Skill::Full) => "Rukh".to_owned(),
            (Player::Engine, skill) => format!("Rukh ({skill})"),
        })
    }

    /// The game so far as PGN.
    pub(crate) fn write(&self, table: &GameTable, opening: Option<Opening>) -> PgnGame {
        let conclusion = table.conclusion();
        let outcome = conclusion.map(Conclusion::outcome);
        let result = outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string());
        let [white, black] = self.names(table.players(), "Player");
        let mut tags = vec![
            ("Event", "Casual game".to_owned()),
            ("Site", "?".to_owned()),
            ("Date", self.date.clone()),
            ("Round", "-".to_owned()),
            ("White", white),
            ("Black", black),
            ("Result", result),
        ];
        for (side, name) in TYPES {
            let kind = if table.players()[side] == Player::Engine { "program" } else { "human" };
            tags.push((name, kind.to_owned()));
        }
        if table.players().0.contains(&Player::Engine) {
            tags.push((STRENGTH, self.skill.to_string()));
        }
        tags.push(("TimeControl", table.control().map_or_else(|| "-".to_owned(), |it| it.to_string())));
        tags.extend(opening.map(|opening| ("ECO", opening.code.to_owned())));
        tags.extend(opening.map(|opening| ("Opening", opening.name.to_owned())));
        let start = table.game().start();
        if CastlingNotation::of(start) == CastlingNotation::RookSquare {
            tags.push(("Variant", "Chess960".to_owned()));
        }
        let termination = conclusion.map_or("unterminated", Conclusion::termination);
        tags.push(("Termination", termination.to_owned()));
        PgnGame {
            tags: tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            start: start.clone(),
            main_line: Variation { comments: Vec::new(), moves: moves(table) },
            outcome,
        }
    }

    /// The record and the table of a PGN game. `players` and `skill` are used where the tags do not give them.
    pub fn read(game: &PgnGame, players: ByColor<Player>, skill: Skill) -> (Self, GameTable) {
        let mut seats = players;
        for (side, name) in TYPES {
            match game.tag(name) {
                Some("program") => seats[side] = Player::Engine,
                Some("human") => seats[side] = Player::Person,
                _ => {}
            }
        }
        let skill = game.tag(STRENGTH).and_then(|text| text.parse().ok()).unwrap_or(skill);
        let control = game.tag("TimeControl").and_then(|text| text.parse::<TimeControl>().ok());
        let clocks: Vec<_> = game.main_line.moves.iter().map(PgnMove::clock).collect();
        let date = game.tag("Date").unwrap_or("????.??.??").to_owned();
        (Self { date, skill }, GameTable::resumed(&game.game(), seats, control, &clocks))
    }
}

/// A clock as a PGN comment: `[%clk 0:04:31.250]`.
fn clock_comment(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("[%clk {hours}:{minutes:02}:{rest:02}.{:03}]", time.subsec_millis())
}

fn moves(table: &GameTable) -> Vec<PgnMove> {
    let moves = table.game().moves().iter().enumerate();
    moves
        .map(|(ply, &mv)| {
            let comments = table.clock_after(ply).map(clock_comment).into_iter().collect();
            PgnMove { comments, ..PgnMove::new(mv) }
        })
        .collect()
}

/// A game in a few words: date, players, number of moves.
pub fn describe(game: &PgnGame) -> String {
    let name = |tag| game.tag(tag).unwrap_or("?");
    let moves = game.moves().count().div_ceil(2);
    let plural = if moves == 1 { "" } else { "s" };
    format!("{}, {} against {}, {moves} move{plural}", name("Date"), name("White"), name("Black"))
}

/// Whether a game is unfinished, so that it can be resumed.
pub(crate) fn is_unfinished(game: &PgnGame) -> bool {
    game.outcome.is_none() && game.game().ending().is_none()
}

#[cfg(test)]
mod tests {
    use rukh_chess::notation::pgn::Games;
    use rukh_chess::{Position, Setup};

    use super::*;

    fn played(start: Position, control: Option<TimeControl>, moves: &str) -> GameTable {
        let mut table = GameTable::new(start, ByColor([Player::Person, Player::Engine]), control);
        for text in moves.split_whitespace() {
            let mv = table.position().parse_san(text).expect("the moves are legal");
            table.play(mv, Duration::from_millis(1_500)).expect("the moves are legal");
        }
        table
    }

    fn record() -> Record {
        Record { date: "2026.11.15".to_owned(), skill: Skill::Level(3) }
    }

    fn read_back(text: &str) -> (Record, GameTable) {
        let game = Games::new(text).next().expect("there is a game").expect("it can be read");
        assert!(is_unfinished(&game));
        Record::read(&game, ByColor([Player::Person; 2]), Skill::Full)
    }

    #[test]
    fn a_game_can_be_resumed() {
        let control = TimeControl { base: Duration::from_secs(60), increment: Duration::from_secs(1) };
        let table = played(Position::default(), Some(control), "e4 e5 Nf3");
        let text = record().write(&table, None).to_string();
        assert!(text.contains("[White \"Player\"]\n[Black \"Rukh (level 3)\"]\n[Result \"*\"]"), "{text}");
        assert!(text.contains("1. e4 {[%clk 0:00:59.500]} 1... e5"), "{text}");
        let (again, resumed) = read_back(&text);
        assert_eq!(again, record());
        assert_eq!(resumed.game().moves(), table.game().moves());
        assert_eq!((resumed.players(), resumed.control()), (table.players(), Some(control)));
        assert_eq!(resumed.remaining(Color::White), table.remaining(Color::White));
    }

    #[test]
    fn a_game_of_chess960_keeps_its_start() {
        let start = Setup::chess960(0, 0).validate().expect("every number is a start");
        let table = played(start.clone(), None, "e4");
        let text = record().write(&table, None).to_string();
        assert!(text.contains("[Variant \"Chess960\"]") && text.contains("[FEN \""), "{text}");
        let (_, resumed) = read_back(&text);
        assert_eq!((resumed.game().start(), resumed.remaining(Color::White)), (&start, None));
    }

    #[test]
    fn clocks_are_written_as_comments() {
        assert_eq!(clock_comment(Duration::from_millis(3_723_250)), "[%clk 1:02:03.250]");
    }

    #[test]
    fn the_end_is_written() {
        let mut table = played(Position::default(), None, "e4 c5");
        table.resign(Color::White);
        let opening = Opening { code: "B20", name: "Sicilian Defence" };
        let game = record().write(&table, Some(opening));
        assert!(!is_unfinished(&game));
        let text = game.to_string();
        assert!(text.contains("[Result \"0-1\"]") && text.contains("[ECO \"B20\"]"), "{text}");
        assert!(text.contains("[Termination \"normal\"]") && text.trim_end().ends_with("0-1"), "{text}");
        assert_eq!(describe(&game), "2026.11.15, Player against Rukh (level 3), 1 move");
    }
}
