//! The sizes of the network and the units of its numbers.
//!
//! Each side has its own perspective of the board: its own pieces and those of the enemy, seen from its side, mirrored so that its king
//! stands on the queen's wing. Both perspectives go through one shared layer; the two results, the side to move first, are clipped,
//! squared, and summed up by one of a few outputs, chosen by how many pieces are left.

/// Kinds and colours of pieces times squares.
pub const INPUTS: usize = 768;
/// Numbers that the first layer makes of a perspective.
pub const HIDDEN: usize = 1024;
/// Outputs, each for some numbers of pieces.
pub const OUTPUT_BUCKETS: usize = 8;
/// The most pieces of a position: so many inputs are on at once.
pub const MAX_PIECES: usize = 32;
/// What stands for 1 after the first layer.
pub const QA: i32 = 255;
/// What stands for 1 in the weights of the outputs: they are small, and fit in eight bits.
pub const QB: i32 = 128;
/// Centipawns that an output of 1 is worth, and the scale of the logistic curve that is learnt: near the one that the results of
/// games follow, so that what is learnt best is what decides them.
pub const SCALE: i32 = 165;

/// The version of all this: another one is another network.
pub const VERSION: u32 = 1;

/// A number that tells architectures apart.
pub const fn hash() -> u64 {
    let sizes = [INPUTS as u64, HIDDEN as u64, OUTPUT_BUCKETS as u64, QA as u64, QB as u64, SCALE as u64];
    let mut hash = VERSION as u64;
    let mut at = 0;
    while at < sizes.len() {
        hash = (hash ^ sizes[at]).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
        at += 1;
    }
    hash
}

/// The output for so many pieces.
#[inline]
pub const fn output_bucket(pieces: u32) -> usize {
    const PIECES_PER_BUCKET: u32 = (MAX_PIECES / OUTPUT_BUCKETS) as u32;
    let output = (pieces.saturating_sub(2) / PIECES_PER_BUCKET) as usize;
    if output < OUTPUT_BUCKETS { output } else { OUTPUT_BUCKETS - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_pieces_has_an_output() {
        assert_eq!((output_bucket(2), output_bucket(5), output_bucket(6), output_bucket(32)), (0, 0, 1, 7));
        assert!((2..32).all(|pieces| output_bucket(pieces) <= output_bucket(pieces + 1)));
    }
}
