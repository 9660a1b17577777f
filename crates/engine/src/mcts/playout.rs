//! Random playouts: the leaf evaluation of UCT. A game of random moves to its end is one sample of the value.
//!
//! A playout mates when it can: without that, endings with few pieces would all be drawn. It knows the rules alone, no
//! evaluation and no policy.

use rukh_chess::game::{Ending, Outcome};
use rukh_chess::random::SplitMix64;
use rukh_chess::{Color, Position};
use rukh_eval::Score;

use super::leaf::{Leaf, LeafEvaluator};
use super::value::ValueModel;
use super::wdl::WinDrawLoss;
use crate::search::Job;

/// Plies after which a playout is a draw.
const MAX_PLIES: u32 = 300;

/// Evaluates leaves by random playouts.
pub(super) struct Playouts {
    random: SplitMix64,
}

impl Playouts {
    pub(super) fn new() -> Self {
        Self { random: SplitMix64::new(0) }
    }

    /// The outcome of a random game from `position`; `None` for one that was cut off.
    fn play(&mut self, mut position: Position) -> Option<Outcome> {
        for _ in 0..MAX_PLIES {
            let moves = position.legal_moves();
            if moves.is_empty() {
                let winner = !position.side_to_move();
                return Some(if position.is_check() {
                    Ending::Checkmate { winner }.outcome()
                } else {
                    Outcome::Draw
                });
            }
            if position.halfmove_clock() >= Position::FIFTY_MOVES || position.has_insufficient_material() {
                return Some(Outcome::Draw);
            }
            let is_mate = |mv| position.gives_check(mv) && position.after(mv).is_checkmate();
            if moves.iter().any(|&mv| is_mate(mv)) {
                return Some(Outcome::Win(position.side_to_move()));
            }
            let chosen = moves[self.random.below(moves.len() as u64) as usize];
            position = position.after(chosen);
        }
        None
    }
}

/// WDL of one outcome for a side.
fn sample(outcome: Option<Outcome>, side: Color) -> WinDrawLoss {
    match outcome {
        Some(Outcome::Win(winner)) if winner == side => WinDrawLoss { win: 1.0, draw: 0.0, loss: 0.0 },
        Some(Outcome::Win(_)) => WinDrawLoss { win: 0.0, draw: 0.0, loss: 1.0 },
        Some(Outcome::Draw) | None => WinDrawLoss::DRAW,
    }
}

impl LeafEvaluator for Playouts {
    fn begin(&mut self, job: &Job, index: usize) {
        // The same search of the same position plays the same playouts.
        self.random = SplitMix64::new(job.request.game.position().key() ^ index as u64);
    }

    fn value_model(&self) -> ValueModel {
        ValueModel::new(Score::DRAW, 1)
    }

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        for leaf in leaves {
            if leaf.wants_value() {
                leaf.wdl = sample(self.play(leaf.position.clone()), leaf.position.side_to_move());
            }
            if leaf.wants_policy() {
                leaf.logits.clear();
                leaf.logits.resize(leaf.moves.len(), 0.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playouts_find_mates_and_know_who_is_ahead() {
        let mut playouts = Playouts::new();
        let mut mean = |fen: &str| {
            let position: Position = fen.parse().expect("it is valid");
            let side = position.side_to_move();
            let sum: f64 = (0..60).map(|_| sample(playouts.play(position.clone()), side).value()).sum();
            sum / 60.0
        };
        assert_eq!(mean("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"), 1.0, "mate in one");
        assert!(mean("6k1/5ppp/8/8/8/8/QQ6/K7 w - - 0 1") > 0.5);
        assert!(mean("6k1/5ppp/8/8/8/8/QQ6/K7 b - - 0 1") < -0.4);
        assert_eq!(mean("8/8/8/3k4/8/8/8/3K2N1 w - - 0 1"), 0.0);
    }
}
