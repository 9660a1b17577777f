//! Pairs of values, one for the middlegame and one for the endgame, that are added at the price of one.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A value for the middlegame and a value for the endgame in one word.
///
/// The endgame sits in the upper half. A negative middlegame borrows one from it, which [`Self::endgame`] gives back;
/// so sums, differences and multiples of the word are those of both halves, as long as each half fits 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Tapered(i32);

const HALF_BITS: u32 = i16::BITS;

impl Tapered {
    /// Nothing in either phase.
    pub const ZERO: Self = Self(0);

    /// A pair.
    #[inline]
    pub const fn new(midgame: i32, endgame: i32) -> Self {
        Self((endgame << HALF_BITS).wrapping_add(midgame))
    }

    /// The value in the middlegame.
    #[inline]
    pub const fn midgame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value in the endgame.
    #[inline]
    pub const fn endgame(self) -> i32 {
        // The half added rounds the borrow of a negative middlegame away.
        self.0.wrapping_add(1 << (HALF_BITS - 1)) >> HALF_BITS
    }

    /// The sum, for use where operators of traits cannot be called.
    #[inline]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    /// The negative, for use where operators of traits cannot be called.
    #[inline]
    pub const fn negated(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Add for Tapered {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl Sub for Tapered {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Tapered {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        self.negated()
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;

    #[inline]
    fn mul(self, count: i32) -> Self {
        Self(self.0.wrapping_mul(count))
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl fmt::Debug for Tapered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.midgame(), self.endgame())
    }
}
