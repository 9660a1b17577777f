//! Pressure on the king: what futility margins know nothing of.

use rukh_chess::{Bitboard, Move, Piece, Position, attacks};
use rukh_eval::Evaluator;

use super::worker::Worker;
use crate::technique::{Technique, Toolbox};

impl<E: Evaluator, T: Toolbox> Worker<E, T> {
    /// Whether a piece attacks a square beside the other king from where it goes.
    ///
    /// Such a move may threaten mate, and then no margin of material is enough: the side that makes it must not be cut short
    /// by futility, nor the side that answers it by reverse futility. A quiet move behind a sacrifice is found many plies
    /// sooner, and few moves are like that.
    pub(super) fn presses_king(&self, position: &Position, mv: Move) -> bool {
        let us = position.side_to_move();
        let Some(piece) = position.piece_on(mv.from()) else { return false };
        if !self.has(Technique::KingPressure) || matches!(piece, Piece::Pawn | Piece::King) {
            return false;
        }
        let occupied = position.occupied() ^ Bitboard::of(mv.from());
        let beside_king = attacks::king(position.king(!us));
        attacks::of_piece(us, piece, mv.to(), occupied).intersects(beside_king)
    }
}
