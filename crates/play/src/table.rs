//! Game table: the game, the clocks, who plays each side, and how the game ended.
//!
//! It must not know a front end, a file or an engine. Thinking times are arguments; the table measures no time.

use std::time::Duration;

use rukh_chess::game::{Game, NotLegal};
use rukh_chess::types::ByColor;
use rukh_chess::{Color, Move, Position};

use crate::conclusion::Conclusion;
use crate::control::TimeControl;

/// Who makes the moves of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// A person.
    Person,
    /// An engine.
    Engine,
}

/// A game that is being played.
#[derive(Clone, Debug)]
pub struct GameTable {
    game: Game,
    players: ByColor<Player>,
    control: Option<TimeControl>,
    /// The clocks at the start and after every move; zero and unused without a time control.
    clocks: Vec<ByColor<Duration>>,
    /// The side whose draw offer is open.
    offer: Option<Color>,
    conclusion: Option<Conclusion>,
}

impl GameTable {
    /// A game from the position `start`.
    pub fn new(start: Position, players: ByColor<Player>, control: Option<TimeControl>) -> Self {
        let time = control.map_or(Duration::ZERO, |control| control.base);
        let game = Game::new(start);
        let conclusion = game.ending().map(Conclusion::Rules);
        Self { game, players, control, clocks: vec![ByColor([time; 2])], offer: None, conclusion }
    }

    /// A game in progress. `clocks_shown` is the mover's clock after each move, where it is known.
    pub(crate) fn resumed(
        game: &Game,
        players: ByColor<Player>,
        control: Option<TimeControl>,
        clocks_shown: &[Option<Duration>],
    ) -> Self {
        let mut table = Self::new(game.start().clone(), players, control);
        for (ply, &mv) in game.moves().iter().enumerate() {
            let mover = game.positions()[ply].side_to_move();
            let mut clocks = *table.clocks.last().expect("the clocks of the start are always there");
            clocks[mover] = clocks_shown.get(ply).copied().flatten().unwrap_or(clocks[mover]);
            table.game.play(mv).expect("the moves of a game are legal in it");
            table.clocks.push(clocks);
        }
        table.conclusion = table.game.ending().map(Conclusion::Rules);
        table
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The present position.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.position().side_to_move()
    }

    /// Who plays each side.
    pub fn players(&self) -> ByColor<Player> {
        self.players
    }

    /// Who is to move.
    pub fn mover(&self) -> Player {
        self.players[self.side_to_move()]
    }

    /// The time control, if there is one.
    pub fn control(&self) -> Option<TimeControl> {
        self.control
    }

    /// The time of a side at the start of the present turn, if there are clocks.
    pub fn remaining(&self, side: Color) -> Option<Duration> {
        self.control.map(|_| self.clocks.last().expect("the clocks of the start are always there")[side])
    }

    /// The mover's clock after the move at `ply`, if there are clocks.
    pub(crate) fn clock_after(&self, ply: usize) -> Option<Duration> {
        let mover = self.game.positions()[ply].side_to_move();
        self.control.map(|_| self.clocks[ply + 1][mover])
    }

    /// How the game ended; `None` while it is in progress.
    pub fn conclusion(&self) -> Option<Conclusion> {
        self.conclusion
    }

    /// The side of the person, if exactly one person plays.
    pub fn lone_person(&self) -> Option<Color> {
        match self.players.0 {
            [Player::Person, Player::Engine] => Some(Color::White),
            [Player::Engine, Player::Person] => Some(Color::Black),
            _ => None,
        }
    }

    /// Plays a move of the side to move, which thought for `taken`. A move that comes too late loses on time instead.
    pub fn play(&mut self, mv: Move, taken: Duration) -> Result<(), NotLegal> {
        let mover = self.side_to_move();
        let mut clocks = *self.clocks.last().expect("the clocks of the start are always there");
        if let Some(control) = self.control {
            if taken >= clocks[mover] {
                self.run_out_of_time();
                return Ok(());
            }
            clocks[mover] = clocks[mover] - taken + control.increment;
        }
        self.game.play(mv)?;
        self.clocks.push(clocks);
        // A move declines the offer of the other side.
        self.offer = self.offer.filter(|&by| by == mover);
        self.conclusion = self.game.ending().map(Conclusion::Rules);
        Ok(())
    }

    /// The side to move has run out of time.
    pub(crate) fn run_out_of_time(&mut self) {
        let late = self.side_to_move();
        let has_only_king = !self.position().color(!late).has_many();
        self.clocks.last_mut().expect("the clocks of the start are always there")[late] = Duration::ZERO;
        self.conclusion =
            Some(if has_only_king { Conclusion::TimeAgainstKing(late) } else { Conclusion::Time(late) });
    }

    /// Takes back the last move of the lone person and what the engine answered, or the last move where nobody plays
    /// alone. Returns the number of plies taken back: 0 if there is no such move.
    pub(crate) fn take_back(&mut self) -> usize {
        let plies = match self.lone_person() {
            Some(person) if person == self.side_to_move() => 2,
            _ => 1,
        };
        if self.game.moves().len() < plies {
            return 0;
        }
        for _ in 0..plies {
            self.game.take_back();
            self.clocks.pop();
        }
        self.offer = None;
        self.conclusion = None;
        plies
    }

    /// A side resigns.
    pub(crate) fn resign(&mut self, side: Color) {
        self.conclusion = Some(Conclusion::Resignation(side));
    }

    /// The side to move offers a draw, or accepts the offer of the other side. Returns whether the game is drawn now.
    pub(crate) fn offer_draw(&mut self) -> bool {
        let side = self.side_to_move();
        if self.offer == Some(!side) {
            self.agree_to_draw();
        } else {
            self.offer = Some(side);
        }
        self.conclusion.is_some()
    }

    /// Both sides agree to a draw.
    pub(crate) fn agree_to_draw(&mut self) {
        self.conclusion = Some(Conclusion::Agreement);
    }
}

#[cfg(test)]
mod tests {
    use rukh_chess::game::{Ending, Outcome};

    use super::*;

    const PEOPLE: ByColor<Player> = ByColor([Player::Person; 2]);
    const AGAINST_ENGINE: ByColor<Player> = ByColor([Player::Person, Player::Engine]);
    const SECOND: Duration = Duration::from_secs(1);

    fn play(table: &mut GameTable, moves: &str, taken: Duration) {
        for text in moves.split_whitespace() {
            let mv = table.position().parse_san(text).unwrap_or_else(|error| panic!("{error}"));
            table.play(mv, taken).expect("it was read as a legal move");
        }
    }

    fn table(players: ByColor<Player>, moves: &str) -> GameTable {
        let mut table = GameTable::new(Position::default(), players, None);
        play(&mut table, moves, SECOND);
        table
    }

    fn blitz() -> Option<TimeControl> {
        Some(TimeControl { base: 10 * SECOND, increment: 2 * SECOND })
    }

    #[test]
    fn mate_ends_a_game() {
        let table = table(PEOPLE, "f3 e5 g4 Qh4#");
        let mate = Ending::Checkmate { winner: Color::Black };
        assert_eq!(table.conclusion(), Some(Conclusion::Rules(mate)));
        assert_eq!(table.remaining(Color::White), None);
    }

    #[test]
    fn clocks_run_and_flags_fall() {
        let mut table = GameTable::new(Position::default(), PEOPLE, blitz());
        play(&mut table, "e4 e5", 4 * SECOND);
        assert_eq!(
            (table.remaining(Color::White), table.clock_after(0)),
            (Some(8 * SECOND), Some(8 * SECOND))
        );
        play(&mut table, "Nf3", 8 * SECOND);
        assert_eq!(table.conclusion(), Some(Conclusion::Time(Color::White)), "not a moment too late");
        assert_eq!(table.game().moves().len(), 2, "the move came too late");
        assert_eq!(table.remaining(Color::White), Some(Duration::ZERO));
        assert_eq!(table.clock_after(0), Some(8 * SECOND), "what was written before stays");
    }

    #[test]
    fn a_king_alone_does_not_win_on_time() {
        let start = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().expect("the position is valid");
        let mut table = GameTable::new(start, PEOPLE, blitz());
        table.run_out_of_time();
        assert_eq!(table.conclusion(), Some(Conclusion::TimeAgainstKing(Color::White)));
        assert_eq!(table.conclusion().map(Conclusion::outcome), Some(Outcome::Draw));
    }

    #[test]
    fn taking_back_gives_the_time_back() {
        let mut table = GameTable::new(Position::default(), PEOPLE, blitz());
        play(&mut table, "e4 e5", 4 * SECOND);
        assert_eq!(table.take_back(), 1);
        assert_eq!((table.side_to_move(), table.remaining(Color::Black)), (Color::Black, Some(10 * SECOND)));
        assert_eq!((table.take_back(), table.take_back()), (1, 0));
    }

    #[test]
    fn against_the_engine_both_moves_are_taken_back() {
        let mut table = table(AGAINST_ENGINE, "e4 e5");
        assert_eq!((table.take_back(), table.side_to_move()), (2, Color::White));
        assert_eq!(table.take_back(), 0);
    }

    #[test]
    fn a_draw_needs_both() {
        let mut offered = table(PEOPLE, "e4");
        assert!(!offered.offer_draw() && !offered.offer_draw(), "one side alone cannot agree");
        play(&mut offered, "e5", SECOND);
        let mut declined = offered.clone();
        assert!(offered.offer_draw(), "White takes what Black offered");
        assert_eq!(offered.conclusion(), Some(Conclusion::Agreement));
        play(&mut declined, "Nf3", SECOND);
        assert!(!declined.offer_draw(), "the offer was declined by a move");
    }

    #[test]
    fn resigning_loses() {
        let mut table = table(PEOPLE, "e4");
        table.resign(Color::Black);
        let conclusion = table.conclusion().expect("it is over");
        assert_eq!(conclusion.outcome(), Outcome::Win(Color::White));
        assert_eq!(conclusion.to_string(), "White wins: Black resigns");
    }

    #[test]
    fn a_resumed_game_has_its_clocks() {
        let mut first = GameTable::new(Position::default(), PEOPLE, blitz());
        play(&mut first, "e4 e5 Nf3", 3 * SECOND);
        let shown: Vec<_> = (0..3).map(|ply| first.clock_after(ply)).collect();
        let resumed = GameTable::resumed(first.game(), PEOPLE, blitz(), &shown);
        for side in Color::ALL {
            assert_eq!(resumed.remaining(side), first.remaining(side));
        }
        assert_eq!(resumed.side_to_move(), Color::Black);
    }
}
