//! The search for magic numbers; `rukh magics --seed S` repeats it.
//!
//! The magic number of a square maps every occupancy of its relevant squares to a table index: multiply, and keep the top
//! bits. Two occupancies may share an index only if they have the same attacks.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::walker::Slider;
use crate::random::SplitMix64;
use crate::types::{Bitboard, Square};

/// The seed of the magic numbers in the source.
pub const SEED: u64 = 9;

/// The subset of `mask` after `subset` (Carry-Rippler); after the last one comes the empty set.
pub(super) const fn next_subset(subset: u64, mask: u64) -> u64 {
    subset.wrapping_sub(mask) & mask
}

/// The table index of the occupancy `relevant`: the top bits of its product with the magic number `factor`.
#[inline]
pub(super) const fn magic_index(relevant: u64, factor: u64, shift: u32) -> usize {
    (relevant.wrapping_mul(factor) >> shift) as usize
}

/// Finds a magic number for every square, in the order of the squares. The result depends on `seed` alone.
pub fn find(slider: Slider, seed: u64) -> [u64; Square::COUNT] {
    Square::ALL.map(|square| find_for(slider, square, seed))
}

// ANCHOR: find
/// The magic number of one square: tries sparse random numbers until one has no destructive collision.
pub fn find_for(slider: Slider, square: Square, seed: u64) -> u64 {
    let mask = slider.relevant_squares(square).0;
    let bits = mask.count_ones();
    let occupancies = occupancies_with_attacks(slider, square, mask);
    let mut random = SplitMix64::new(seed ^ (square.index() as u64) << 32);
    // Each slot holds the number of the attempt that wrote it last, so that nothing is cleared between attempts.
    let mut slots = vec![(0_u32, Bitboard::EMPTY); 1 << bits];
    for attempt in 1.. {
        let factor = random.next() & random.next() & random.next();
        let is_magic = occupancies.iter().all(|&(relevant, attacks)| {
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
    unreachable!("every square has magic numbers that a few million attempts find")
}
// ANCHOR_END: find

fn occupancies_with_attacks(slider: Slider, square: Square, mask: u64) -> Vec<(u64, Bitboard)> {
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

/// The magic numbers as the source of `attacks/factors.rs`.
pub fn source(rook: &[u64; Square::COUNT], bishop: &[u64; Square::COUNT]) -> String {
    let mut source = String::from(
        "//! Magic numbers, as `rukh magics` prints them for [`super::magics::SEED`]; a test repeats the search.\n\
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

/// Sixteen hexadecimal digits in groups of four.
fn hexadecimal(number: u64) -> String {
    let groups = [48, 32, 16, 0].map(|shift| format!("{:04X}", number >> shift & 0xFFFF));
    format!("0x{}", groups.join("_"))
}
