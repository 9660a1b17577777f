//! What is summed up.

use super::super::arch::HIDDEN;

/// The first layer of one perspective, on a line of the cache of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct HiddenVector(pub [i16; HIDDEN]);

impl HiddenVector {
    /// All zero.
    pub const ZERO: Self = Self([0; HIDDEN]);
}

impl Default for HiddenVector {
    fn default() -> Self {
        Self::ZERO
    }
}

/// The greatest weight of an output, in either direction: times [`QA`](super::super::arch::QA) it fits in 16 bits.
pub const WEIGHT_MAX: i16 = 127;
