//! The search for magic factors: `rukh magics --seed S` repeats it.
//!
//! A magic factor for a square maps every arrangement of pieces on the square's relevant squares to an index:
//! multiply, keep the top bits. Two arrangements may share an index only if they give the same attacks.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::walker::Slider;
use crate::random::SplitMix64;
use crate::types::{Bitboard, Square};

/// The seed that gave the factors the tables are built with.
pub const SEED: u64 = 9;

/// The subsets of `mask` after `subset` in the order of Carry-Rippler; ends with the empty set.
pub(super) const fn next_subset(subset: u64, mask: u64) -> u64 {
    subset.wrapping_sub(mask) & mask
}

/// The index that `factor` gives to the pieces standing on `relevant`: the bits of the product that `shift` leaves.
#[inline]
pub(super) const fn magic_index(relevant: u64, factor: u64, shift: u32) -> usize {
    (relevant.wrapping_mul(factor) >> shift) as usize
}

/// Searches a magic factor for every square, in the order of the squares.
///
/// The result depends on `seed` alone.
pub fn find(slider: Slider, seed: u64) -> [u64; Square::COUNT] {
    Square::ALL.map(|square| find_for(slider, square, seed))
}

/// Tries sparse random numbers until one is free of harmful collisions.
fn find_for(slider: Slider, square: Square, seed: u64) -> u64 {
    let mask = slider.relevant_squares(square).0;
    let bits = mask.count_ones();
    let arrangements = arrangements_with_attacks(slider, square, mask);
    let mut random = SplitMix64::new(seed ^ (square.index() as u64) << 32);
    // Each slot holds the number of the try that wrote it last, so that nothing is cleared between tries.
    let mut slots = vec![(0_u32, Bitboard::EMPTY); 1 << bits];
    for attempt in 1.. {
        let factor = random.next() & random.next() & random.next();
        let is_magic = arrangements.iter().all(|&(relevant, attacks)| {
            let slot = &mut slots[magic_index(relevant, factor, u64::BITS - bits)];
            let is_free = slot.0 != attempt;
            if is_free {
                *slot = (attempt, attacks);
            }
            is_free || slot.1 == attacks
        });
        if is_magic {
            return factor;
        }
    }
    unreachable!("every square has factors that a few million tries find")
}

fn arrangements_with_attacks(slider: Slider, square: Square, mask: u64) -> Vec<(u64, Bitboard)> {
    let mut all = Vec::with_capacity(1 << mask.count_ones());
    let mut subset = 0;
    loop {
        all.push((subset, slider.walk(square, Bitboard(subset))));
        subset = next_subset(subset, mask);
        if subset == 0 {
            return all;
        }
    }
}

/// The factors as the source of `attacks/factors.rs`.
pub fn source(rook: &[u64; Square::COUNT], bishop: &[u64; Square::COUNT]) -> String {
    let mut source = String::from(
        "//! The magic factors, as `rukh magics` prints them for [`super::magics::SEED`]; a test repeats the search.\n\
         \n\
         use crate::types::Square;\n",
    );
    for (name, factors) in [("ROOK_FACTORS", rook), ("BISHOP_FACTORS", bishop)] {
        source.push_str(&format!("\n#[rustfmt::skip]\npub(super) const {name}: [u64; Square::COUNT] = [\n"));
        for four in factors.chunks(4) {
            let words = four.iter().map(|factor| hexadecimal(*factor)).collect::<Vec<_>>();
            source.push_str(&format!("    {},\n", words.join(", ")));
        }
        source.push_str("];\n");
    }
    source
}

/// Sixteen digits in groups of four.
fn hexadecimal(number: u64) -> String {
    let groups = [48, 32, 16, 0].map(|shift| format!("{:04X}", number >> shift & 0xFFFF));
    format!("0x{}", groups.join("_"))
}
