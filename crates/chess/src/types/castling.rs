//! Castling rights: the rooks with which a side may still castle.

use super::bitboard::Bitboard;
use super::color::Color;
use super::enums::index_enum;
use super::square::{File, Rank, Square};

index_enum! {
    /// The side of the board towards which the king castles.
    pub enum Wing {
        /// Towards the h-file, `O-O`.
        King,
        /// Towards the a-file, `O-O-O`.
        Queen,
    }
}

impl Wing {
    /// The square of the king of `color` after castling.
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::G,
            Self::Queen => File::C,
        };
        Square::new(file, Rank::First.relative_to(color))
    }

    /// The square of the rook of `color` after castling.
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::F,
            Self::Queen => File::D,
        };
        Square::new(file, Rank::First.relative_to(color))
    }

    /// The wing of a rook: the king's wing if it is to the right of the king.
    #[inline]
    pub const fn of_rook(king: Square, rook: Square) -> Self {
        if rook as u8 > king as u8 { Self::King } else { Self::Queen }
    }
}

/// Castling rights: the set of the rooks that may still castle.
///
/// One bitboard is enough for standard chess, Chess960 and double Chess960. The wing of a rook follows from the square of
/// the king, and a right is lost by removing a square from the set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Castling {
    rooks: Bitboard,
}

impl Castling {
    /// The right to castle with each of these rooks.
    #[inline]
    pub(crate) const fn with_rooks(rooks: Bitboard) -> Self {
        Self { rooks }
    }

    /// The rooks that may still castle.
    #[inline]
    pub const fn rooks(self) -> Bitboard {
        self.rooks
    }

    /// The rooks of `color` that may still castle.
    #[inline]
    pub fn rooks_of(self, color: Color) -> Bitboard {
        self.rooks & Bitboard::back_rank(color)
    }

    /// The rook with which `color`, its king on `king`, may castle towards `wing`.
    pub fn rook(self, color: Color, wing: Wing, king: Square) -> Option<Square> {
        self.rooks_of(color).into_iter().find(|&rook| Wing::of_rook(king, rook) == wing)
    }

    /// These rights without the rooks on `squares`.
    #[inline]
    #[must_use]
    pub(crate) fn without(self, squares: Bitboard) -> Self {
        Self { rooks: self.rooks & !squares }
    }
}
