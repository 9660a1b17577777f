//! Arithmetic coding of bits with adaptive probabilities. What the bits mean is not known here.
//!
//! Encoder and decoder have one interface, so that a format is written down once for both directions: the encoder writes the
//! bit that it is given, the decoder ignores it, and both return the bit that the file has.

/// The adaptive probability of a bit: the mean of an estimate that follows fast and one that follows slowly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bit {
    fast: u16,
    slow: u16,
}

impl Default for Bit {
    fn default() -> Self {
        Self { fast: 1 << 15, slow: 1 << 15 }
    }
}

impl Bit {
    const FAST: u32 = 4;
    const SLOW: u32 = 7;

    /// The probability of a one in 65,536ths, never certain.
    fn one(self) -> u32 {
        ((u32::from(self.fast) + u32::from(self.slow)) / 2).clamp(32, 65_535 - 32)
    }

    fn learn(&mut self, bit: bool) {
        for (estimate, rate) in [(&mut self.fast, Self::FAST), (&mut self.slow, Self::SLOW)] {
            let step = if bit { (u16::MAX - *estimate) >> rate } else { *estimate >> rate };
            *estimate = if bit { *estimate + step } else { *estimate - step };
        }
    }
}

/// Writes or reads bits.
pub(crate) trait BitCoder {
    /// Codes a bit with the probability of `model`, which learns from it. Returns the bit that the file has.
    fn bit(&mut self, model: &mut Bit, bit: bool) -> bool;
}

/// An interval of 32-bit numbers: what all bits so far leave.
#[derive(Clone, Copy, Debug)]
struct Interval {
    low: u32,
    high: u32,
}

impl Interval {
    const WHOLE: Self = Self { low: 0, high: u32::MAX };

    /// The greatest number of the part for a one.
    fn split(self, model: Bit) -> u32 {
        let width = u64::from(self.high - self.low);
        self.low + ((width * u64::from(model.one())) >> 16) as u32
    }

    fn narrow(&mut self, split: u32, bit: bool) {
        if bit {
            self.high = split;
        } else {
            self.low = split + 1;
        }
    }

    /// The next byte that is settled.
    fn settled(&mut self) -> Option<u8> {
        let byte = (self.high >> 24) as u8;
        ((self.low >> 24) as u8 == byte).then(|| {
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
            byte
        })
    }
}

/// Writes bits to memory.
pub(crate) struct Encoder {
    interval: Interval,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(crate) fn new() -> Self {
        Self { interval: Interval::WHOLE, bytes: Vec::new() }
    }

    /// All bytes; the last four settle what is open.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.bytes.extend(self.interval.low.to_be_bytes());
        self.bytes
    }
}

impl BitCoder for Encoder {
    fn bit(&mut self, model: &mut Bit, bit: bool) -> bool {
        let split = self.interval.split(*model);
        self.interval.narrow(split, bit);
        model.learn(bit);
        while let Some(byte) = self.interval.settled() {
            self.bytes.push(byte);
        }
        bit
    }
}

/// Reads bits that an [`Encoder`] wrote. After the end it reads zeros.
pub(crate) struct Decoder<'b> {
    interval: Interval,
    number: u32,
    rest: std::slice::Iter<'b, u8>,
}

impl<'b> Decoder<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        let mut decoder = Self { interval: Interval::WHOLE, number: 0, rest: bytes.iter() };
        (0..4).for_each(|_| decoder.shift());
        decoder
    }

    fn shift(&mut self) {
        self.number = self.number << 8 | u32::from(self.rest.next().copied().unwrap_or(0));
    }
}

impl BitCoder for Decoder<'_> {
    fn bit(&mut self, model: &mut Bit, _: bool) -> bool {
        let split = self.interval.split(*model);
        let bit = self.number <= split;
        self.interval.narrow(split, bit);
        model.learn(bit);
        while self.interval.settled().is_some() {
            self.shift();
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::random::SplitMix64;

    /// Bits that are rarely one take little more than their entropy, and come back.
    #[test]
    fn bits_come_back_and_take_their_entropy() {
        for share in [0.5, 0.1, 0.01] {
            let mut random = SplitMix64::new(3);
            let bits: Vec<bool> = (0..40_000).map(|_| random.share() < share).collect();
            let (mut encoder, mut model) = (Encoder::new(), Bit::default());
            bits.iter().for_each(|&bit| assert_eq!(encoder.bit(&mut model, bit), bit));
            let bytes = encoder.finish();
            let entropy = -(share * share.log2() + (1.0 - share) * (1.0 - share).log2());
            let bits_taken = bytes.len() as f64 * 8.0 / bits.len() as f64;
            assert!(bits_taken < 1.1 * entropy + 0.01, "{share}: {bits_taken} for {entropy}");
            let (mut decoder, mut model) = (Decoder::new(&bytes), Bit::default());
            assert!(bits.iter().all(|&bit| decoder.bit(&mut model, false) == bit));
        }
    }

    /// Nothing that is read makes a decoder fail; the format above it decides what is nonsense.
    #[test]
    fn a_decoder_reads_on_after_the_end() {
        let (mut decoder, mut model) = (Decoder::new(&[0xa5]), Bit::default());
        (0..1_000).for_each(|_| _ = decoder.bit(&mut model, true));
    }
}
