//! Any CPU.

use super::super::arch::{HIDDEN, PRODUCTS, QA, SECOND, SHIFT};
use super::super::stack::Stack;
use super::lane::{Lane, Products};

/// See [`super::Instructions::judge`].
#[inline]
pub fn judge(own: &Lane, theirs: &Lane, stack: &Stack) -> f32 {
    let products = Products([own, theirs].map(multiply));
    let mut sums = [0_i32; SECOND];
    let all = products.0.as_flattened().chunks_exact(4);
    for (four, group) in all.zip(&stack.second) {
        for (sum, weights) in sums.iter_mut().zip(&group.0) {
            *sum += four.iter().zip(weights).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum::<i32>();
        }
    }
    stack.above(&sums)
}

/// Multiplies the numbers of a view in pairs. Other families of CPUs compile this very code for their registers.
#[inline(always)]
pub fn multiply(lane: &Lane) -> [u8; PRODUCTS] {
    let mut products = [0; PRODUCTS];
    let (low, high) = lane.0.split_at(PRODUCTS);
    for ((product, &low), &high) in products.iter_mut().zip(low).zip(high) {
        let clipped = |number: i16| number.clamp(0, QA as i16) as u16;
        *product = (clipped(low) * clipped(high) >> SHIFT) as u8;
    }
    products
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
