//! Accumulator rows of any width, with the operations that the layers need.
//!
//! It knows the instruction families, not what a row means.

use std::fmt;

use super::aligned::{AlignedRow, BlockTile};
use super::instructions::Instructions;

/// A row of the feature transformer: the accumulator of one perspective, the weights of one feature, or the output
/// weights for one perspective.
///
/// A trait, so that code is written once for networks of every width, with the width known when it is compiled.
pub trait Row: Copy + PartialEq + Eq + fmt::Debug + Send + Sync + 'static {
    /// How many numbers there are.
    const WIDTH: usize;
    /// All zero.
    const ZERO: Self;

    /// The numbers.
    fn numbers(&self) -> &[i16];

    /// The numbers, to be changed.
    fn numbers_mut(&mut self) -> &mut [i16];

    /// Sets this row to `from` with some rows added and some subtracted.
    fn update(&mut self, with: Instructions, from: &Self, added: &[&Self], removed: &[&Self]);

    /// The SCReLU dot product: the sum of the weights times the squares of the numbers, clipped to 0 and `one`.
    fn screlu_dot(&self, with: Instructions, weights: &Self, one: i16) -> i64;

    /// The sums of the first dense layer after pairwise products.
    fn pairwise_layer(
        rows: [&Self; 2],
        with: Instructions,
        weights: &[BlockTile],
        bias: &[i32],
        sums: &mut [i32],
    );
}

impl<const N: usize> Row for AlignedRow<N> {
    const WIDTH: usize = N;
    const ZERO: Self = Self([0; N]);

    #[inline]
    fn numbers(&self) -> &[i16] {
        &self.0
    }

    #[inline]
    fn numbers_mut(&mut self) -> &mut [i16] {
        &mut self.0
    }

    // Inlined into the few callers, so that the loops are compiled for their numbers of rows.
    #[inline(always)]
    fn update(&mut self, with: Instructions, from: &Self, added: &[&Self], removed: &[&Self]) {
        with.update(self, from, added, removed);
    }

    #[inline(always)]
    fn screlu_dot(&self, with: Instructions, weights: &Self, one: i16) -> i64 {
        with.screlu_dot(self, weights, one)
    }

    #[inline(always)]
    fn pairwise_layer(
        rows: [&Self; 2],
        with: Instructions,
        weights: &[BlockTile],
        bias: &[i32],
        sums: &mut [i32],
    ) {
        with.pairwise_layer(rows, weights, bias, sums);
    }
}
