//! Report: events of the session and the summary as sentences at the terminal.

use rukh_chess::Color;
use rukh_chess::game::Game;
use rukh_explain::standing;
use rukh_explain::variation::to_san;
use rukh_play::message::{DrawRefusal, PlayEvent};
use rukh_play::skill::Skill;
use rukh_play::summary::Summary;
use rukh_play::table::{GameTable, Player};

/// The length of a hint in moves of either side.
const HINT_LENGTH: usize = 6;
/// The length of a better line in the summary.
const SUMMARY_LINE_LENGTH: usize = 5;

/// What a person should know of an event; `None` where the board shows it.
pub(super) fn sentence(event: &PlayEvent, table: &GameTable) -> Option<String> {
    let lone_person = table.lone_person();
    let text = match event {
        PlayEvent::Moved { by, mv } if table.players()[*by] == Player::Engine => {
            let before = table.game().positions().iter().rev().nth(1).unwrap_or(table.position());
            let who = if lone_person.is_none() { by.to_string() } else { "Rukh".to_owned() };
            format!("{who} plays {}", to_san(before, &[*mv]))
        }
        PlayEvent::DrawOffered { by } => format!(
            "A draw is offered. Make your move; {} may then accept with draw, or decline by moving.",
            !*by
        ),
        PlayEvent::DrawDeclined(DrawRefusal::TooEarly { from_move }) => {
            format!("Rukh declines the draw: it is too early, ask again from move {from_move} on.")
        }
        PlayEvent::DrawDeclined(DrawRefusal::StandsBetter) => {
            "Rukh declines the draw: it evaluates its position as better.".to_owned()
        }
        PlayEvent::SkillChanged(skill) => skill_sentence(table, *skill),
        PlayEvent::Hint(analysis) => {
            let position = table.position();
            let shown = analysis.pv.len().min(HINT_LENGTH);
            let best = analysis.pv.first().map(|&best| position.san(best))?;
            format!("{best} is a good move: {}", to_san(position, &analysis.pv[..shown]))
        }
        PlayEvent::Evaluation(analysis) => {
            let side = table.side_to_move();
            let words = standing::describe(analysis, side, lone_person.unwrap_or(side));
            format!("{}.", capitalised(&words))
        }
        PlayEvent::NoAdvice => "The engine has no answer yet; ask again.".to_owned(),
        PlayEvent::NotSaved(sentence) => format!("The game is no longer saved: {sentence}"),
        PlayEvent::OpponentFailed => "The engine found no move in a position that has some.".to_owned(),
        PlayEvent::GameStarted
        | PlayEvent::Moved { .. }
        | PlayEvent::TakenBack { .. }
        | PlayEvent::Ended(_) => return None,
    };
    Some(text)
}

/// The strength of the engine.
pub(super) fn skill_sentence(table: &GameTable, skill: Skill) -> String {
    match table.players().0.contains(&Player::Engine) {
        true => format!("Rukh plays at {skill}."),
        false => "No engine plays in this game.".to_owned(),
    }
}

/// The summary: accuracy of both sides, then the worst moves and what was better.
pub(super) fn summary_lines(summary: &Summary, game: &Game, names: &[String; Color::COUNT]) -> Vec<String> {
    let accuracy = |side: Color| {
        summary.accuracy[side].map(|accuracy| format!("{} {accuracy:.0}%", names[side.index()]))
    };
    let sides: Vec<_> = Color::ALL.into_iter().filter_map(accuracy).collect();
    let mut lines = Vec::new();
    if !sides.is_empty() {
        lines.push(format!("Accuracy: {}.", sides.join(", ")));
    }
    for worst in &summary.worst {
        let position = &game.positions()[worst.ply];
        let played = to_san(position, &game.moves()[worst.ply..=worst.ply]);
        let shown = worst.better.len().min(SUMMARY_LINE_LENGTH);
        let better = to_san(position, &worst.better[..shown]);
        lines.push(format!(
            "  {played}{} ({}): better is {better}",
            worst.judgement.symbol(),
            worst.judgement
        ));
    }
    lines
}

/// The text with its first letter in upper case.
pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().to_string() + letters.as_str())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rukh_chess::Position;
    use rukh_chess::types::ByColor;
    use rukh_explain::accuracy::MoveJudgement;
    use rukh_play::summary::WorstMove;

    use super::*;

    #[test]
    fn events_are_sentences_where_the_board_does_not_show_them() {
        let players = ByColor([Player::Person, Player::Engine]);
        let mut table = GameTable::new(Position::default(), players, None);
        for text in ["e4", "e5"] {
            let mv = table.position().parse_san(text).expect("the moves are legal");
            table.play(mv, Duration::ZERO).expect("the moves are legal");
        }
        let [first, second] = [0, 1].map(|ply| table.game().moves()[ply]);
        let told = |event: PlayEvent| sentence(&event, &table);
        assert_eq!(
            told(PlayEvent::Moved { by: Color::Black, mv: second }).as_deref(),
            Some("Rukh plays 1... e5")
        );
        assert_eq!(told(PlayEvent::Moved { by: Color::White, mv: first }), None);
        assert_eq!(
            told(PlayEvent::DrawDeclined(DrawRefusal::TooEarly { from_move: 20 })).as_deref(),
            Some("Rukh declines the draw: it is too early, ask again from move 20 on.")
        );
        assert_eq!(told(PlayEvent::SkillChanged(Skill::Level(4))).as_deref(), Some("Rukh plays at level 4."));
    }

    #[test]
    fn the_summary_names_accuracies_and_better_moves() {
        let mut game = Game::default();
        for text in ["f3", "e5", "g4", "Qh4#"] {
            let mv = game.position().parse_san(text).expect("the moves are legal");
            game.play(mv).expect("the moves are legal");
        }
        let worst = |ply: usize, judgement: MoveJudgement, better: &str| WorstMove {
            ply,
            judgement,
            better: vec![game.positions()[ply].parse_san(better).expect("the moves are legal")],
        };
        let summary = Summary {
            accuracy: ByColor([Some(44.2), Some(100.0)]),
            worst: vec![worst(0, MoveJudgement::Inaccuracy, "e4"), worst(2, MoveJudgement::Blunder, "d4")],
        };
        assert_eq!(
            summary_lines(&summary, &game, &["You".to_owned(), "Rukh".to_owned()]),
            [
                "Accuracy: You 44%, Rukh 100%.",
                "  1. f3?! (inaccuracy): better is 1. e4",
                "  2. g4?? (blunder): better is 2. d4"
            ]
        );
        let none = Summary { accuracy: ByColor([None, None]), worst: Vec::new() };
        assert!(summary_lines(&none, &game, &["A".to_owned(), "B".to_owned()]).is_empty());
    }

    #[test]
    fn sentences_begin_in_upper_case() {
        assert_eq!((capitalised("the end"), capitalised("")), ("The end".to_owned(), String::new()));
    }
}
