//! CPUs of ARM64, which all have NEON.

use std::arch::aarch64::{
    int16x8_t, vaddlvq_s32, vdupq_n_s16, vdupq_n_s32, vget_high_s16, vget_low_s16, vld1q_s16, vmaxq_s16,
    vminq_s16, vmlal_s16, vmulq_s16,
};

use super::super::arch::{HIDDEN, QA};
use super::scalar;
use super::vector::HiddenVector;

const WIDTH: usize = size_of::<int16x8_t>() / size_of::<i16>();
/// Products that one sum of 32 bits takes; with [`super::WEIGHT_MAX`] so many fit.
const _: () = assert!(HIDDEN.is_multiple_of(WIDTH) && 2 * HIDDEN / WIDTH <= 256);

/// See [`super::Instructions::screlu_dot`].
///
/// # Safety
///
/// The CPU must have NEON, as all of this architecture do.
#[target_feature(enable = "neon")]
pub unsafe fn screlu_dot(numbers: &HiddenVector, weights: &HiddenVector) -> i64 {
    let (zero, one) = (vdupq_n_s16(0), vdupq_n_s16(QA as i16));
    let (mut low, mut high) = (vdupq_n_s32(0), vdupq_n_s32(0));
    for at in (0..HIDDEN).step_by(WIDTH) {
        // SAFETY: `at` is a multiple of the width within the vector.
        let (number, weight) =
            unsafe { (vld1q_s16(numbers.0.as_ptr().add(at)), vld1q_s16(weights.0.as_ptr().add(at))) };
        let clipped = vminq_s16(vmaxq_s16(number, zero), one);
        let product = vmulq_s16(clipped, weight);
        low = vmlal_s16(low, vget_low_s16(clipped), vget_low_s16(product));
        high = vmlal_s16(high, vget_high_s16(clipped), vget_high_s16(product));
    }
    vaddlvq_s32(low) + vaddlvq_s32(high)
}

/// See [`super::Instructions::change`].
///
/// # Safety
///
/// The CPU must have NEON, as all of this architecture do.
#[target_feature(enable = "neon")]
pub unsafe fn change(
    to: &mut HiddenVector,
    from: &HiddenVector,
    added: &[&HiddenVector],
    removed: &[&HiddenVector],
) {
    scalar::change(to, from, added, removed);
}
