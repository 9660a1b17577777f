//! Textbook searches: minimax, negamax, alpha-beta and principal variation search, in a few lines each.
//!
//! All return the same value, which the tests check. The engine does not use them; they introduce the real search.

use std::cmp::Reverse;

use rukh_chess::position::ChangeObserver;
use rukh_chess::{Color, Move, Position};
use rukh_eval::{Evaluator, Score};

// ANCHOR: order
/// The order in which a search tries moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// As the generator lists them.
    Generated,
    /// Captures and promotions first, the most valuable victim before the others (MVV).
    CapturesFirst,
}

impl Order {
    /// The legal moves in this order.
    pub fn moves(self, position: &Position) -> Vec<Move> {
        let mut moves = position.legal_moves().to_vec();
        if self == Self::CapturesFirst {
            // The sort is stable: quiet moves keep the order of the generator.
            moves.sort_by_key(|&mv| Reverse((mv.is_noisy(), position.captured_by(mv))));
        }
        moves
    }
}
// ANCHOR_END: order

/// Counts the evaluations of another evaluator: the leaves that a search visits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counted<E> {
    /// The evaluator.
    pub evaluator: E,
    /// The evaluations so far.
    pub count: u64,
}

impl<E: Evaluator> Evaluator for Counted<E> {
    fn reset(&mut self, position: &Position) {
        self.evaluator.reset(position);
    }

    fn push(&mut self) -> impl ChangeObserver + '_ {
        self.evaluator.push()
    }

    fn pop(&mut self) {
        self.evaluator.pop();
    }

    fn evaluate(&mut self, position: &Position) -> Score {
        self.count += 1;
        self.evaluator.evaluate(position)
    }
}

// ANCHOR: minimax
/// Minimax: searches every move. White maximises, Black minimises. The value is from White's point of view.
pub fn minimax(position: &Position, ply: usize, depth: u32, evaluator: &mut impl Evaluator) -> Score {
    let white = position.side_to_move() == Color::White;
    if let Some(score) = leaf(position, ply, depth, evaluator) {
        return if white { score } else { -score };
    }
    let moves = position.legal_moves();
    let values = moves.iter().map(|&mv| minimax(&position.after(mv), ply + 1, depth - 1, evaluator));
    let best = if white { values.max() } else { values.min() };
    best.expect("a position without moves is a leaf")
}
// ANCHOR_END: minimax

// ANCHOR: negamax
/// Negamax: minimax from the point of view of the side to move. The value of a child is negated.
pub fn negamax(position: &Position, ply: usize, depth: u32, evaluator: &mut impl Evaluator) -> Score {
    if let Some(score) = leaf(position, ply, depth, evaluator) {
        return score;
    }
    let moves = position.legal_moves();
    let values = moves.iter().map(|&mv| -negamax(&position.after(mv), ply + 1, depth - 1, evaluator));
    values.max().expect("a position without moves is a leaf")
}
// ANCHOR_END: negamax

// ANCHOR: alpha_beta
/// Alpha-beta: negamax without irrelevant branches. A move that reaches beta ends the node (cut-off), because the
/// opponent has a better alternative earlier.
pub fn alpha_beta(
    position: &Position,
    ply: usize,
    depth: u32,
    (mut alpha, beta): (Score, Score),
    order: Order,
    evaluator: &mut impl Evaluator,
) -> Score {
    if let Some(score) = leaf(position, ply, depth, evaluator) {
        return score;
    }
    let mut best = Score::MIN;
    for mv in order.moves(position) {
        let score = -alpha_beta(&position.after(mv), ply + 1, depth - 1, (-beta, -alpha), order, evaluator);
        best = best.max(score);
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    best
}
// ANCHOR_END: alpha_beta

// ANCHOR: principal_variation
/// Principal variation search: assumes that the first move is best. The others are searched with a zero window and only
/// searched again with the full window if they are better.
pub fn principal_variation(
    position: &Position,
    ply: usize,
    depth: u32,
    (mut alpha, beta): (Score, Score),
    order: Order,
    evaluator: &mut impl Evaluator,
) -> Score {
    if let Some(score) = leaf(position, ply, depth, evaluator) {
        return score;
    }
    let mut best = Score::MIN;
    for (i, mv) in order.moves(position).into_iter().enumerate() {
        let after = position.after(mv);
        let mut search = |window| -principal_variation(&after, ply + 1, depth - 1, window, order, evaluator);
        let mut score = if i == 0 { search((-beta, -alpha)) } else { search((-(alpha + 1), -alpha)) };
        if i > 0 && score > alpha && score < beta {
            score = search((-beta, -alpha));
        }
        best = best.max(score);
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    best
}
// ANCHOR_END: principal_variation

// ANCHOR: leaf
/// The value of a leaf or of a finished game for the side to move; `None` if the position is to be searched.
pub(super) fn leaf(
    position: &Position,
    ply: usize,
    depth: u32,
    evaluator: &mut impl Evaluator,
) -> Option<Score> {
    if position.count_legal_moves() == 0 {
        return Some(if position.is_check() { Score::mated_at(ply) } else { Score::DRAW });
    }
    (depth == 0).then(|| evaluator.evaluate(position))
}
// ANCHOR_END: leaf

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_eval::Material;

    const WIDE: (Score, Score) = (Score::MIN, Score::MAX);

    #[test]
    fn all_four_agree() {
        for (fen, depth) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3),
            ("r3k2r/p1pp1pb1/bn2Qnp1/2qPN3/1p2P3/2N5/PPPBBPPP/R3K2R b KQkq - 3 2", 3),
            ("8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3", 4),
            ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 3),
            ("7k/8/5K2/6Q1/8/8/8/8 b - - 0 1", 4),
        ] {
            let position: Position = fen.parse().expect("the positions are valid");
            let material = &mut Material;
            let white = minimax(&position, 0, depth, material);
            let value = if position.side_to_move() == Color::White { white } else { -white };
            assert_eq!(negamax(&position, 0, depth, material), value, "{fen}");
            for order in [Order::Generated, Order::CapturesFirst] {
                assert_eq!(alpha_beta(&position, 0, depth, WIDE, order, material), value, "{fen}");
                assert_eq!(principal_variation(&position, 0, depth, WIDE, order, material), value, "{fen}");
            }
        }
    }

    #[test]
    fn a_mate_in_one_is_found() {
        let position: Position = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1".parse().expect("the position is valid");
        assert_eq!(negamax(&position, 0, 1, &mut Material), Score::mate_at(1));
        let found = alpha_beta(&position, 0, 3, WIDE, Order::Generated, &mut Material);
        assert_eq!(found, Score::mate_at(1));
    }

    #[test]
    fn good_order_saves_leaves_and_bad_order_none() {
        let position: Position = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
            .parse()
            .expect("the position is valid");
        let leaves = |order| {
            let mut counted = Counted::<Material>::default();
            alpha_beta(&position, 0, 3, WIDE, order, &mut counted);
            counted.count
        };
        let mut all = Counted::<Material>::default();
        negamax(&position, 0, 3, &mut all);
        // One leaf is mate and is not evaluated.
        assert_eq!(all.count + 1, rukh_chess::perft::perft(&position, 3));
        assert!(leaves(Order::CapturesFirst) < leaves(Order::Generated));
        assert!(leaves(Order::Generated) < all.count / 4);
    }
}
