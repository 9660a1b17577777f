//! Aligned storage for rows of weights and activations.

/// The 16-bit numbers of a row, beginning on a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct AlignedRow<const WIDTH: usize>(pub [i16; WIDTH]);

/// Bytes, signed or not, beginning on a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct AlignedBytes<T, const WIDTH: usize>(pub [T; WIDTH]);
