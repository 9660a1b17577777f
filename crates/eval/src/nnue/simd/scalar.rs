//! Plain loops for any CPU. The other families compile the same loops for their registers where that is as fast as
//! intrinsics.

use super::super::activation::{Activation, pairwise_product};
use super::aligned::{AlignedBytes, AlignedRow, BLOCK, BlockTile, GROUP, HiddenRow, PAIR, PairTile};

/// The greatest magnitude of a weight in the SCReLU dot product: times 255 it fits in 16 bits.
pub const SCRELU_WEIGHT_MAX: i16 = 127;
/// The greatest value of 1 in the SCReLU dot product.
pub(super) const SCRELU_ONE_MAX: i16 = 255;
/// So many products of the SCReLU dot product fit in one 32-bit sum.
pub(super) const SCRELU_PRODUCTS_MAX: usize = 256;

const _: () = {
    let product = SCRELU_ONE_MAX as i64 * SCRELU_ONE_MAX as i64 * SCRELU_WEIGHT_MAX as i64;
    assert!(product * SCRELU_PRODUCTS_MAX as i64 <= i32::MAX as i64);
    assert!(SCRELU_ONE_MAX as i64 * SCRELU_WEIGHT_MAX as i64 <= i16::MAX as i64);
};

/// See [`super::Instructions::screlu_dot`].
#[inline]
pub(super) fn screlu_dot<const N: usize>(numbers: &AlignedRow<N>, weights: &AlignedRow<N>, one: i16) -> i64 {
    const PART: usize = 64;
    let parts = numbers.0.chunks(PART).zip(weights.0.chunks(PART));
    let part = |(numbers, weights): (&[i16], &[i16])| {
        let term = |(&number, &weight): (&i16, &i16)| {
            let clipped = i32::from(number).clamp(0, i32::from(one));
            clipped * clipped * i32::from(weight)
        };
        i64::from(numbers.iter().zip(weights).map(term).sum::<i32>())
    };
    parts.map(part).sum()
}

/// See [`super::Instructions::update`].
#[inline(always)]
pub(super) fn update<const N: usize>(
    to: &mut AlignedRow<N>,
    from: &AlignedRow<N>,
    added: &[&AlignedRow<N>],
    removed: &[&AlignedRow<N>],
) {
    // The numbers of rows of quiet moves, captures and castling are constants in their loops, also where a family is compiled
    // for more than the program is, so that its kernels cannot be inlined.
    match (added, removed) {
        (&[placed], &[removed]) => update_rows(to, from, &[placed], &[removed]),
        (&[placed], &[removed, taken]) => update_rows(to, from, &[placed], &[removed, taken]),
        (&[king, rook], &[from_king, from_rook]) => {
            update_rows(to, from, &[king, rook], &[from_king, from_rook]);
        }
        _ => update_rows(to, from, added, removed),
    }
}

#[inline(always)]
fn update_rows<const N: usize>(
    to: &mut AlignedRow<N>,
    from: &AlignedRow<N>,
    added: &[&AlignedRow<N>],
    removed: &[&AlignedRow<N>],
) {
    if const { N.is_multiple_of(WIDE_TILE) } {
        update_in_tiles::<N, WIDE_TILE>(to, from, added, removed);
    } else {
        update_in_tiles::<N, NARROW_TILE>(to, from, added, removed);
    }
}

/// So many numbers stay in registers while all rows pass.
const WIDE_TILE: usize = 128;
/// The tile of rows that the wide one does not divide.
const NARROW_TILE: usize = 32;

#[inline(always)]
fn update_in_tiles<const N: usize, const TILE: usize>(
    to: &mut AlignedRow<N>,
    from: &AlignedRow<N>,
    added: &[&AlignedRow<N>],
    removed: &[&AlignedRow<N>],
) {
    const { assert!(N.is_multiple_of(NARROW_TILE), "the width of a row is a multiple of 32") };
    for start in (0..N).step_by(TILE) {
        let tile = |row: &AlignedRow<N>| -> [i16; TILE] {
            row.0[start..start + TILE].try_into().expect("the part is as long as a tile")
        };
        let mut sums = tile(from);
        for row in added {
            sums.iter_mut().zip(tile(row)).for_each(|(sum, weight)| *sum = sum.wrapping_add(weight));
        }
        for row in removed {
            sums.iter_mut().zip(tile(row)).for_each(|(sum, weight)| *sum = sum.wrapping_sub(weight));
        }
        to.0[start..start + TILE].copy_from_slice(&sums);
    }
}

// ANCHOR: pairwise_layer
/// See [`super::Instructions::pairwise_layer`].
#[inline(always)]
pub(super) fn pairwise_layer<const N: usize>(
    rows: [&AlignedRow<N>; 2],
    weights: &[BlockTile],
    bias: &[i32],
    sums: &mut [i32],
) {
    let mut products = AlignedBytes([0; N]);
    for (row, products) in rows.into_iter().zip(products.0.chunks_exact_mut(N / 2)) {
        let (first, second) = row.0.split_at(N / 2);
        for (product, (&first, &second)) in products.iter_mut().zip(first.iter().zip(second)) {
            *product = pairwise_product(first, second);
        }
    }
    sums[..bias.len()].copy_from_slice(bias);
    for (sums, tiles) in sums.chunks_exact_mut(GROUP).zip(weights.chunks_exact(N / BLOCK)) {
        for (block, tile) in products.0.chunks_exact(BLOCK).zip(tiles) {
            if block.iter().all(|&product| product == 0) {
                continue;
            }
            for (sum, weights) in sums.iter_mut().zip(tile.0.chunks_exact(BLOCK)) {
                let products = block.iter().zip(weights);
                *sum +=
                    products.map(|(&product, &weight)| i32::from(product) * i32::from(weight)).sum::<i32>();
            }
        }
    }
}
// ANCHOR_END: pairwise_layer

/// See [`super::Instructions::activate`].
#[inline(always)]
pub(super) fn activate(activation: Activation, shift: u32, sums: &[i32], to: &mut HiddenRow) {
    // Groups have a fixed size, so that the loops over them need no rest.
    for (sums, to) in sums.as_chunks::<GROUP>().0.iter().zip(to.0.as_chunks_mut::<GROUP>().0) {
        activation.apply(sums, shift, to);
    }
}

/// See [`super::Instructions::dense_layer`].
#[inline(always)]
pub(super) fn dense_layer(numbers: &HiddenRow, weights: &[PairTile], bias: &[i32], sums: &mut [i32]) {
    let pairs = weights.len() / (bias.len() / GROUP);
    sums[..bias.len()].copy_from_slice(bias);
    for (sums, tiles) in sums.chunks_exact_mut(GROUP).zip(weights.chunks_exact(pairs)) {
        for (pair, tile) in numbers.0.chunks_exact(PAIR).zip(tiles) {
            for (sum, weights) in sums.iter_mut().zip(tile.0.chunks_exact(PAIR)) {
                let product = |at: usize| i32::from(pair[at]) * i32::from(weights[at]);
                *sum += product(0) + product(1);
            }
        }
    }
}

/// See [`super::Instructions::hidden_dot`].
#[inline(always)]
pub(super) fn hidden_dot(numbers: &HiddenRow, weights: &HiddenRow) -> i32 {
    let products = numbers.0.iter().zip(&weights.0);
    products.map(|(&number, &weight)| i32::from(number) * i32::from(weight)).sum()
}

/// See [`super::Instructions::square_to_bytes`].
#[inline(always)]
pub(super) fn square_to_bytes<const N: usize>(
    numbers: &AlignedRow<N>,
    one: i16,
    shift: u32,
    to: &mut AlignedBytes<u8, N>,
) {
    for (to, &number) in to.0.iter_mut().zip(&numbers.0) {
        let clipped = number.clamp(0, one);
        *to = ((clipped * clipped) >> shift) as u8;
    }
}

/// See [`super::Instructions::dot_bytes`].
#[inline(always)]
pub(super) fn dot_bytes<const N: usize>(numbers: &AlignedBytes<u8, N>, weights: &AlignedBytes<i8, N>) -> i32 {
    let products = numbers.0.iter().zip(&weights.0);
    products.map(|(&number, &weight)| i32::from(number) * i32::from(weight)).sum()
}

/// Compiles the plain loops that need no written-out vector code for a family of instructions.
macro_rules! plain_loops {
    ($features:literal) => {
        /// See [`super::Instructions::square_to_bytes`].
        ///
        /// # Safety
        ///
        /// The CPU must have the instructions of this file.
        #[target_feature(enable = $features)]
        pub(super) unsafe fn square_to_bytes<const N: usize>(
            numbers: &AlignedRow<N>,
            one: i16,
            shift: u32,
            to: &mut AlignedBytes<u8, N>,
        ) {
            scalar::square_to_bytes(numbers, one, shift, to);
        }

        /// See [`super::Instructions::activate`].
        ///
        /// # Safety
        ///
        /// The CPU must have the instructions of this file.
        #[target_feature(enable = $features)]
        pub(super) unsafe fn activate(activation: Activation, shift: u32, sums: &[i32], to: &mut HiddenRow) {
            scalar::activate(activation, shift, sums, to);
        }

        /// See [`super::Instructions::hidden_dot`].
        ///
        /// # Safety
        ///
        /// The CPU must have the instructions of this file.
        #[target_feature(enable = $features)]
        pub(super) unsafe fn hidden_dot(numbers: &HiddenRow, weights: &HiddenRow) -> i32 {
            scalar::hidden_dot(numbers, weights)
        }
    };
}

/// Compiles the other plain loops of dense layers and of [`dot_bytes`] for a family of instructions.
#[cfg(target_arch = "aarch64")]
macro_rules! plain_layers {
    ($features:literal) => {
        /// See [`super::Instructions::dot_bytes`].
        ///
        /// # Safety
        ///
        /// The CPU must have the instructions of this file.
        #[target_feature(enable = $features)]
        pub(super) unsafe fn dot_bytes<const N: usize>(
            numbers: &AlignedBytes<u8, N>,
            weights: &AlignedBytes<i8, N>,
        ) -> i32 {
            scalar::dot_bytes(numbers, weights)
        }

        /// See [`super::Instructions::pairwise_layer`].
        ///
        /// # Safety
        ///
        /// The CPU must have the instructions of this file.
        #[target_feature(enable = $features)]
        pub(super) unsafe fn pairwise_layer<const N: usize>(
            rows: [&AlignedRow<N>; 2],
            weights: &[BlockTile],
            bias: &[i32],
            sums: &mut [i32],
        ) {
            scalar::pairwise_layer(rows, weights, bias, sums);
        }

        /// See [`super::Instructions::dense_layer`].
        ///
        /// # Safety
        ///
        /// The CPU must have the instructions of this file.
        #[target_feature(enable = $features)]
        pub(super) unsafe fn dense_layer(
            numbers: &HiddenRow,
            weights: &[PairTile],
            bias: &[i32],
            sums: &mut [i32],
        ) {
            scalar::dense_layer(numbers, weights, bias, sums);
        }
    };
}

#[cfg(target_arch = "aarch64")]
pub(super) use plain_layers;
pub(super) use plain_loops;
