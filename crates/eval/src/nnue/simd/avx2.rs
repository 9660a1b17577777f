//! CPUs with AVX2.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_load_si256, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_set1_epi16,
    _mm256_set1_epi32, _mm256_setzero_si256, _mm256_storeu_si256,
};

use super::super::arch::SECOND;
use super::super::stack::Stack;
use super::lane::{Lane, Products};
use super::scalar;

/// See [`super::Instructions::judge`].
///
/// # Safety
///
/// The CPU must have AVX2.
#[target_feature(enable = "avx2")]
pub unsafe fn judge(own: &Lane, theirs: &Lane, stack: &Stack) -> f32 {
    let products = Products([scalar::multiply(own), scalar::multiply(theirs)]);
    let ones = _mm256_set1_epi16(1);
    let mut sums = [_mm256_setzero_si256(); 4];
    let all = products.0.as_flattened().chunks_exact(4);
    for (at, (four, group)) in all.zip(&stack.second).enumerate() {
        let four = _mm256_set1_epi32(i32::from_le_bytes([four[0], four[1], four[2], four[3]]));
        let weights = (&raw const group.0).cast::<__m256i>();
        for half in 0..2 {
            // SAFETY: a group is two registers wide, and aligned.
            let weights = unsafe { _mm256_load_si256(weights.add(half)) };
            // Two products of seven and eight bits fit in sixteen.
            let pairs = _mm256_madd_epi16(_mm256_maddubs_epi16(four, weights), ones);
            let sum = &mut sums[2 * (at % 2) + half];
            *sum = _mm256_add_epi32(*sum, pairs);
        }
    }
    let mut parts = [0_i32; SECOND];
    for half in 0..2 {
        let sum = _mm256_add_epi32(sums[half], sums[2 + half]);
        // SAFETY: a register is a half of the parts.
        unsafe { _mm256_storeu_si256(parts.as_mut_ptr().add(half * SECOND / 2).cast(), sum) };
    }
    stack.above(&parts)
}

/// See [`super::Instructions::change`].
///
/// # Safety
///
/// The CPU must have AVX2.
#[target_feature(enable = "avx2")]
pub unsafe fn change(to: &mut Lane, from: &Lane, added: &[&Lane], removed: &[&Lane]) {
    scalar::change(to, from, added, removed);
}
