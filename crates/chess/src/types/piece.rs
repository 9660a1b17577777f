//! Pieces: the six kinds, without colour.

use core::fmt;
use core::ops::{Index, IndexMut};

use super::color::Color;
use super::enums::index_enum;

index_enum! {
    /// A kind of piece, without its colour.
    pub enum Piece {
        /// Pawn.
        Pawn,
        /// Knight.
        Knight,
        /// Bishop.
        Bishop,
        /// Rook.
        Rook,
        /// Queen.
        Queen,
        /// King.
        King,
    }
}

impl Piece {
    /// The pieces a pawn can promote to, queen first.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// The lower-case letter in FEN and UCI.
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    /// The letter in FEN of a piece of this kind and `color`: upper case for White.
    pub const fn letter_of(self, color: Color) -> char {
        match color {
            Color::White => self.letter().to_ascii_uppercase(),
            Color::Black => self.letter(),
        }
    }

    /// The kind for a letter of either case.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_lowercase() {
            'p' => Self::Pawn,
            'n' => Self::Knight,
            'b' => Self::Bishop,
            'r' => Self::Rook,
            'q' => Self::Queen,
            'k' => Self::King,
            _ => return None,
        })
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::King => "king",
        })
    }
}

/// One value for each kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ByPiece<T>(pub [T; Piece::COUNT]);

impl<T> Index<Piece> for ByPiece<T> {
    type Output = T;

    #[inline]
    fn index(&self, piece: Piece) -> &T {
        &self.0[piece.index()]
    }
}

impl<T> IndexMut<Piece> for ByPiece<T> {
    #[inline]
    fn index_mut(&mut self, piece: Piece) -> &mut T {
        &mut self.0[piece.index()]
    }
}
