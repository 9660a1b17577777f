//! x86-64 with AVX2.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16,
    _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_storeu_si256,
};

use super::super::activation::Activation;
use super::aligned::{AlignedBytes, AlignedRow};
use super::scalar::{self, SCRELU_PRODUCTS_MAX};

/// Numbers of a register.
const LANES: usize = size_of::<__m256i>() / size_of::<i16>();
/// Numbers whose products fit in the 32-bit sums of a register: each of the sums takes two from every register.
const PART: usize = LANES * SCRELU_PRODUCTS_MAX / 2;

/// See [`super::Instructions::screlu_dot`].
///
/// # Safety
///
/// The CPU must have AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn screlu_dot<const N: usize>(
    numbers: &AlignedRow<N>,
    weights: &AlignedRow<N>,
    one: i16,
) -> i64 {
    const { assert!(N.is_multiple_of(LANES), "a row is a whole number of registers") };
    let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(one));
    let mut total = 0;
    for start in (0..N).step_by(PART) {
        let mut sum = zero;
        for at in (start..N.min(start + PART)).step_by(LANES) {
            // SAFETY: a row is aligned to 64 bytes, and `at` is a multiple of the lanes within it.
            let (number, weight) = unsafe {
                (
                    _mm256_load_si256(numbers.0.as_ptr().add(at).cast()),
                    _mm256_load_si256(weights.0.as_ptr().add(at).cast()),
                )
            };
            let clipped = _mm256_min_epi16(_mm256_max_epi16(number, zero), one);
            sum = _mm256_add_epi32(sum, _mm256_madd_epi16(clipped, _mm256_mullo_epi16(clipped, weight)));
        }
        let mut parts = [0_i32; LANES / 2];
        // SAFETY: the parts have the size of a register.
        unsafe { _mm256_storeu_si256(parts.as_mut_ptr().cast(), sum) };
        total += parts.into_iter().map(i64::from).sum::<i64>();
    }
    total
}

scalar::plain_update!("avx2");
scalar::plain_loops!("avx2");
