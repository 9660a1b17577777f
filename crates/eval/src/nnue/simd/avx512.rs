//! x86-64 with AVX-512 (BW) and its vector neural network instructions (VNNI).

use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_dpwssd_epi32, _mm512_load_si512, _mm512_max_epi16, _mm512_min_epi16,
    _mm512_mullo_epi16, _mm512_set1_epi16, _mm512_setzero_si512, _mm512_store_si512, _mm512_storeu_si512,
    _mm512_sub_epi16,
};

use super::super::activation::Activation;
use super::aligned::{AlignedBytes, AlignedRow};
use super::scalar::{self, SCRELU_PRODUCTS_MAX};

/// Numbers of a register.
const LANES: usize = size_of::<__m512i>() / size_of::<i16>();
/// Numbers whose products fit in the 32-bit sums of a register: each of the sums takes two from every register.
const PART: usize = LANES * SCRELU_PRODUCTS_MAX / 2;

/// See [`super::Instructions::screlu_dot`].
///
/// # Safety
///
/// The CPU must have AVX-512 BW and VNNI.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) unsafe fn screlu_dot<const N: usize>(
    numbers: &AlignedRow<N>,
    weights: &AlignedRow<N>,
    one: i16,
) -> i64 {
    const { assert!(N.is_multiple_of(LANES), "a row is a whole number of registers") };
    let (zero, one) = (_mm512_setzero_si512(), _mm512_set1_epi16(one));
    let mut total = 0;
    for start in (0..N).step_by(PART) {
        let mut sum = zero;
        for at in (start..N.min(start + PART)).step_by(LANES) {
            // SAFETY: a row is aligned to 64 bytes, and `at` is a multiple of the lanes within it.
            let (number, weight) = unsafe {
                (
                    _mm512_load_si512(numbers.0.as_ptr().add(at).cast()),
                    _mm512_load_si512(weights.0.as_ptr().add(at).cast()),
                )
            };
            let clipped = _mm512_min_epi16(_mm512_max_epi16(number, zero), one);
            sum = _mm512_dpwssd_epi32(sum, clipped, _mm512_mullo_epi16(clipped, weight));
        }
        let mut parts = [0_i32; LANES / 2];
        // SAFETY: the parts have the size of a register.
        unsafe { _mm512_storeu_si512(parts.as_mut_ptr().cast(), sum) };
        total += parts.into_iter().map(i64::from).sum::<i64>();
    }
    total
}

/// See [`super::Instructions::update`]. Written out for quiet moves and captures: compilers prefer registers of 256 bits.
///
/// # Safety
///
/// The CPU must have AVX-512 BW and VNNI.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) unsafe fn update<const N: usize>(
    to: &mut AlignedRow<N>,
    from: &AlignedRow<N>,
    added: &[&AlignedRow<N>],
    removed: &[&AlignedRow<N>],
) {
    match (added, removed) {
        (&[placed], &[removed]) => move_piece(to, from, placed, [removed]),
        (&[placed], &[removed, taken]) => move_piece(to, from, placed, [removed, taken]),
        _ => scalar::update(to, from, added, removed),
    }
}

/// Sets `to` to `from` with a row added and some subtracted.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn move_piece<const N: usize, const REMOVED: usize>(
    to: &mut AlignedRow<N>,
    from: &AlignedRow<N>,
    placed: &AlignedRow<N>,
    removed: [&AlignedRow<N>; REMOVED],
) {
    const { assert!(N.is_multiple_of(LANES), "a row is a whole number of registers") };
    for at in (0..N).step_by(LANES) {
        // SAFETY: a row is aligned to 64 bytes, and `at` is a multiple of the lanes within it.
        let part = |row: &AlignedRow<N>| unsafe { _mm512_load_si512(row.0.as_ptr().add(at).cast()) };
        let sum = _mm512_add_epi16(part(from), part(placed));
        let sum = removed.iter().fold(sum, |sum, row| _mm512_sub_epi16(sum, part(row)));
        // SAFETY: as above.
        unsafe { _mm512_store_si512(to.0.as_mut_ptr().add(at).cast(), sum) };
    }
}

scalar::plain_loops!("avx512f,avx512bw,avx512vnni");
