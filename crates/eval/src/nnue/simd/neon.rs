//! ARM64 with NEON, which every CPU of that architecture has.

use std::arch::aarch64::{
    int16x8_t, vaddlvq_s32, vdupq_n_s16, vdupq_n_s32, vget_high_s16, vget_low_s16, vld1q_s16, vmaxq_s16,
    vminq_s16, vmlal_s16, vmulq_s16,
};

use super::super::activation::Activation;
use super::aligned::{AlignedBytes, AlignedRow, BlockTile, HiddenRow, PairTile};
use super::scalar::{self, SCRELU_PRODUCTS_MAX};

/// Numbers of a register.
const LANES: usize = size_of::<int16x8_t>() / size_of::<i16>();
/// Numbers whose products fit in the 32-bit sums of two registers: each of the sums takes one from every register.
const PART: usize = LANES * SCRELU_PRODUCTS_MAX;

/// See [`super::Instructions::screlu_dot`].
///
/// # Safety
///
/// The CPU must have NEON.
#[target_feature(enable = "neon")]
pub(super) unsafe fn screlu_dot<const N: usize>(
    numbers: &AlignedRow<N>,
    weights: &AlignedRow<N>,
    one: i16,
) -> i64 {
    const { assert!(N.is_multiple_of(LANES), "a row is a whole number of registers") };
    let (zero, one) = (vdupq_n_s16(0), vdupq_n_s16(one));
    let mut total = 0;
    for start in (0..N).step_by(PART) {
        let (mut low, mut high) = (vdupq_n_s32(0), vdupq_n_s32(0));
        for at in (start..N.min(start + PART)).step_by(LANES) {
            // SAFETY: `at` is a multiple of the lanes within the row.
            let (number, weight) =
                unsafe { (vld1q_s16(numbers.0.as_ptr().add(at)), vld1q_s16(weights.0.as_ptr().add(at))) };
            let clipped = vminq_s16(vmaxq_s16(number, zero), one);
            let product = vmulq_s16(clipped, weight);
            low = vmlal_s16(low, vget_low_s16(clipped), vget_low_s16(product));
            high = vmlal_s16(high, vget_high_s16(clipped), vget_high_s16(product));
        }
        total += vaddlvq_s32(low) + vaddlvq_s32(high);
    }
    total
}

/// See [`super::Instructions::update`].
///
/// # Safety
///
/// The CPU must have NEON.
#[target_feature(enable = "neon")]
pub(super) unsafe fn update<const N: usize>(
    to: &mut AlignedRow<N>,
    from: &AlignedRow<N>,
    added: &[&AlignedRow<N>],
    removed: &[&AlignedRow<N>],
) {
    scalar::update(to, from, added, removed);
}

scalar::plain_layers!("neon");
scalar::plain_loops!("neon");
