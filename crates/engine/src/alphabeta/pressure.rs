//! Pressure on the king: what futility margins know nothing of.

use rukh_chess::{Bitboard, Color, Move, Piece, Position, Square, attacks};
use rukh_eval::Evaluator;

use super::node::Node;
use super::worker::Worker;
use crate::technique::{Technique, Toolbox};

/// Whether a man of `color`, but for pawns and kings, attacks a square beside the other king from `square`.
fn attacks_beside_king(
    position: &Position,
    color: Color,
    piece: Piece,
    square: Square,
    occupied: Bitboard,
) -> bool {
    let beside_king = attacks::king(position.king(!color));
    !matches!(piece, Piece::Pawn | Piece::King)
        && attacks::of_piece(color, piece, square, occupied).intersects(beside_king)
}

impl<E: Evaluator, T: Toolbox> Worker<E, T> {
    /// Whether a piece attacks a square beside the other king from where it goes.
    ///
    /// Such a move may threaten mate, and then no margin of material is enough: the side that makes it must not be cut short
    /// by futility, nor the side that answers it by reverse futility. A quiet move behind a sacrifice is found many plies
    /// sooner, and few moves are like that.
    pub(super) fn presses_king(&self, position: &Position, mv: Move) -> bool {
        let occupied = position.occupied() ^ Bitboard::of(mv.from());
        self.has(Technique::KingPressure)
            && position.piece_on(mv.from()).is_some_and(|piece| {
                attacks_beside_king(position, position.side_to_move(), piece, mv.to(), occupied)
            })
    }

    /// Whether the move that led to the node was such a one.
    pub(super) fn is_king_pressed(&self, node: &Node<'_>) -> bool {
        let position = node.position;
        let square = self.frame_before(node.ply, 1).mv.map(Move::to);
        self.has(Technique::KingPressure)
            && square.and_then(|square| Some((square, position.piece_on(square)?))).is_some_and(
                |(square, piece)| {
                    attacks_beside_king(
                        position,
                        !position.side_to_move(),
                        piece,
                        square,
                        position.occupied(),
                    )
                },
            )
    }
}
