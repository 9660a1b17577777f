//! A small generator of random numbers, for keys and for the magic search.

/// SplitMix64: a counter stepped by the golden ratio and stirred. The same seed gives the same numbers on every
/// machine, also at compile time.
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
        let mut stirred = self.state;
        stirred = (stirred ^ (stirred >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        stirred = (stirred ^ (stirred >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        stirred ^ (stirred >> 31)
    }

    /// A number below `bound`, which must not be zero; the bias is below `bound` in 2^64.
    pub const fn below(&mut self, bound: u64) -> u64 {
        ((self.next() as u128 * bound as u128) >> 64) as u64
    }

    /// A number from 0 to just below 1.
    pub const fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Puts things in random order. It takes remainders, so that orders that were published by their seed stay.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, (self.next() % (last as u64 + 1)) as usize);
        }
    }
}
