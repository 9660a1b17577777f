//! Bitboards: sets of squares in 64 bits.

use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::color::Color;
use super::square::{File, Rank, Square};

/// A bitboard: a set of squares. Bit 0 is a1, bit 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

const FILE_A: u64 = 0x0101_0101_0101_0101;
const RANK_1: u64 = 0xFF;
const NOT_FILE_A: u64 = !FILE_A;
const NOT_FILE_H: u64 = !(FILE_A << 7);
const NOT_FILES_AB: u64 = NOT_FILE_A & (NOT_FILE_A << 1);
const NOT_FILES_GH: u64 = NOT_FILE_H & (NOT_FILE_H >> 1);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const FULL: Self = Self(!0);
    /// The dark squares, a1 among them.
    pub const DARK_SQUARES: Self = Self(0xAA55_AA55_AA55_AA55);

    /// The squares of one file.
    #[inline]
    pub const fn file(file: File) -> Self {
        Self(FILE_A << file as u8)
    }

    /// The squares of one rank.
    #[inline]
    pub const fn rank(rank: Rank) -> Self {
        Self(RANK_1 << (8 * rank as u8))
    }

    /// The back rank of `color`: rank 1 for White, rank 8 for Black.
    #[inline]
    pub const fn back_rank(color: Color) -> Self {
        Self::rank(Rank::First.relative_to(color))
    }

    /// The set of one square.
    #[inline]
    pub const fn of(square: Square) -> Self {
        Self(1 << square as u8)
    }

    /// Whether `square` is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 != 0
    }

    /// Whether the set has no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the two sets share a square.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every square of `self` is in `other`.
    #[inline]
    pub const fn is_subset_of(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether the set has two squares or more.
    #[inline]
    pub const fn has_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// How many squares the set has.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The lowest square of the set.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(Square::from_low_bits(self.0.trailing_zeros() as u8)) }
    }

    /// The highest square of the set.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(Square::from_low_bits(63 - self.0.leading_zeros() as u8)) }
    }

    /// The set shifted by `step` squares in the numbering of squares. For the eight neighbouring directions (±1, ±7, ±8,
    /// ±9) nothing wraps around the edges of the board.
    #[inline]
    pub const fn shifted(self, step: i8) -> Self {
        let kept = match step {
            1 | 9 | -7 => self.0 & NOT_FILE_H,
            -1 | -9 | 7 => self.0 & NOT_FILE_A,
            _ => self.0,
        };
        Self(if step >= 0 { kept << step } else { kept >> -step })
    }

    /// The set mirrored vertically: rank 1 becomes rank 8.
    #[inline]
    pub const fn flip_ranks(self) -> Self {
        Self(self.0.swap_bytes())
    }

    // ANCHOR: knight_attacks
    /// The squares attacked by knights on the squares of this set.
    #[inline]
    pub const fn knight_attacks(self) -> Self {
        let near = (self.0 << 1 & NOT_FILE_A) | (self.0 >> 1 & NOT_FILE_H);
        let far = (self.0 << 2 & NOT_FILES_AB) | (self.0 >> 2 & NOT_FILES_GH);
        Self(near << 16 | near >> 16 | far << 8 | far >> 8)
    }
    // ANCHOR_END: knight_attacks

    /// The squares attacked by pawns of `color` on the squares of this set.
    #[inline]
    pub const fn pawn_attacks(self, color: Color) -> Self {
        match color {
            Color::White => Self(self.shifted(7).0 | self.shifted(9).0),
            Color::Black => Self(self.shifted(-7).0 | self.shifted(-9).0),
        }
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self::of(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// Iterator over the squares of a [`Bitboard`], from a1 to h8.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0.wrapping_sub(1);
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// Forwards a binary operator and its assigning form to the bits.
macro_rules! forward_operator {
    ($operator:ident, $method:ident, $assign:ident, $assign_method:ident) => {
        impl $operator for Bitboard {
            type Output = Self;

            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0))
            }
        }

        impl $assign for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                self.0.$assign_method(other.0);
            }
        }
    };
}

forward_operator!(BitAnd, bitand, BitAndAssign, bitand_assign);
forward_operator!(BitOr, bitor, BitOrAssign, bitor_assign);
forward_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign);

/// Draws the set as a board, the eighth rank on top.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                f.write_str(if self.contains(Square::new(file, rank)) { " x" } else { " ." })?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}
