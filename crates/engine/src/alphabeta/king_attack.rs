//! Pressure on the king: what futility margins know nothing of.

use rukh_chess::{Bitboard, Color, Move, Piece, Position, Square, attacks};
use rukh_eval::Evaluator;

use super::node::Node;
use super::worker::Worker;
use crate::technique::{Technique, TechniqueSet};

/// Whether a piece on `square` attacks a square beside a king; pawns and kings do not count.
fn attacks_square_beside(king: Square, piece: Piece, square: Square, occupied: Bitboard) -> bool {
    let reach = match piece {
        Piece::Pawn | Piece::King => Bitboard::EMPTY,
        // The colour matters to pawns alone.
        _ => attacks::of_piece(Color::White, piece, square, occupied),
    };
    reach.intersects(attacks::king(king))
}

impl<E: Evaluator, T: TechniqueSet> Worker<E, T> {
    /// Whether a piece attacks a square beside the other king from where it goes.
    ///
    /// Such a move may threaten mate, and then no margin of material is enough: the side that makes it must not be cut short
    /// by futility, nor the side that answers it by reverse futility.
    pub(super) fn attacks_king_zone(&self, position: &Position, mv: Move) -> bool {
        let king = position.king(!position.side_to_move());
        let occupied = position.occupied() ^ Bitboard::of(mv.from());
        let piece = position.piece_on(mv.from()).filter(|_| self.has(Technique::KingAttack));
        piece.is_some_and(|piece| attacks_square_beside(king, piece, mv.to(), occupied))
    }

    /// Whether the move that led to the node was such a one.
    pub(super) fn is_king_zone_attacked(&self, node: &Node<'_>) -> bool {
        let position = node.position;
        let Some(mv) = self.frame_before(node.ply, 1).mv else { return false };
        let king = position.king(position.side_to_move());
        let piece = position.piece_on(mv.to()).filter(|_| self.has(Technique::KingAttack));
        piece.is_some_and(|piece| attacks_square_beside(king, piece, mv.to(), position.occupied()))
    }
}
