//! Textbook searches: minimax, negamax, alpha-beta and principal variation search, in a few lines each.
//!
//! All four return the same value, which the tests check. The engine does not use them; they introduce the real search.

use rukh_chess::{Color, Position};
use rukh_eval::{Evaluator, Score};

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

/// Negamax: minimax from the point of view of the side to move. The value of a child is negated.
pub fn negamax(position: &Position, ply: usize, depth: u32, evaluator: &mut impl Evaluator) -> Score {
    if let Some(score) = leaf(position, ply, depth, evaluator) {
        return score;
    }
    let moves = position.legal_moves();
    let values = moves.iter().map(|&mv| -negamax(&position.after(mv), ply + 1, depth - 1, evaluator));
    values.max().expect("a position without moves is a leaf")
}

/// Alpha-beta: negamax without irrelevant branches. A move that reaches beta ends the node (cut-off), because the
/// opponent has a better alternative earlier.
pub fn alpha_beta(
    position: &Position,
    ply: usize,
    depth: u32,
    (mut alpha, beta): (Score, Score),
    evaluator: &mut impl Evaluator,
) -> Score {
    if let Some(score) = leaf(position, ply, depth, evaluator) {
        return score;
    }
    let mut best = Score::MIN;
    for &mv in &position.legal_moves() {
        let score = -alpha_beta(&position.after(mv), ply + 1, depth - 1, (-beta, -alpha), evaluator);
        best = best.max(score);
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// Principal variation search: assumes that the first move is best. The others are searched with a zero window and only
/// searched again with the full window if they are better.
pub fn principal_variation(
    position: &Position,
    ply: usize,
    depth: u32,
    (mut alpha, beta): (Score, Score),
    evaluator: &mut impl Evaluator,
) -> Score {
    if let Some(score) = leaf(position, ply, depth, evaluator) {
        return score;
    }
    let mut best = Score::MIN;
    for (i, &mv) in position.legal_moves().iter().enumerate() {
        let after = position.after(mv);
        let mut search = |window| -principal_variation(&after, ply + 1, depth - 1, window, evaluator);
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

/// The value of a leaf or of a finished game for the side to move; `None` if the position is to be searched.
fn leaf(position: &Position, ply: usize, depth: u32, evaluator: &mut impl Evaluator) -> Option<Score> {
    if position.count_legal_moves() == 0 {
        return Some(if position.is_check() { Score::mated_at(ply) } else { Score::DRAW });
    }
    (depth == 0).then(|| evaluator.evaluate(position))
}

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
            assert_eq!(alpha_beta(&position, 0, depth, WIDE, material), value, "{fen}");
            assert_eq!(principal_variation(&position, 0, depth, WIDE, material), value, "{fen}");
        }
    }

    #[test]
    fn a_mate_in_one_is_found() {
        let position: Position = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1".parse().expect("the position is valid");
        assert_eq!(negamax(&position, 0, 1, &mut Material), Score::mate_at(1));
        assert_eq!(alpha_beta(&position, 0, 3, WIDE, &mut Material), Score::mate_at(1));
    }
}
