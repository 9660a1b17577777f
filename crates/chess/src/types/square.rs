//! Squares, files and ranks: a1 is 0, h8 is 63.

use core::fmt;
use core::ops::{Index, IndexMut};
use core::str::FromStr;

use super::color::Color;
use super::enums::{from_low_bits, index_enum};

index_enum! {
    /// A file of the board.
    #[allow(missing_docs)]
    pub enum File { A, B, C, D, E, F, G, H }
}
from_low_bits!(File);

index_enum! {
    /// A rank of the board.
    #[allow(missing_docs)]
    pub enum Rank { First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth }
}
from_low_bits!(Rank);

index_enum! {
    /// One of the 64 squares.
    #[allow(missing_docs)]
    pub enum Square {
        A1, B1, C1, D1, E1, F1, G1, H1,
        A2, B2, C2, D2, E2, F2, G2, H2,
        A3, B3, C3, D3, E3, F3, G3, H3,
        A4, B4, C4, D4, E4, F4, G4, H4,
        A5, B5, C5, D5, E5, F5, G5, H5,
        A6, B6, C6, D6, E6, F6, G6, H6,
        A7, B7, C7, D7, E7, F7, G7, H7,
        A8, B8, C8, D8, E8, F8, G8, H8,
    }
}
from_low_bits!(Square);

impl File {
    /// The lower-case letter of the file.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file for a letter of either case.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_lowercase() {
            letter @ 'a'..='h' => Some(Self::from_low_bits(letter as u8 - b'a')),
            _ => None,
        }
    }
}

impl Rank {
    /// The digit of the rank.
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank for a digit.
    pub const fn from_digit(digit: char) -> Option<Self> {
        match digit {
            '1'..='8' => Some(Self::from_low_bits(digit as u8 - b'1')),
            _ => None,
        }
    }

    /// The rank relative to `color`: the first rank of Black is the eighth rank of the board.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self::from_low_bits(7 - self as u8),
        }
    }
}

impl Square {
    /// The square on `file` and `rank`.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::from_low_bits(file as u8 | (rank as u8) << 3)
    }

    /// The file of this square.
    #[inline]
    pub const fn file(self) -> File {
        File::from_low_bits(self as u8)
    }

    /// The rank of this square.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::from_low_bits(self as u8 >> 3)
    }

    /// The square `files` to the right and `ranks` up; `None` if it is off the board.
    #[inline]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = self.file() as i8 + files;
        let rank = self.rank() as i8 + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Self::from_low_bits((rank * 8 + file) as u8))
    }

    /// The square mirrored vertically: a1 becomes a8.
    #[inline]
    pub const fn flip_rank(self) -> Self {
        Self::from_low_bits(self as u8 ^ 0o70)
    }

    /// The square mirrored horizontally: a1 becomes h1.
    #[inline]
    pub const fn flip_file(self) -> Self {
        Self::from_low_bits(self as u8 ^ 0o07)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

/// The text is not a square such as `e4`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotASquare;

impl fmt::Display for NotASquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a square is a letter from a to h and a digit from 1 to 8")
    }
}

impl core::error::Error for NotASquare {}

impl FromStr for Square {
    type Err = NotASquare;

    /// Reads a lower-case square name.
    fn from_str(text: &str) -> Result<Self, NotASquare> {
        let &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] = text.as_bytes() else {
            return Err(NotASquare);
        };
        Ok(Self::new(File::from_low_bits(file - b'a'), Rank::from_low_bits(rank - b'1')))
    }
}

/// One value for each square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BySquare<T>(pub [T; Square::COUNT]);

impl<T> Index<Square> for BySquare<T> {
    type Output = T;

    #[inline]
    fn index(&self, square: Square) -> &T {
        &self.0[square.index()]
    }
}

impl<T> IndexMut<Square> for BySquare<T> {
    #[inline]
    fn index_mut(&mut self, square: Square) -> &mut T {
        &mut self.0[square.index()]
    }
}
