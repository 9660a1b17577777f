//! What a move is known by once it is made: who went where.

use rukh_chess::{Color, Move, Piece, Position, Square};

/// A piece and the square it goes to: what continuation histories are indexed by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    /// How many there are.
    pub const COUNT: usize = Color::COUNT * Piece::COUNT * Square::COUNT;

    /// A piece of `color` going to `to`.
    #[inline]
    pub fn new(color: Color, piece: Piece, to: Square) -> Self {
        Self(((color.index() * Piece::COUNT + piece.index()) * Square::COUNT + to.index()) as u16)
    }

    /// The piece that makes `mv`, and where it goes.
    #[inline]
    pub fn of(position: &Position, mv: Move) -> Self {
        let piece = position.piece_on(mv.from()).unwrap_or(Piece::Pawn);
        Self::new(position.side_to_move(), piece, mv.to())
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.0) % Self::COUNT
    }
}
