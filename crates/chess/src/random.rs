//! Pseudorandom numbers: SplitMix64, for Zobrist keys, the magic search and reproducible experiments.

/// SplitMix64: a counter that advances by the golden ratio, and a mixing function. The same seed gives the same numbers
/// on every machine, also at compile time.
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A generator that starts from `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A uniform number below `bound`, which must not be 0. The bias is below `bound` / 2^64.
    pub const fn below(&mut self, bound: u64) -> u64 {
        ((self.next() as u128 * bound as u128) >> 64) as u64
    }

    /// A uniform number in [0, 1).
    pub const fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Shuffles `things` (Fisher-Yates). It uses remainders, so that orders published by their seed stay the same.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, (self.next() % (last as u64 + 1)) as usize);
        }
    }

    /// A random choice of at most `count` of `things`, which it moves to the front.
    pub fn partial_shuffle<'t, T>(&mut self, things: &'t mut [T], count: usize) -> &'t mut [T] {
        let count = count.min(things.len());
        for first in 0..count {
            let chosen = first + self.below((things.len() - first) as u64) as usize;
            things.swap(first, chosen);
        }
        &mut things[..count]
    }
}
