//! King-attack guard: exempts moves that attack the king zone from futility pruning and reverse futility pruning.

use rukh_chess::{Bitboard, Color, Move, Piece, Position, Square, attacks};
use rukh_eval::Evaluator;

use super::node::Node;
use super::worker::Worker;
use crate::technique::{Technique, TechniqueSet};
use crate::witness::Witness;

/// Whether a piece on `square` attacks a square next to `king`; false for pawns and kings.
fn attacks_zone_of(king: Square, piece: Piece, square: Square, occupied: Bitboard) -> bool {
    let attacked = match piece {
        Piece::Pawn | Piece::King => Bitboard::EMPTY,
        // The colour matters only for pawns.
        _ => attacks::of_piece(Color::White, piece, square, occupied),
    };
    attacked.intersects(attacks::king(king))
}

impl<E: Evaluator, T: TechniqueSet, W: Witness> Worker<E, T, W> {
    /// Whether the moved piece attacks the zone of the enemy king from its to-square.
    ///
    /// Such a move may threaten mate, and then no margin of material is enough. So it is exempt from futility pruning, and the
    /// reply to it from reverse futility pruning.
    pub(super) fn attacks_king_zone(&self, position: &Position, mv: Move) -> bool {
        let king = position.king(!position.side_to_move());
        let occupied = position.occupied() ^ Bitboard::of(mv.from());
        let piece = position.piece_on(mv.from()).filter(|_| self.has(Technique::KingAttack));
        piece.is_some_and(|piece| attacks_zone_of(king, piece, mv.to(), occupied))
    }

    /// Whether the move that led to the node attacks the zone of the king of the side to move.
    pub(super) fn is_king_zone_attacked(&self, node: &Node<'_>) -> bool {
        let position = node.position;
        let Some(mv) = self.frame_before(node.ply, 1).mv else { return false };
        let king = position.king(position.side_to_move());
        let piece = position.piece_on(mv.to()).filter(|_| self.has(Technique::KingAttack));
        piece.is_some_and(|piece| attacks_zone_of(king, piece, mv.to(), position.occupied()))
    }
}
