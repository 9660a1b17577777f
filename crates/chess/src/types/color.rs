//! Colours: the two sides as values, and as types for code compiled once for each side.

use core::fmt;
use core::ops::{Index, IndexMut, Not};

use super::enums::index_enum;

index_enum! {
    /// The colour of a side.
    pub enum Color {
        /// The side that moves first.
        White,
        /// The side that moves second.
        Black,
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl Color {
    /// The letter FEN uses: `w` or `b`.
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

/// A side known at compile time: the move generator is compiled once for each colour.
pub trait Side {
    /// The side as a value.
    const COLOR: Color;
    /// The opponent.
    type Them: Side<Them = Self>;
}

/// White as a type.
#[derive(Clone, Copy, Debug)]
pub enum White {}

/// Black as a type.
#[derive(Clone, Copy, Debug)]
pub enum Black {}

impl Side for White {
    const COLOR: Color = Color::White;
    type Them = Black;
}

impl Side for Black {
    const COLOR: Color = Color::Black;
    type Them = White;
}

/// One value for each colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ByColor<T>(pub [T; Color::COUNT]);

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    #[inline]
    fn index(&self, color: Color) -> &T {
        &self.0[color.index()]
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    #[inline]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color.index()]
    }
}
