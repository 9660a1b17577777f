//! x86-64 with AVX2.

use std::arch::x86_64::{
    __m256i, _mm_add_epi16, _mm_load_si128, _mm_set1_epi16, _mm_storeu_si128, _mm256_add_epi16,
    _mm256_add_epi32, _mm256_castsi256_ps, _mm256_cmpeq_epi32, _mm256_load_si256, _mm256_loadu_si256,
    _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_max_epi16, _mm256_min_epi16, _mm256_movemask_ps,
    _mm256_mulhrs_epi16, _mm256_mullo_epi16, _mm256_packus_epi16, _mm256_permute4x64_epi64,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_slli_epi16, _mm256_store_si256,
    _mm256_storeu_si256, _mm256_sub_epi16,
};
use std::mem::MaybeUninit;

use super::super::activation::{Activation, PAIRWISE_ONE};
use super::aligned::{AlignedBytes, AlignedRow, BLOCK, BlockTile, GROUP, HiddenRow, PAIR, PairTile};
use super::scalar::{self, SCRELU_PRODUCTS_MAX};
use super::update::vector_update;

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

vector_update!(
    "avx2",
    _mm256_setzero_si256,
    _mm256_load_si256,
    _mm256_store_si256,
    _mm256_add_epi16,
    _mm256_sub_epi16
);

/// For every mask of eight bits the places of its ones, at the front.
static PLACES: [Places; 256] = {
    let mut all = [Places([0; 8]); 256];
    let mut mask = 0;
    while mask < all.len() {
        let (mut place, mut count) = (0, 0);
        while place < 8 {
            if mask >> place & 1 != 0 {
                all[mask].0[count] = place;
                count += 1;
            }
            place += 1;
        }
        mask += 1;
    }
    all
};

#[derive(Clone, Copy)]
#[repr(align(16))]
struct Places([u16; 8]);

/// See [`super::Instructions::pairwise_layer`].
///
/// # Safety
///
/// The CPU must have AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn pairwise_layer<const N: usize>(
    rows: [&AlignedRow<N>; 2],
    weights: &[BlockTile],
    bias: &[i32],
    sums: &mut [i32],
) {
    /// Bytes of a register.
    const BYTES: usize = size_of::<__m256i>();
    assert!((N / 2).is_multiple_of(BYTES), "the products of a row are a whole number of registers");
    let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(PAIRWISE_ONE as i16));
    let mut products = MaybeUninit::<AlignedBytes<u8, N>>::uninit();
    let products = products.as_mut_ptr().cast::<u8>();
    // The numbers of the blocks that are not zero.
    let mut blocks = [const { MaybeUninit::<u16>::uninit() }; N];
    let mut count = 0;
    for (row, start) in rows.into_iter().zip([0, N / 2]) {
        let product = |at: usize| {
            // SAFETY: a row is aligned to 64 bytes, and `at` is a multiple of the lanes within its first half.
            let (first, second) = unsafe {
                (
                    _mm256_load_si256(row.0.as_ptr().add(at).cast()),
                    _mm256_load_si256(row.0.as_ptr().add(at + N / 2).cast()),
                )
            };
            // A negative second factor gives a product that packing clips. The product of 16-bit numbers is shifted down by
            // 15 bits and rounded, with a shift by 6 before it by 9.
            let first = _mm256_slli_epi16::<6>(_mm256_min_epi16(_mm256_max_epi16(first, zero), one));
            _mm256_mulhrs_epi16(first, _mm256_min_epi16(second, one))
        };
        for at in (0..N / 2).step_by(BYTES) {
            // Packing takes eight products from each register in turn.
            let packed = _mm256_packus_epi16(product(at), product(at + LANES));
            let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
            let zeros = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(packed, zero)));
            let mask = !zeros as u8;
            // SAFETY: `start + at` is a multiple of 32 within the products, which are aligned to 64 bytes. `count` is at most
            // the number of blocks before this register, and a register of numbers has room behind it.
            unsafe {
                _mm256_store_si256(products.add(start + at).cast(), packed);
                let places = _mm_load_si128(PLACES[usize::from(mask)].0.as_ptr().cast());
                let first = _mm_set1_epi16(((start + at) / BLOCK) as i16);
                _mm_storeu_si128(blocks.as_mut_ptr().add(count).cast(), _mm_add_epi16(places, first));
            }
            count += mask.count_ones() as usize;
        }
    }
    // SAFETY: so many numbers were written.
    let blocks = unsafe { std::slice::from_raw_parts(blocks.as_ptr().cast::<u16>(), count) };
    let ones = _mm256_set1_epi16(1);
    let groups = sums.chunks_exact_mut(GROUP).zip(bias.chunks_exact(GROUP));
    for ((sums, bias), tiles) in groups.zip(weights.chunks_exact(N / BLOCK)) {
        let step = |parts: &mut [__m256i; 2], block: u16| {
            let block = usize::from(block);
            // SAFETY: all products were written, there are as many tiles as blocks of them, and a tile is aligned to 64 bytes.
            let (products, tile) = unsafe {
                let products = products.cast::<i32>().add(block).read();
                let tile = tiles.as_ptr().add(block).cast::<__m256i>();
                (_mm256_set1_epi32(products), [_mm256_load_si256(tile), _mm256_load_si256(tile.add(1))])
            };
            for (part, tile) in parts.iter_mut().zip(tile) {
                // Two products of a byte with a weight fit in 16 bits.
                let pairs = _mm256_maddubs_epi16(products, tile);
                *part = _mm256_add_epi32(*part, _mm256_madd_epi16(pairs, ones));
            }
        };
        let mut parts = [zero; 2];
        for &block in blocks {
            step(&mut parts, block);
        }
        set_sums(sums, bias, parts);
    }
}

/// Sets sixteen sums to the bias plus two registers.
#[target_feature(enable = "avx2")]
#[inline]
fn set_sums(sums: &mut [i32], bias: &[i32], registers: [__m256i; 2]) {
    assert!(sums.len() == GROUP && bias.len() == GROUP);
    let halves = sums.chunks_exact_mut(GROUP / 2).zip(bias.chunks_exact(GROUP / 2));
    for ((sums, bias), register) in halves.zip(registers) {
        // SAFETY: half of the sums, and of the bias, has the size of a register.
        unsafe {
            let bias = _mm256_loadu_si256(bias.as_ptr().cast());
            _mm256_storeu_si256(sums.as_mut_ptr().cast(), _mm256_add_epi32(bias, register));
        }
    }
}

/// See [`super::Instructions::dense_layer`].
///
/// # Safety
///
/// The CPU must have AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn dense_layer(numbers: &HiddenRow, weights: &[PairTile], bias: &[i32], sums: &mut [i32]) {
    let pairs = weights.len() / (bias.len() / GROUP);
    let (numbers, _) = numbers.0.as_chunks::<PAIR>();
    let groups = sums.chunks_exact_mut(GROUP).zip(bias.chunks_exact(GROUP));
    for ((sums, bias), tiles) in groups.zip(weights.chunks_exact(pairs)) {
        let mut parts = [_mm256_setzero_si256(); 2];
        for (&[first, second], tile) in numbers.iter().zip(tiles) {
            let pair = _mm256_set1_epi32(i32::from(first) & 0xffff | i32::from(second) << 16);
            for (part, half) in parts.iter_mut().zip(tile.0.as_chunks::<LANES>().0) {
                // SAFETY: a tile is aligned to 64 bytes and has the size of two registers.
                let weights = unsafe { _mm256_load_si256(half.as_ptr().cast()) };
                *part = _mm256_add_epi32(*part, _mm256_madd_epi16(pair, weights));
            }
        }
        set_sums(sums, bias, parts);
    }
}

scalar::plain_loops!("avx2");

/// See [`super::Instructions::dot_bytes`].
///
/// # Safety
///
/// The CPU must have AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn dot_bytes<const N: usize>(
    numbers: &AlignedBytes<u8, N>,
    weights: &AlignedBytes<i8, N>,
) -> i32 {
    /// Numbers of two registers.
    const STEP: usize = 2 * size_of::<__m256i>();
    const { assert!(N.is_multiple_of(STEP), "a row is a whole number of pairs of registers") };
    let ones = _mm256_set1_epi16(1);
    // Two sums, so that an addition need not wait for the one before.
    let mut sums = [_mm256_setzero_si256(); 2];
    for at in (0..N).step_by(STEP) {
        for (half, sum) in sums.iter_mut().enumerate() {
            let at = at + half * STEP / 2;
            // SAFETY: both are aligned to 64 bytes, and `at` is a multiple of the size of a register within them.
            let (number, weight) = unsafe {
                (
                    _mm256_load_si256(numbers.0.as_ptr().add(at).cast()),
                    _mm256_load_si256(weights.0.as_ptr().add(at).cast()),
                )
            };
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(_mm256_maddubs_epi16(number, weight), ones));
        }
    }
    let mut parts = [0_i32; size_of::<__m256i>() / size_of::<i32>()];
    // SAFETY: the parts have the size of a register.
    unsafe { _mm256_storeu_si256(parts.as_mut_ptr().cast(), _mm256_add_epi32(sums[0], sums[1])) };
    parts.into_iter().sum()
}
