//! Any CPU.

use super::super::arch::{HIDDEN, QA};
use super::lane::Lane;

/// See [`super::Instructions::square_clipped_dot`].
#[inline]
pub fn square_clipped_dot(numbers: &Lane, weights: &Lane) -> i64 {
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
pub fn change(to: &mut Lane, from: &Lane, added: &[&Lane], removed: &[&Lane]) {
    /// So many numbers stay in registers while all lanes pass.
    const TILE: usize = 128;
    const { assert!(HIDDEN.is_multiple_of(TILE)) };
    for start in (0..HIDDEN).step_by(TILE) {
        let part = |lane: &Lane| -> [i16; TILE] {
            lane.0[start..start + TILE].try_into().expect("a part is as long as a tile")
        };
        let mut sums = part(from);
        for lane in added {
            sums.iter_mut().zip(part(lane)).for_each(|(sum, more)| *sum = sum.wrapping_add(more));
        }
        for lane in removed {
            sums.iter_mut().zip(part(lane)).for_each(|(sum, less)| *sum = sum.wrapping_sub(less));
        }
        to.0[start..start + TILE].copy_from_slice(&sums);
    }
}
