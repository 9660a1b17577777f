//! CPUs with AVX2.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16,
    _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_storeu_si256,
};

use super::super::arch::{HIDDEN, QA};
use super::scalar;
use super::vector::HiddenVector;

const WIDTH: usize = size_of::<__m256i>() / size_of::<i16>();
/// Products that one sum of 32 bits takes; with [`super::WEIGHT_MAX`] so many fit.
const _: () = assert!(HIDDEN.is_multiple_of(WIDTH) && 2 * HIDDEN / WIDTH <= 256);

/// See [`super::Instructions::screlu_dot`].
///
/// # Safety
///
/// The CPU must have AVX2.
#[target_feature(enable = "avx2")]
pub unsafe fn screlu_dot(numbers: &HiddenVector, weights: &HiddenVector) -> i64 {
    let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA as i16));
    let mut sum = zero;
    for at in (0..HIDDEN).step_by(WIDTH) {
        // SAFETY: a vector is aligned to 64 bytes, and `at` is a multiple of the width within it.
        let (number, weight) = unsafe {
            (
                _mm256_load_si256(numbers.0.as_ptr().add(at).cast()),
                _mm256_load_si256(weights.0.as_ptr().add(at).cast()),
            )
        };
        let clipped = _mm256_min_epi16(_mm256_max_epi16(number, zero), one);
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(clipped, _mm256_mullo_epi16(clipped, weight)));
    }
    let mut parts = [0_i32; WIDTH / 2];
    // SAFETY: the parts have the size of a register.
    unsafe { _mm256_storeu_si256(parts.as_mut_ptr().cast(), sum) };
    parts.into_iter().map(i64::from).sum()
}

/// See [`super::Instructions::change`].
///
/// # Safety
///
/// The CPU must have AVX2.
#[target_feature(enable = "avx2")]
pub unsafe fn change(
    to: &mut HiddenVector,
    from: &HiddenVector,
    added: &[&HiddenVector],
    removed: &[&HiddenVector],
) {
    scalar::change(to, from, added, removed);
}
