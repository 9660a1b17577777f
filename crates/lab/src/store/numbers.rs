//! Adaptive models of numbers, made of adaptive bits.

use super::coder::{Bit, BitCoder};

/// A model of symbols of `BITS` bits: a binary tree whose every node has its own probability.
#[derive(Clone, Debug)]
pub(crate) struct Symbol<const BITS: u32>(Vec<Bit>);

impl<const BITS: u32> Default for Symbol<BITS> {
    fn default() -> Self {
        Self(vec![Bit::default(); 1 << BITS])
    }
}

impl<const BITS: u32> Symbol<BITS> {
    pub(crate) fn code(&mut self, coder: &mut impl BitCoder, symbol: u32) -> u32 {
        let mut node = 1;
        for place in (0..BITS).rev() {
            let bit = coder.bit(&mut self.0[node], symbol >> place & 1 == 1);
            node = 2 * node + usize::from(bit);
        }
        node as u32 - (1 << BITS)
    }
}

/// A model of numbers of any size that are mostly small: the number of bits is a symbol, then come the bits below the highest,
/// the first two of them by their own probability.
#[derive(Clone, Debug, Default)]
pub(crate) struct Number {
    lengths: Symbol<5>,
    high: Vec<Bit>,
    low: Bit,
}

/// Bits below the highest that have a probability of their own.
const HIGH_BITS: u32 = 2;

impl Number {
    pub(crate) fn code(&mut self, coder: &mut impl BitCoder, number: u32) -> u32 {
        self.high.resize(32 << (HIGH_BITS + 1), Bit::default());
        let length = self.lengths.code(coder, u32::BITS - number.leading_zeros());
        let mut found = u32::from(length > 0);
        for place in (0..length.saturating_sub(1)).rev() {
            let depth = length - 2 - place;
            let bit = number >> place & 1 == 1;
            let bit = if depth < HIGH_BITS {
                // The bits so far after the highest, with a one before them.
                let prefix = (1 << depth) | (found & ((1 << depth) - 1));
                coder.bit(&mut self.high[(length << (HIGH_BITS + 1) | prefix) as usize], bit)
            } else {
                coder.bit(&mut self.low, bit)
            };
            found = 2 * found + u32::from(bit);
        }
        found
    }
}

/// A model of numbers with a sign, mostly near zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signed {
    size: Number,
    sign: Bit,
}

impl Signed {
    pub(crate) fn code(&mut self, coder: &mut impl BitCoder, number: i32) -> i32 {
        let size = self.size.code(coder, number.unsigned_abs()) as i32;
        let is_negative = size != 0 && coder.bit(&mut self.sign, number < 0);
        if is_negative { -size } else { size }
    }
}

#[cfg(test)]
mod tests {
    use super::super::coder::{Decoder, Encoder};
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers: Vec<i32> = (-300..300)
            .chain([-65_535, 65_535, 32_767, -1_000_000])
            .chain((0..2_000).map(|at| at % 7))
            .collect();
        let mut encoder = Encoder::new();
        let (mut signed, mut symbol) = (Signed::default(), Symbol::<4>::default());
        for &number in &numbers {
            signed.code(&mut encoder, number);
            symbol.code(&mut encoder, number as u32 & 15);
        }
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        let (mut signed, mut symbol) = (Signed::default(), Symbol::<4>::default());
        for &number in &numbers {
            assert_eq!(signed.code(&mut decoder, 0), number);
            assert_eq!(symbol.code(&mut decoder, 0), number as u32 & 15);
        }
    }
}
