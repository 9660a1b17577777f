//! Any CPU.

use super::super::arch::{HIDDEN, QA};
use super::vector::HiddenVector;

/// See [`super::Instructions::screlu_dot`].
#[inline]
pub fn screlu_dot(numbers: &HiddenVector, weights: &HiddenVector) -> i64 {
    /// So many products of the greatest size fit in 32 bits.
    const PART: usize = 64;
    let parts = numbers.0.chunks(PART).zip(weights.0.chunks(PART));
    let part = |(numbers, weights): (&[i16], &[i16])| {
        let term = |(&number, &weight): (&i16, &i16)| {
            let clipped = i32::from(number).clamp(0, QA);
            clipped * clipped * i32::from(weight)
        };
        i64::from(numbers.iter().zip(weights).map(term).sum::<i32>())
    };
    parts.map(part).sum()
}

/// See [`super::Instructions::change`]. Other families of CPUs compile this very code for their registers.
#[inline(always)]
pub fn change(
    to: &mut HiddenVector,
    from: &HiddenVector,
    added: &[&HiddenVector],
    removed: &[&HiddenVector],
) {
    /// So many numbers stay in registers while all rows pass.
    const TILE: usize = 128;
    const { assert!(HIDDEN.is_multiple_of(TILE)) };
    for start in (0..HIDDEN).step_by(TILE) {
        let part = |vector: &HiddenVector| -> [i16; TILE] {
            vector.0[start..start + TILE].try_into().expect("a part is as long as a tile")
        };
        let mut sums = part(from);
        for vector in added {
            sums.iter_mut().zip(part(vector)).for_each(|(sum, more)| *sum = sum.wrapping_add(more));
        }
        for vector in removed {
            sums.iter_mut().zip(part(vector)).for_each(|(sum, less)| *sum = sum.wrapping_sub(less));
        }
        to.0[start..start + TILE].copy_from_slice(&sums);
    }
}
