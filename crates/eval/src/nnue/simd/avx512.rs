//! CPUs with AVX-512 and its instructions for networks.

use std::arch::x86_64::{
    _mm512_add_epi32, _mm512_dpbusd_epi32, _mm512_load_si512, _mm512_set1_epi32, _mm512_setzero_si512,
    _mm512_storeu_si512,
};

use super::super::arch::SECOND;
use super::super::stack::Stack;
use super::lane::{Lane, Products};
use super::scalar;

/// See [`super::Instructions::judge`].
///
/// # Safety
///
/// The CPU must have AVX-512 with byte and word and with network instructions.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub unsafe fn judge(own: &Lane, theirs: &Lane, stack: &Stack) -> f32 {
    /// Sums side by side: each waits for its last product.
    const SUMS: usize = 4;
    let products = Products([scalar::multiply(own), scalar::multiply(theirs)]);
    let mut sums = [_mm512_setzero_si512(); SUMS];
    let all = products.0.as_flattened().chunks_exact(4 * SUMS);
    for (products, groups) in all.zip(stack.second.chunks_exact(SUMS)) {
        for ((sum, four), group) in sums.iter_mut().zip(products.chunks_exact(4)).zip(groups) {
            let four = _mm512_set1_epi32(i32::from_le_bytes([four[0], four[1], four[2], four[3]]));
            // SAFETY: a group is one register wide, and aligned.
            let weights = unsafe { _mm512_load_si512((&raw const group.0).cast()) };
            *sum = _mm512_dpbusd_epi32(*sum, four, weights);
        }
    }
    let sum = _mm512_add_epi32(_mm512_add_epi32(sums[0], sums[1]), _mm512_add_epi32(sums[2], sums[3]));
    let mut parts = [0_i32; SECOND];
    // SAFETY: the parts have the size of a register.
    unsafe { _mm512_storeu_si512(parts.as_mut_ptr().cast(), sum) };
    stack.above(&parts)
}

/// See [`super::Instructions::change`].
///
/// # Safety
///
/// The CPU must have AVX-512 with byte and word and with network instructions.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub unsafe fn change(to: &mut Lane, from: &Lane, added: &[&Lane], removed: &[&Lane]) {
    scalar::change(to, from, added, removed);
}
