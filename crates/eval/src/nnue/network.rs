//! The weights of a network, and the file they are in.
//!
//! A file is: eight letters, the version, the hash of the architecture, a description of the training, the weights, and a
//! check sum of all of it. All numbers have their low byte first.

use std::path::Path;
use std::{fmt, fs};

use super::arch::{self, HIDDEN, INPUTS, OUTPUT_BUCKETS, QA, QB, SCALE};
use rukh_chess::{Color, Piece};

use super::features::{Perspective, PlacedPiece};
use super::simd::{HiddenVector, Instructions, WEIGHT_MAX};

/// The weights, in whole numbers.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    description: String,
    features: Box<[HiddenVector]>,
    bias: HiddenVector,
    /// For each output the weights of the side to move and of the other.
    outputs: Box<[[HiddenVector; 2]]>,
    output_bias: [i32; OUTPUT_BUCKETS],
    instructions: Instructions,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").field("description", &self.description).finish_non_exhaustive()
    }
}

/// A file that is no network for this program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadNetwork {
    /// It does not begin like one.
    Foreign,
    /// It is of another version.
    Version(u32),
    /// Its layers have other sizes.
    Architecture,
    /// It ends too early, or goes on.
    Length {
        /// Bytes that a file of this kind has.
        expected: usize,
        /// Bytes that it has.
        found: usize,
    },
    /// What is in it is not what was written.
    Damaged,
    /// A weight is too great for the arithmetic.
    Weight(i16),
}

impl fmt::Display for BadNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => f.write_str("it is no network of Rukh"),
            Self::Version(version) => {
                write!(
                    f,
                    "it is a network of version {version}; this program reads version {}",
                    arch::VERSION
                )
            }
            Self::Architecture => {
                write!(f, "its layers have other sizes than {INPUTS}, {HIDDEN} and {OUTPUT_BUCKETS}")
            }
            Self::Length { expected, found } => write!(f, "it has {found} bytes, not {expected}"),
            Self::Damaged => f.write_str("it is damaged: its check sum is wrong"),
            Self::Weight(weight) => write!(f, "the weight {weight} of an output is beyond {WEIGHT_MAX}"),
        }
    }
}

impl std::error::Error for BadNetwork {}

const MAGIC: [u8; 8] = *b"RUKH net";
/// Longer descriptions are cut.
const DESCRIPTION_MAX: usize = 4_096;

impl Network {
    /// A network of these weights: of each input, of the first layer itself, and of the outputs.
    pub fn new(
        description: &str,
        features: Box<[HiddenVector]>,
        bias: HiddenVector,
        outputs: Box<[[HiddenVector; 2]]>,
        output_bias: [i32; OUTPUT_BUCKETS],
    ) -> Result<Self, BadNetwork> {
        if features.len() != INPUTS || outputs.len() != OUTPUT_BUCKETS {
            return Err(BadNetwork::Architecture);
        }
        let mut weights = outputs.iter().flatten().flat_map(|vector| vector.0);
        if let Some(weight) = weights.find(|weight| !(-WEIGHT_MAX..=WEIGHT_MAX).contains(weight)) {
            return Err(BadNetwork::Weight(weight));
        }
        let instructions = Instructions::best();
        let network = Self { description: String::new(), features, bias, outputs, output_bias, instructions };
        Ok(network.described(description))
    }

    /// How it was made.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The same with another description.
    #[must_use]
    pub fn described(self, description: &str) -> Self {
        let description = description.chars().take(DESCRIPTION_MAX / 4).collect();
        Self { description, ..self }
    }

    /// The same with other instructions: slower, but no different.
    #[must_use]
    pub fn with(self, instructions: Instructions) -> Self {
        Self { instructions, ..self }
    }

    /// What its sums are made with.
    pub fn instructions(&self) -> Instructions {
        self.instructions
    }

    /// Centipawns for `side`, which is to move, of a board with these pieces: from nothing, without anything kept.
    pub fn judge(&self, side: Color, pieces: &[PlacedPiece]) -> i32 {
        self.judge_by(arch::output_bucket(pieces.len() as u32), side, pieces)
    }

    /// The same by an output that may be meant for another number of pieces.
    pub(super) fn judge_by(&self, output: usize, side: Color, pieces: &[PlacedPiece]) -> i32 {
        let layer = |of: Color| {
            let king = pieces.iter().find(|placed| placed.color == of && placed.piece == Piece::King);
            let perspective = king.map_or_else(Perspective::default, |king| Perspective::of(of, king.square));
            let rows: Vec<_> =
                pieces.iter().map(|&placed| self.feature(perspective.feature(of, placed))).collect();
            let mut sums = HiddenVector::ZERO;
            self.change(&mut sums, &self.bias, &rows, &[]);
            sums
        };
        self.forward(&layer(side), &layer(!side), output)
    }

    /// Makes `to` what `from` is with some rows added and some removed.
    #[inline]
    pub(super) fn change(
        &self,
        to: &mut HiddenVector,
        from: &HiddenVector,
        added: &[&HiddenVector],
        removed: &[&HiddenVector],
    ) {
        self.instructions.change(to, from, added, removed);
    }

    /// What an input adds to the first layer.
    #[inline]
    pub fn feature(&self, feature: usize) -> &HiddenVector {
        &self.features[feature]
    }

    /// The first layer of an empty board.
    pub fn bias(&self) -> &HiddenVector {
        &self.bias
    }

    /// The weights of an output, for the side to move and for the other.
    #[inline]
    pub fn output(&self, output: usize) -> &[HiddenVector; 2] {
        &self.outputs[output]
    }

    /// What an output begins with.
    #[inline]
    pub fn output_bias(&self, output: usize) -> i32 {
        self.output_bias[output]
    }

    /// Centipawns for the side to move, from the first layers of both perspectives, by one of the outputs.
    #[inline]
    pub(super) fn forward(&self, own: &HiddenVector, theirs: &HiddenVector, output: usize) -> i32 {
        let [own_weights, their_weights] = self.output(output);
        let dot = |vector, weights| self.instructions.screlu_dot(vector, weights);
        let sum = dot(own, own_weights) + dot(theirs, their_weights);
        // The squares have brought in one unit of the first layer too many.
        let sum = sum / i64::from(QA) + i64::from(self.output_bias(output));
        (sum * i64::from(SCALE) / i64::from(QA * QB)) as i32
    }

    /// Whether bytes begin as a file of this architecture does: what is built in is asked this when it is compiled.
    pub(crate) const fn is_announced(bytes: &[u8]) -> bool {
        let announcement = announcement();
        let mut at = 0;
        while at < announcement.len() {
            if at >= bytes.len() || bytes[at] != announcement[at] {
                return false;
            }
            at += 1;
        }
        true
    }

    /// Reads a file.
    pub fn read(bytes: &[u8]) -> Result<Self, BadNetwork> {
        let mut from = Reader { bytes };
        if from.take(MAGIC.len())? != MAGIC {
            return Err(BadNetwork::Foreign);
        }
        let version = u32::from_le_bytes(from.array()?);
        if version != arch::VERSION {
            return Err(BadNetwork::Version(version));
        }
        if u64::from_le_bytes(from.array()?) != arch::hash() {
            return Err(BadNetwork::Architecture);
        }
        let length = u32::from_le_bytes(from.array()?) as usize;
        let expected =
            (bytes.len() - from.bytes.len()) + length.min(DESCRIPTION_MAX) + WEIGHT_BYTES + size_of::<u64>();
        if bytes.len() != expected {
            return Err(BadNetwork::Length { expected, found: bytes.len() });
        }
        let (content, sum) = bytes.split_at(bytes.len() - size_of::<u64>());
        if sum != check_sum(content).to_le_bytes() {
            return Err(BadNetwork::Damaged);
        }
        let description = String::from_utf8_lossy(from.take(length)?).into_owned();
        let features = (0..INPUTS).map(|_| from.vector()).collect::<Result<_, _>>()?;
        let bias = from.vector()?;
        let outputs =
            (0..OUTPUT_BUCKETS).map(|_| Ok([from.vector()?, from.vector()?])).collect::<Result<_, _>>()?;
        let mut output_bias = [0; OUTPUT_BUCKETS];
        for bias in &mut output_bias {
            *bias = i32::from_le_bytes(from.array()?);
        }
        Self::new(&description, features, bias, outputs, output_bias)
    }

    /// Loads a file, or says in a sentence why it cannot be.
    pub fn load(path: &Path) -> Result<Self, String> {
        let cannot = |error: &dyn fmt::Display| format!("{} cannot be loaded: {error}", path.display());
        let bytes = fs::read(path).map_err(|error| cannot(&error))?;
        Self::read(&bytes).map_err(|error| cannot(&error))
    }

    /// Writes a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = announcement().to_vec();
        bytes.extend((self.description.len() as u32).to_le_bytes());
        bytes.extend(self.description.as_bytes());
        let rows = self.features.iter().chain([&self.bias]).chain(self.outputs.iter().flatten());
        rows.for_each(|vector| bytes.extend(vector.0.iter().flat_map(|weight| weight.to_le_bytes())));
        self.output_bias.iter().for_each(|bias| bytes.extend(bias.to_le_bytes()));
        bytes.extend(check_sum(&bytes).to_le_bytes());
        bytes
    }
}

/// What a file begins with: the letters, the version, the hash of the architecture.
const fn announcement() -> [u8; 20] {
    let (version, hash) = (arch::VERSION.to_le_bytes(), arch::hash().to_le_bytes());
    let mut bytes = [0; 20];
    let mut at = 0;
    while at < bytes.len() {
        bytes[at] = match at {
            0..8 => MAGIC[at],
            8..12 => version[at - 8],
            _ => hash[at - 12],
        };
        at += 1;
    }
    bytes
}

/// Bytes of all weights.
const WEIGHT_BYTES: usize =
    size_of::<i16>() * HIDDEN * (INPUTS + 1 + 2 * OUTPUT_BUCKETS) + size_of::<i32>() * OUTPUT_BUCKETS;

/// A number that changes with every bit: FNV-1a over words of eight bytes.
fn check_sum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0xCBF2_9CE4_8422_2325, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x0100_0000_01B3).rotate_left(29)
    })
}

/// Takes parts off the front.
struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], BadNetwork> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(BadNetwork::Foreign)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], BadNetwork> {
        Ok(self.take(N)?.try_into().expect("as many were taken"))
    }

    fn vector(&mut self) -> Result<HiddenVector, BadNetwork> {
        let mut vector = HiddenVector::ZERO;
        for weight in &mut vector.0 {
            *weight = i16::from_le_bytes(self.array()?);
        }
        Ok(vector)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use rukh_chess::random::SplitMix64;

    /// A network of random weights.
    pub(in super::super) fn random(seed: u64) -> Network {
        let mut random = SplitMix64::new(seed);
        let mut vector = |most: i64| {
            let mut vector = HiddenVector::ZERO;
            vector
                .0
                .iter_mut()
                .for_each(|weight| *weight = (random.below(2 * most as u64 + 1) as i64 - most) as i16);
            vector
        };
        let features = (0..INPUTS).map(|_| vector(60)).collect();
        let bias = vector(100);
        let outputs = (0..OUTPUT_BUCKETS).map(|_| [vector(127), vector(127)]).collect();
        Network::new("random weights", features, bias, outputs, [50, -50, 7, 0, 1, 2, 3, 4]).expect("it fits")
    }

    #[test]
    fn a_network_is_read_back() {
        let network = random(1);
        let bytes = network.to_bytes();
        assert_eq!(Network::read(&bytes).as_ref(), Ok(&network));
        assert_eq!(network.description(), "random weights");
        assert_ne!(Network::read(&random(2).to_bytes()), Ok(network));
    }

    #[test]
    fn what_is_no_network_is_refused() {
        let good = random(1).to_bytes();
        let with = |at: usize, byte: u8| {
            let mut bad = good.clone();
            bad[at] ^= byte;
            Network::read(&bad).expect_err("it is broken")
        };
        assert_eq!(Network::read(b""), Err(BadNetwork::Foreign));
        assert_eq!(Network::read(b"this is not a network at all"), Err(BadNetwork::Foreign));
        assert_eq!(with(0, 1), BadNetwork::Foreign);
        assert_eq!(with(8, 2), BadNetwork::Version(3));
        assert_eq!(with(12, 1), BadNetwork::Architecture);
        assert!(matches!(with(20, 1), BadNetwork::Length { .. }));
        for at in [30, 1_000, good.len() / 2, good.len() - 9, good.len() - 1] {
            assert_eq!(with(at, 0x10), BadNetwork::Damaged, "byte {at}");
        }
        for cut in [1, 9, 1_000, good.len() - 5] {
            let cut = &good[..good.len() - cut];
            assert!(Network::read(cut).is_err());
        }
        assert!(matches!(Network::read(&[good.as_slice(), b"x"].concat()), Err(BadNetwork::Length { .. })));
        let too_great =
            Network { outputs: vec![[HiddenVector([128; HIDDEN]); 2]; OUTPUT_BUCKETS].into(), ..random(1) };
        assert_eq!(Network::read(&too_great.to_bytes()), Err(BadNetwork::Weight(128)));
    }
}
