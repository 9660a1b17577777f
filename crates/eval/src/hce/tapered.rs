//! Tapered values: a middlegame and an endgame value packed in one integer.
//!
//! It knows arithmetic alone.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame value and an endgame value in 32 bits.
///
/// The endgame value is in the upper half. A negative middlegame value borrows one from it, which [`Self::endgame`]
/// returns. So sums, differences and multiples are those of both halves, as long as each fits in 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Tapered(i32);

const HALF_BITS: u32 = i16::BITS;

impl Tapered {
    /// Zero in both phases.
    pub const ZERO: Self = Self(0);

    /// A middlegame and an endgame value.
    #[inline]
    pub const fn new(midgame: i32, endgame: i32) -> Self {
        Self((endgame << HALF_BITS).wrapping_add(midgame))
    }

    /// The middlegame value.
    #[inline]
    pub const fn midgame(self) -> i32 {
        self.0 as i16 as i32
    }

    // ANCHOR: endgame
    /// The endgame value.
    #[inline]
    pub const fn endgame(self) -> i32 {
        // Adding half rounds away the borrow of a negative middlegame value.
        self.0.wrapping_add(1 << (HALF_BITS - 1)) >> HALF_BITS
    }
    // ANCHOR_END: endgame

    /// The sum, in constant expressions.
    #[inline]
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    /// The negative, in constant expressions.
    #[inline]
    pub(crate) const fn negated(self) -> Self {
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
