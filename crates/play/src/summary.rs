//! Summary: accuracy of both sides and the worst moves of a finished game, from the review that `rukh analyse` makes too.

use std::time::Duration;

use rukh_chess::game::Game;
use rukh_chess::types::ByColor;
use rukh_chess::{Color, Move};
use rukh_eval::{Score, wdl};
use rukh_explain::accuracy::MoveJudgement;
use rukh_explain::review::{PositionAnalysis, Review};

use crate::advisor::Advisor;

/// Reviews a game with the advisor: at most 50 ms per position and six seconds in all. `continues` receives how many of how
/// many positions are evaluated; the review ends with `None` once it returns false.
pub fn review(
    game: &Game,
    advisor: &mut dyn Advisor,
    mut continues: impl FnMut(usize, usize) -> bool,
) -> Option<Review> {
    const PER_POSITION: Duration = Duration::from_millis(50);
    const IN_ALL: Duration = Duration::from_secs(6);
    let all = game.positions().len();
    let time = PER_POSITION.min(IN_ALL / u32::try_from(all).unwrap_or(u32::MAX));
    let mut done = 0;
    let review = Review::new(game, |game| {
        if !continues(done, all) {
            return Err(());
        }
        done += 1;
        let level = || PositionAnalysis {
            score: Score::DRAW,
            wdl: wdl(Score::DRAW, game.position().fullmove_number()),
            pv: Vec::new(),
        };
        Ok(advisor.analyse(game, time).unwrap_or_else(level))
    });
    review.ok()
}

/// How well a game was played.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// The accuracy of each side from 0 to 100; `None` if it made no move.
    pub accuracy: ByColor<Option<f64>>,
    /// The worst moves in the order of the game.
    pub worst: Vec<WorstMove>,
}

/// A bad move and what was better.
#[derive(Clone, PartialEq, Debug)]
pub struct WorstMove {
    /// The index of the move in the game.
    pub ply: usize,
    /// How bad it was.
    pub judgement: MoveJudgement,
    /// The best line instead of it; empty where it is unknown.
    pub better: Vec<Move>,
}

impl Summary {
    /// The number of worst moves.
    pub(crate) const MOST_MOVES: usize = 3;

    /// Summarises a review.
    pub fn of(review: &Review) -> Self {
        let mut bad_moves: Vec<_> = review
            .moves()
            .enumerate()
            .filter_map(|(ply, played)| played.judgement().map(|judgement| (ply, played, judgement)))
            .collect();
        bad_moves.sort_by(|(_, first, _), (_, second, _)| second.loss().total_cmp(&first.loss()));
        bad_moves.truncate(Self::MOST_MOVES);
        bad_moves.sort_by_key(|(ply, ..)| *ply);
        let worst = bad_moves.into_iter().map(|(ply, played, judgement)| WorstMove {
            ply,
            judgement,
            better: played.best_line().to_vec(),
        });
        Self { accuracy: ByColor(Color::ALL.map(|side| review.accuracy(side))), worst: worst.collect() }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::advisor::EngineAdvisor;

    fn game(moves: &str) -> Game {
        let mut game = Game::default();
        for text in moves.split_whitespace() {
            let mv = game.position().parse_san(text).expect("the moves are legal");
            game.play(mv).expect("the moves are legal");
        }
        game
    }

    /// A review in which each position has this expectation of White in per cent, and the best move is not known.
    fn review_of(game: &Game, white: &[u32]) -> Review {
        let Ok(review) = Review::new(game, |game| {
            let white = 10 * white[game.moves().len()];
            let wins = if game.position().side_to_move() == Color::White { white } else { 1_000 - white };
            let wdl = [wins, 0, 1_000 - wins];
            Ok::<_, Infallible>(PositionAnalysis { score: Score::DRAW, wdl, pv: Vec::new() })
        });
        review
    }

    #[test]
    fn the_worst_moves_are_named_in_their_order() {
        let game = game("f3 e5 g4 d6 a4 a5 h4 h5 b3 b6");
        let review = review_of(&game, &[50, 44, 44, 20, 20, 8, 8, 0, 50, 50, 50]);
        let summary = Summary::of(&review);
        let worst: Vec<_> = summary.worst.iter().map(|worst| (worst.ply, worst.judgement)).collect();
        assert_eq!(
            worst,
            [(2, MoveJudgement::Blunder), (4, MoveJudgement::Mistake), (7, MoveJudgement::Blunder)]
        );
        let ByColor([white, black]) = summary.accuracy;
        assert!(white < black && black < Some(100.0), "{white:?} {black:?}");
    }

    #[test]
    fn a_mate_is_seen_to_cost_the_game() {
        let game = game("f3 e5 g4 Qh4#");
        let review = review(&game, &mut EngineAdvisor::default(), |_, _| true).expect("nobody stopped it");
        let summary = Summary::of(&review);
        let blunder = summary.worst.iter().find(|worst| worst.ply == 2).expect("it is there");
        assert_eq!((blunder.judgement, blunder.better.is_empty()), (MoveJudgement::Blunder, false));
        assert!(summary.worst.iter().all(|worst| worst.ply != 3), "nothing is better than mate");
    }

    #[test]
    fn a_review_can_be_stopped() {
        let mut seen = Vec::new();
        let stopped = review(&game("f3 e5 g4"), &mut EngineAdvisor::default(), |done, all| {
            seen.push((done, all));
            done < 1
        });
        assert!(stopped.is_none());
        assert_eq!(seen, [(0, 4), (1, 4)]);
    }

    #[test]
    fn a_game_without_moves_has_no_accuracy() {
        let summary = Summary::of(&review_of(&Game::default(), &[50]));
        assert_eq!((summary.accuracy.0, summary.worst.len()), ([None, None], 0));
    }
}
