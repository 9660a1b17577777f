//! The sizes of the network and the units of its numbers.
//!
//! Each side has its own view of the board: its own men and those of the enemy, seen from its side, mirrored so that its king
//! stands on the queen's wing. Both views go through one shared layer; the two results, the side to move first, are clipped,
//! and the numbers of one half multiplied with those of the other. One of a few small stacks of layers, chosen by how many men
//! are left, makes the judgement of these products.

/// Kinds and colours of men times squares.
pub const INPUTS: usize = 768;
/// Numbers that the first layer makes of a view.
pub const HIDDEN: usize = 1024;
/// What is left of a view when its numbers are multiplied in pairs.
pub const PRODUCTS: usize = HIDDEN / 2;
/// Numbers of the second and the third layer of a stack.
pub const SECOND: usize = 16;
/// See [`SECOND`].
pub const THIRD: usize = 32;
/// Stacks, each for some numbers of men.
pub const OUTPUTS: usize = 8;
/// The most men of a position: so many inputs are on at once.
pub const MEN_MAX: usize = 32;
/// What stands for 1 after the first layer.
pub const QA: i32 = 255;
/// What stands for 1 in the weights of the second layer: they are small, and fit in eight bits.
pub const QB: i32 = 64;
/// Bits that a product loses, so that it fits in seven.
pub const SHIFT: u32 = 9;
/// What stands for 1 after a product.
pub const QP: f32 = (QA * QA) as f32 / (1 << SHIFT) as f32;
/// Centipawns that an output of 1 is worth, and the scale of the logistic curve that is learnt: near the one that the results of
/// games follow, so that what is learnt best is what decides them.
pub const SCALE: i32 = 165;

/// The version of all this: another one is another network.
pub const VERSION: u32 = 2;

/// A number that tells architectures apart.
pub const fn hash() -> u64 {
    let sizes = [INPUTS, HIDDEN, SECOND, THIRD, OUTPUTS, QA as usize, QB as usize, SCALE as usize];
    let mut hash = VERSION as u64;
    let mut at = 0;
    while at < sizes.len() {
        hash = (hash ^ sizes[at] as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
        at += 1;
    }
    hash
}

/// The output for so many men.
#[inline]
pub const fn output_of(men: u32) -> usize {
    const PER_OUTPUT: u32 = (MEN_MAX / OUTPUTS) as u32;
    let output = (men.saturating_sub(2) / PER_OUTPUT) as usize;
    if output < OUTPUTS { output } else { OUTPUTS - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_men_has_an_output() {
        assert_eq!((output_of(2), output_of(5), output_of(6), output_of(32)), (0, 0, 1, 7));
        assert!((2..32).all(|men| output_of(men) <= output_of(men + 1)));
    }
}
