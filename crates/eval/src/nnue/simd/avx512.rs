//! CPUs with AVX-512 and its instructions for networks.

use std::arch::x86_64::{
    __m512i, _mm512_dpwssd_epi32, _mm512_load_si512, _mm512_max_epi16, _mm512_min_epi16, _mm512_mullo_epi16,
    _mm512_set1_epi16, _mm512_setzero_si512, _mm512_storeu_si512,
};

use super::super::arch::{HIDDEN, QA};
use super::scalar;
use super::vector::HiddenVector;

const WIDTH: usize = size_of::<__m512i>() / size_of::<i16>();
/// Products that one sum of 32 bits takes; with [`super::WEIGHT_MAX`] so many fit.
const _: () = assert!(HIDDEN.is_multiple_of(WIDTH) && 2 * HIDDEN / WIDTH <= 256);

/// See [`super::Instructions::screlu_dot`].
///
/// # Safety
///
/// The CPU must have AVX-512 with byte and word and with network instructions.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub unsafe fn screlu_dot(numbers: &HiddenVector, weights: &HiddenVector) -> i64 {
    let (zero, one) = (_mm512_setzero_si512(), _mm512_set1_epi16(QA as i16));
    let mut sum = zero;
    for at in (0..HIDDEN).step_by(WIDTH) {
        // SAFETY: a vector is aligned to 64 bytes, and `at` is a multiple of the width within it.
        let (number, weight) = unsafe {
            (
                _mm512_load_si512(numbers.0.as_ptr().add(at).cast()),
                _mm512_load_si512(weights.0.as_ptr().add(at).cast()),
            )
        };
        let clipped = _mm512_min_epi16(_mm512_max_epi16(number, zero), one);
        sum = _mm512_dpwssd_epi32(sum, clipped, _mm512_mullo_epi16(clipped, weight));
    }
    let mut parts = [0_i32; WIDTH / 2];
    // SAFETY: the parts have the size of a register.
    unsafe { _mm512_storeu_si512(parts.as_mut_ptr().cast(), sum) };
    parts.into_iter().map(i64::from).sum()
}

/// See [`super::Instructions::change`].
///
/// # Safety
///
/// The CPU must have AVX-512 with byte and word and with network instructions.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub unsafe fn change(
    to: &mut HiddenVector,
    from: &HiddenVector,
    added: &[&HiddenVector],
    removed: &[&HiddenVector],
) {
    scalar::change(to, from, added, removed);
}
