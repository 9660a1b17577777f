//! What is said of a game when it is over: how well both sides played, and where it turned.

use std::time::Duration;

use rukh_chess::game::{Ending, Game};
use rukh_chess::{Color, Move};
use rukh_explain::accuracy::{ExpectedScore, MoveJudgement, of_side};
use rukh_explain::variation::to_san;

use super::advisor::Advisor;

/// How well a move was played.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Judgement {
    /// What it cost of the expectation of the side that made it.
    loss: f64,
    /// What was better, and what may have followed; the move itself where it was the best one.
    better: Vec<Move>,
}

/// What is thought of a position.
struct Reading {
    /// What the side to move can expect.
    expectation: ExpectedScore,
    line: Vec<Move>,
}

/// Judges every move of a game, as long as `goes_on`, which is told how many of how many positions are done, wants it.
pub(super) fn judge(
    game: &Game,
    advisor: &mut Advisor,
    mut goes_on: impl FnMut(usize, usize) -> bool,
) -> Option<Vec<Judgement>> {
    /// Long enough to see what a person has missed.
    const LONGEST: Duration = Duration::from_millis(50);
    /// Nobody likes to wait when the game is over.
    const IN_ALL: Duration = Duration::from_secs(6);
    let all = game.positions().len();
    let time = LONGEST.min(IN_ALL / u32::try_from(all).unwrap_or(u32::MAX));
    let mut replayed = Game::new(game.start().clone());
    let mut readings = Vec::new();
    for done in 0..all {
        if !goes_on(done, all) {
            return None;
        }
        readings.push(read(&replayed, advisor, time));
        if let Some(&mv) = game.moves().get(done) {
            replayed.play(mv).expect("the moves of a game are legal in it");
        }
    }
    Some(compare(game.moves(), readings))
}

fn read(game: &Game, advisor: &mut Advisor, time: Duration) -> Reading {
    let known = game.ending().map(|ending| match ending {
        Ending::Checkmate { .. } => ExpectedScore::LOSS,
        _ => ExpectedScore::DRAW,
    });
    let opinion = if known.is_none() { advisor.judge(game, time) } else { None };
    let expectation = opinion.as_ref().map(|opinion| ExpectedScore::from_wdl(opinion.wdl));
    Reading {
        expectation: known.or(expectation).unwrap_or(ExpectedScore::DRAW),
        line: opinion.map(|opinion| opinion.line).unwrap_or_default(),
    }
}

/// What every move cost: the expectation before it against that after it.
fn compare(moves: &[Move], readings: Vec<Reading>) -> Vec<Judgement> {
    let after: Vec<_> = readings.iter().skip(1).map(|reading| reading.expectation.of_opponent()).collect();
    let pairs = moves.iter().zip(readings).zip(after);
    pairs
        .map(|((mv, before), after)| {
            let is_best = before.line.first() == Some(mv);
            let loss = if is_best { 0.0 } else { before.expectation.loss_to(after) };
            Judgement { loss, better: before.line }
        })
        .collect()
}

/// The summary, as lines; White and Black have `names`.
pub(super) fn lines(game: &Game, names: &[String; Color::COUNT], judgements: &[Judgement]) -> Vec<String> {
    const MOST_MOMENTS: usize = 3;
    const MOVES_OF_LINE: usize = 5;
    let accuracy = |side: Color| {
        let losses = game.positions().iter().zip(judgements);
        let own = losses.filter(|(position, _)| position.side_to_move() == side);
        of_side(own.map(|(_, judgement)| judgement.loss))
    };
    let parts: Vec<_> = Color::ALL
        .into_iter()
        .filter_map(|side| accuracy(side).map(|accuracy| format!("{} {accuracy:.0}%", names[side.index()])))
        .collect();
    let mut lines = Vec::new();
    if !parts.is_empty() {
        lines.push(format!("Accuracy: {}.", parts.join(", ")));
    }
    let mut faults: Vec<_> = judgements
        .iter()
        .enumerate()
        .filter_map(|(ply, judgement)| {
            MoveJudgement::from_loss(judgement.loss).map(|fault| (ply, judgement, fault))
        })
        .collect();
    faults.sort_by(|(_, first, _), (_, second, _)| second.loss.total_cmp(&first.loss));
    faults.truncate(MOST_MOMENTS);
    faults.sort_by_key(|(ply, ..)| *ply);
    for (ply, judgement, fault) in faults {
        let position = &game.positions()[ply];
        let made = to_san(position, &game.moves()[ply..=ply]);
        let shown = judgement.better.len().min(MOVES_OF_LINE);
        let better = to_san(position, &judgement.better[..shown]);
        lines.push(format!("  {made}{} ({fault}): better is {better}", fault.symbol()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &str) -> Game {
        let mut game = Game::default();
        for text in moves.split_whitespace() {
            let mv = game.position().parse_san(text).expect("the moves are legal");
            game.play(mv).expect("the moves are legal");
        }
        game
    }

    #[test]
    fn the_worst_moves_are_named_in_their_order() {
        let game = game("f3 e5 g4 Qh4#");
        let better = |ply: usize, text: &str| {
            vec![game.positions()[ply].parse_san(text).expect("the moves are legal")]
        };
        let judgements = [
            Judgement { loss: 0.06, better: better(0, "e4") },
            Judgement { loss: 0.0, better: better(1, "e5") },
            Judgement { loss: 0.45, better: better(2, "d4") },
            Judgement { loss: 0.0, better: better(3, "Qh4#") },
        ];
        assert_eq!(
            lines(&game, &["You".to_owned(), "Rukh".to_owned()], &judgements),
            [
                "Accuracy: You 44%, Rukh 100%.",
                "  1. f3?! (inaccuracy): better is 1. e4",
                "  2. g4?? (blunder): better is 2. d4"
            ]
        );
    }

    #[test]
    fn a_mate_is_seen_to_cost_the_game() {
        let game = game("f3 e5 g4 Qh4#");
        let judgements = judge(&game, &mut Advisor::default(), |_, _| true).expect("nobody stopped it");
        assert_eq!(judgements.len(), 4);
        assert_eq!(MoveJudgement::from_loss(judgements[2].loss), Some(MoveJudgement::Blunder));
        assert_eq!(judgements[3].loss, 0.0, "there is nothing better than mate");
        assert_eq!(judge(&game, &mut Advisor::default(), |done, _| done < 2), None);
    }
}
