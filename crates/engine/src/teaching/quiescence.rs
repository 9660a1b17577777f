//! Textbook quiescence search: captures and promotions until none improves the score, around any evaluation.

use rukh_chess::Position;
use rukh_chess::position::ChangeObserver;
use rukh_eval::{Evaluator, Score};

use super::searches::Order;

/// Evaluates a position by a quiescence search with another evaluator at its leaves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiesced<E>(pub E);

impl<E: Evaluator> Evaluator for Quiesced<E> {
    fn reset(&mut self, position: &Position) {
        self.0.reset(position);
    }

    fn push(&mut self) -> impl ChangeObserver + '_ {
        self.0.push()
    }

    fn pop(&mut self) {
        self.0.pop();
    }

    fn evaluate(&mut self, position: &Position) -> Score {
        quiescence(position, 0, (Score::MIN, Score::MAX), &mut self.0)
    }
}

// ANCHOR: quiescence
/// Quiescence search: stand pat, or a capture or promotion that is better. In check every move is tried.
pub fn quiescence(
    position: &Position,
    ply: usize,
    (mut alpha, beta): (Score, Score),
    evaluator: &mut impl Evaluator,
) -> Score {
    let is_check = position.is_check();
    // Nobody is forced to capture: the static evaluation is a lower bound.
    let mut best = if is_check { Score::mated_at(ply) } else { evaluator.evaluate(position) };
    alpha = alpha.max(best);
    for mv in Order::CapturesFirst.moves(position) {
        if alpha >= beta || !(is_check || mv.is_noisy()) {
            break;
        }
        let score = -quiescence(&position.after(mv), ply + 1, (-beta, -alpha), evaluator);
        best = best.max(score);
        alpha = alpha.max(score);
    }
    best
}
// ANCHOR_END: quiescence

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_eval::Material;

    fn value(fen: &str) -> (Score, Score) {
        let position: Position = fen.parse().expect("the position is valid");
        (Material.evaluate(&position), Quiesced(Material).evaluate(&position))
    }

    #[test]
    fn captures_are_resolved_and_bad_ones_left() {
        // The queen takes a protected pawn only if nobody takes it back.
        assert_eq!(value("4k3/8/2p5/3p4/8/3Q4/8/4K3 w - - 0 1"), (Score::new(700), Score::new(700)));
        assert_eq!(value("4k3/8/8/3p4/8/3Q4/8/4K3 w - - 0 1"), (Score::new(800), Score::new(900)));
        // The pawn takes the queen.
        assert_eq!(value("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"), (Score::new(-800), Score::new(100)));
    }

    #[test]
    fn mates_and_evasions_are_seen_in_check() {
        assert_eq!(value("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").1, Score::mated_at(0));
        // The check is answered by taking the rook.
        assert_eq!(value("R5k1/1b3ppp/8/8/8/8/8/4K3 b - - 0 1").1, Score::new(600));
    }
}
