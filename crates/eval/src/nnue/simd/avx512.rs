//! x86-64 with AVX-512 (BW) and its vector neural network instructions (VNNI).

use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_dpbusd_epi32, _mm512_dpwssd_epi32, _mm512_load_si512,
    _mm512_loadu_si512, _mm512_maskz_compress_epi32, _mm512_max_epi16, _mm512_min_epi16, _mm512_mulhrs_epi16,
    _mm512_mullo_epi16, _mm512_packus_epi16, _mm512_permutexvar_epi64, _mm512_reduce_add_epi32,
    _mm512_set1_epi16, _mm512_set1_epi32, _mm512_setr_epi32, _mm512_setr_epi64, _mm512_setzero_si512,
    _mm512_slli_epi16, _mm512_store_si512, _mm512_storeu_si512, _mm512_sub_epi16, _mm512_test_epi32_mask,
};
use std::mem::MaybeUninit;

use super::super::activation::{Activation, PAIRWISE_ONE};
use super::aligned::{AlignedBytes, AlignedRow, BLOCK, BlockTile, GROUP, HiddenRow, PAIR, PairTile};
use super::scalar::{self, SCRELU_PRODUCTS_MAX};
use super::update::vector_update;

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

vector_update!(
    "avx512f,avx512bw,avx512vnni",
    _mm512_setzero_si512,
    _mm512_load_si512,
    _mm512_store_si512,
    _mm512_add_epi16,
    _mm512_sub_epi16
);

/// See [`super::Instructions::pairwise_layer`].
///
/// # Safety
///
/// The CPU must have AVX-512 BW and VNNI.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) unsafe fn pairwise_layer<const N: usize>(
    rows: [&AlignedRow<N>; 2],
    weights: &[BlockTile],
    bias: &[i32],
    sums: &mut [i32],
) {
    /// Bytes of a register.
    const BYTES: usize = size_of::<__m512i>();
    assert!((N / 2).is_multiple_of(BYTES), "the products of a row are a whole number of registers");
    let (zero, one) = (_mm512_setzero_si512(), _mm512_set1_epi16(PAIRWISE_ONE as i16));
    // Packing takes eight products from each register in turn.
    let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    let mut numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let mut products = MaybeUninit::<AlignedBytes<u8, N>>::uninit();
    let products = products.as_mut_ptr().cast::<u8>();
    // The numbers of the blocks that are not zero.
    let mut blocks = [const { MaybeUninit::<i32>::uninit() }; N];
    let mut count = 0;
    for (row, start) in rows.into_iter().zip([0, N / 2]) {
        let product = |at: usize| {
            // SAFETY: a row is aligned to 64 bytes, and `at` is a multiple of the lanes within its first half.
            let (first, second) = unsafe {
                (
                    _mm512_load_si512(row.0.as_ptr().add(at).cast()),
                    _mm512_load_si512(row.0.as_ptr().add(at + N / 2).cast()),
                )
            };
            // A negative second factor gives a product that packing clips. The product of 16-bit numbers is shifted down by
            // 15 bits and rounded, with a shift by 6 before it by 9.
            let first = _mm512_slli_epi16::<6>(_mm512_min_epi16(_mm512_max_epi16(first, zero), one));
            _mm512_mulhrs_epi16(first, _mm512_min_epi16(second, one))
        };
        for at in (0..N / 2).step_by(BYTES) {
            let packed = _mm512_packus_epi16(product(at), product(at + LANES));
            let packed = _mm512_permutexvar_epi64(order, packed);
            let mask = _mm512_test_epi32_mask(packed, packed);
            // SAFETY: `start + at` is a multiple of 64 within the products, which are aligned to 64 bytes. `count` is at most
            // the number of blocks before this register, and a register of numbers has room behind it.
            unsafe {
                _mm512_store_si512(products.add(start + at).cast(), packed);
                _mm512_storeu_si512(
                    blocks.as_mut_ptr().add(count).cast(),
                    _mm512_maskz_compress_epi32(mask, numbers),
                );
            }
            count += mask.count_ones() as usize;
            numbers = _mm512_add_epi32(numbers, _mm512_set1_epi32((BYTES / BLOCK) as i32));
        }
    }
    // SAFETY: so many numbers were written.
    let blocks = unsafe { std::slice::from_raw_parts(blocks.as_ptr().cast::<u32>(), count) };
    let groups = sums.chunks_exact_mut(GROUP).zip(bias.chunks_exact(GROUP));
    for ((sums, bias), tiles) in groups.zip(weights.chunks_exact(N / BLOCK)) {
        let step = |sum: __m512i, block: u32| {
            let block = block as usize;
            // SAFETY: all products were written, there are as many tiles as blocks of them, and a tile is aligned to 64 bytes.
            unsafe {
                let products = products.cast::<i32>().add(block).read();
                let tile = _mm512_load_si512(tiles.as_ptr().add(block).cast());
                _mm512_dpbusd_epi32(sum, _mm512_set1_epi32(products), tile)
            }
        };
        // Four sums, so that an addition need not wait for the one before.
        let (fours, rest) = blocks.as_chunks::<4>();
        let mut parts = [zero; 4];
        for four in fours {
            for (part, &block) in parts.iter_mut().zip(four) {
                *part = step(*part, block);
            }
        }
        for &block in rest {
            parts[0] = step(parts[0], block);
        }
        let [a, b, c, d] = parts;
        set_sums(sums, bias, _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d)));
    }
}

/// Sets sixteen sums to the bias plus a register.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn set_sums(sums: &mut [i32], bias: &[i32], register: __m512i) {
    assert!(sums.len() == GROUP && bias.len() == GROUP);
    // SAFETY: sums and bias have the size of a register.
    unsafe {
        let bias = _mm512_loadu_si512(bias.as_ptr().cast());
        _mm512_storeu_si512(sums.as_mut_ptr().cast(), _mm512_add_epi32(bias, register));
    }
}

/// See [`super::Instructions::dense_layer`].
///
/// # Safety
///
/// The CPU must have AVX-512 BW and VNNI.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) unsafe fn dense_layer(numbers: &HiddenRow, weights: &[PairTile], bias: &[i32], sums: &mut [i32]) {
    let groups = bias.len() / GROUP;
    let pairs = weights.len() / groups;
    if groups.is_multiple_of(2) {
        dense_groups::<2>(numbers, weights, pairs, bias, sums);
    } else {
        dense_groups::<1>(numbers, weights, pairs, bias, sums);
    }
}

/// The dense layer for so many groups at a time.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn dense_groups<const GROUPS: usize>(
    numbers: &HiddenRow,
    weights: &[PairTile],
    pairs: usize,
    bias: &[i32],
    sums: &mut [i32],
) {
    let (numbers, _) = numbers.0.as_chunks::<PAIR>();
    let groups = sums.chunks_exact_mut(GROUPS * GROUP).zip(bias.chunks_exact(GROUPS * GROUP));
    for ((sums, bias), tiles) in groups.zip(weights.chunks_exact(GROUPS * pairs)) {
        // Two sums of each group, so that an addition need not wait for the one before.
        let mut parts = [[_mm512_setzero_si512(); 2]; GROUPS];
        for start in (0..pairs).step_by(2) {
            for at in [0, 1] {
                let [first, second] = numbers[start + at];
                let pair = _mm512_set1_epi32(i32::from(first) & 0xffff | i32::from(second) << 16);
                for (group, parts) in parts.iter_mut().enumerate() {
                    let tile = &tiles[group * pairs + start + at];
                    // SAFETY: a tile is aligned to 64 bytes and has the size of a register.
                    let tile = unsafe { _mm512_load_si512(tile.0.as_ptr().cast()) };
                    parts[at] = _mm512_dpwssd_epi32(parts[at], pair, tile);
                }
            }
        }
        let groups = sums.chunks_exact_mut(GROUP).zip(bias.chunks_exact(GROUP));
        for ((sums, bias), parts) in groups.zip(parts) {
            set_sums(sums, bias, _mm512_add_epi32(parts[0], parts[1]));
        }
    }
}

scalar::plain_loops!("avx512f,avx512bw,avx512vnni");

/// See [`super::Instructions::dot_bytes`].
///
/// # Safety
///
/// The CPU must have AVX-512 BW and VNNI.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) unsafe fn dot_bytes<const N: usize>(
    numbers: &AlignedBytes<u8, N>,
    weights: &AlignedBytes<i8, N>,
) -> i32 {
    /// Numbers of two registers.
    const STEP: usize = 2 * size_of::<__m512i>();
    const { assert!(N.is_multiple_of(STEP), "a row is a whole number of pairs of registers") };
    // Two sums, so that an addition need not wait for the one before.
    let mut sums = [_mm512_setzero_si512(); 2];
    for at in (0..N).step_by(STEP) {
        for (half, sum) in sums.iter_mut().enumerate() {
            let at = at + half * STEP / 2;
            // SAFETY: both are aligned to 64 bytes, and `at` is a multiple of the size of a register within them.
            let (number, weight) = unsafe {
                (
                    _mm512_load_si512(numbers.0.as_ptr().add(at).cast()),
                    _mm512_load_si512(weights.0.as_ptr().add(at).cast()),
                )
            };
            *sum = _mm512_dpbusd_epi32(*sum, number, weight);
        }
    }
    _mm512_reduce_add_epi32(_mm512_add_epi32(sums[0], sums[1]))
}
