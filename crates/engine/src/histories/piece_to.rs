//! Piece-to index: colour, piece and to-square of a move.

use std::ops::Range;

use rukh_chess::{Color, Move, Piece, Position, Square};

/// Colour, piece and to-square of a move: the index of continuation, pawn and countermove tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    /// The number of indices.
    pub(crate) const COUNT: usize = Color::COUNT * Piece::COUNT * Square::COUNT;

    /// The index of a piece of `color` that moves to `to`.
    #[inline]
    pub(crate) fn new(color: Color, piece: Piece, to: Square) -> Self {
        Self(((color.index() * Piece::COUNT + piece.index()) * Square::COUNT + to.index()) as u16)
    }

    /// The index of `mv` in `position`.
    #[inline]
    pub(crate) fn of(position: &Position, mv: Move) -> Self {
        let piece = position.piece_on(mv.from()).unwrap_or(Piece::Pawn);
        Self::new(position.side_to_move(), piece, mv.to())
    }

    /// The indices of one colour.
    #[inline]
    pub(super) fn range_of(color: Color) -> Range<usize> {
        const OF_COLOR: usize = Piece::COUNT * Square::COUNT;
        let first = color.index() * OF_COLOR;
        first..first + OF_COLOR
    }

    /// The index of colour and piece, and that of the to-square.
    pub(super) fn row_and_square(self) -> (usize, usize) {
        (self.index() / Square::COUNT, self.index() % Square::COUNT)
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.0) % Self::COUNT
    }
}
