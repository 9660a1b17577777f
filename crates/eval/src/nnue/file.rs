//! The network file: a header, the description of the training, the sections of the architecture, a checksum.
//!
//! The header is eight letters, the format version and the hash of the architecture. All numbers are little-endian. A
//! network of the same architecture without king buckets is read as well: every bucket gets its weights, with which it
//! evaluates as before. It knows bytes and sections, not what the numbers mean.

use std::path::Path;
use std::{fmt, fs};

use super::description::{Architecture, NetworkKind, Section, Stored, VERSION};
use super::network::{BadWeights, DESCRIPTION_MAX, QuantisedNetwork};
use crate::checksum::checksum;

/// Why a file is no network for this program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadNetwork {
    /// It does not begin as a network file does.
    Foreign,
    /// It has another format version.
    Version(u32),
    /// Its network has another architecture than this one.
    Architecture(String),
    /// It ends too early or too late.
    Length {
        /// Bytes that a file of this architecture has.
        expected: usize,
        /// Bytes that it has.
        found: usize,
    },
    /// Its checksum does not match.
    Damaged,
    /// It has weights that the arithmetic does not allow.
    Weights(BadWeights),
}

impl fmt::Display for BadNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => f.write_str("it is no network of Rukh"),
            Self::Version(version) => {
                write!(f, "it is a network of format version {version}; this program reads version {VERSION}")
            }
            Self::Architecture(ours) => write!(f, "its architecture is not {ours}"),
            Self::Length { expected, found } => write!(f, "it has {found} bytes, not {expected}"),
            Self::Damaged => f.write_str("it is damaged: its checksum does not match"),
            Self::Weights(bad) => bad.fmt(f),
        }
    }
}

impl std::error::Error for BadNetwork {}

impl From<BadWeights> for BadNetwork {
    fn from(bad: BadWeights) -> Self {
        Self::Weights(bad)
    }
}

const MAGIC: [u8; 8] = *b"RUKH net";
const HEADER: usize = MAGIC.len() + size_of::<u32>() + size_of::<u64>();

impl<K: NetworkKind> QuantisedNetwork<K> {
    /// Whether bytes begin with the header of an architecture that can be read. The built-in network is checked with it
    /// when it is compiled.
    pub(crate) const fn has_header(bytes: &[u8]) -> bool {
        begins_with(bytes, &header(&K::ARCHITECTURE))
            || begins_with(bytes, &header(&K::ARCHITECTURE.without_king_buckets()))
    }

    /// Reads the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, BadNetwork> {
        let mut reader = Reader { bytes };
        if reader.take(MAGIC.len())? != MAGIC {
            return Err(BadNetwork::Foreign);
        }
        let version = u32::from_le_bytes(reader.array()?);
        if version != VERSION {
            return Err(BadNetwork::Version(version));
        }
        let hash = u64::from_le_bytes(reader.array()?);
        let readable = [K::ARCHITECTURE, K::ARCHITECTURE.without_king_buckets()];
        let Some(architecture) = readable.into_iter().find(|architecture| architecture.hash() == hash) else {
            return Err(BadNetwork::Architecture(K::ARCHITECTURE.to_string()));
        };
        let length = u32::from_le_bytes(reader.array()?) as usize;
        let sections = architecture.sections();
        let weights: usize = sections.iter().map(Section::bytes).sum();
        let expected =
            (bytes.len() - reader.bytes.len()) + length.min(DESCRIPTION_MAX) + weights + size_of::<u64>();
        if bytes.len() != expected {
            return Err(BadNetwork::Length { expected, found: bytes.len() });
        }
        let (content, sum) = bytes.split_at(bytes.len() - size_of::<u64>());
        if sum != checksum(content).to_le_bytes() {
            return Err(BadNetwork::Damaged);
        }
        let description = String::from_utf8_lossy(reader.take(length)?).into_owned();
        let mut numbers =
            sections.iter().map(|section| reader.section(section)).collect::<Result<Vec<_>, _>>()?;
        let copies = K::ARCHITECTURE.inputs.buckets() / architecture.inputs.buckets();
        if copies > 1 {
            numbers[0] = numbers[0].repeat(copies);
        }
        Ok(Self::new(&description, &numbers)?)
    }

    /// Loads a file, or says in one sentence why it cannot be loaded.
    pub fn load(path: &Path) -> Result<Self, String> {
        let cannot = |error: &dyn fmt::Display| format!("{} cannot be loaded: {error}", path.display());
        let bytes = fs::read(path).map_err(|error| cannot(&error))?;
        Self::read(&bytes).map_err(|error| cannot(&error))
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = header(&K::ARCHITECTURE).to_vec();
        bytes.extend((self.description().len() as u32).to_le_bytes());
        bytes.extend(self.description().as_bytes());
        for (section, numbers) in K::ARCHITECTURE.sections().iter().zip(self.sections()) {
            for number in numbers {
                match section.quantisation.stored {
                    Stored::I8 => bytes.extend((number as i8).to_le_bytes()),
                    Stored::I16 => bytes.extend((number as i16).to_le_bytes()),
                    Stored::I32 => bytes.extend(number.to_le_bytes()),
                }
            }
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }
}

const fn header(architecture: &Architecture) -> [u8; HEADER] {
    let (version, hash) = (VERSION.to_le_bytes(), architecture.hash().to_le_bytes());
    let mut bytes = [0; HEADER];
    let mut at = 0;
    while at < HEADER {
        bytes[at] = match at {
            0..8 => MAGIC[at],
            8..12 => version[at - 8],
            _ => hash[at - 12],
        };
        at += 1;
    }
    bytes
}

const fn begins_with(bytes: &[u8], header: &[u8; HEADER]) -> bool {
    let mut at = 0;
    while at < HEADER {
        if at >= bytes.len() || bytes[at] != header[at] {
            return false;
        }
        at += 1;
    }
    true
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

    fn section(&mut self, section: &Section) -> Result<Vec<i32>, BadNetwork> {
        let bytes = self.take(section.bytes())?;
        let word = |bytes: &[u8]| i16::from_le_bytes(bytes.try_into().expect("it has two bytes"));
        let double_word = |bytes: &[u8]| i32::from_le_bytes(bytes.try_into().expect("it has four bytes"));
        Ok(match section.quantisation.stored {
            Stored::I8 => bytes.iter().map(|&byte| i32::from(byte as i8)).collect(),
            Stored::I16 => bytes.chunks_exact(2).map(|bytes| i32::from(word(bytes))).collect(),
            Stored::I32 => bytes.chunks_exact(4).map(double_word).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::arch::Current;
    use super::super::description::tests::{Small, SmallOneBucket, Stacked};
    use super::super::features::PlacedPiece;
    use super::super::network::tests::random;
    use super::*;
    use rukh_chess::Position;

    fn is_read_back<K: NetworkKind>() {
        let network = random::<K>(1);
        let bytes = network.to_bytes();
        assert!(QuantisedNetwork::<K>::has_header(&bytes));
        assert_eq!(QuantisedNetwork::read(&bytes).as_ref(), Ok(&network));
        assert_eq!(network.description(), "random weights");
        assert_ne!(QuantisedNetwork::read(&random::<K>(2).to_bytes()), Ok(network));
    }

    #[test]
    fn networks_are_read_back() {
        is_read_back::<Current>();
        is_read_back::<Small>();
        is_read_back::<Stacked>();
        let foreign = QuantisedNetwork::<Small>::read(&random::<Stacked>(1).to_bytes());
        assert_eq!(foreign, Err(BadNetwork::Architecture(Small::ARCHITECTURE.to_string())));
    }

    /// The built-in network is the file as it is: nothing is lost or moved on the way through the sections.
    #[test]
    fn a_file_is_written_as_it_was_read() {
        let bytes = include_bytes!("../../networks/default.net");
        let network = QuantisedNetwork::<Current>::read(bytes).expect("it is of the current architecture");
        assert!(network.to_bytes() == bytes);
    }

    /// A network without king buckets evaluates the same once every bucket has its weights.
    #[test]
    fn a_network_without_king_buckets_is_read() {
        let one = random::<SmallOneBucket>(1);
        let bytes = one.to_bytes();
        assert!(QuantisedNetwork::<Small>::has_header(&bytes));
        let many = QuantisedNetwork::<Small>::read(&bytes).expect("it has the layers of the architecture");
        assert_ne!(many.to_bytes(), bytes);
        for fen in ["4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1", "8/2k5/8/8/3K4/8/6R1/8 b - - 0 1"] {
            let position: Position = fen.parse().expect("it is valid");
            let pieces: Vec<_> = PlacedPiece::all_of(&position).collect();
            let side = position.side_to_move();
            assert_eq!(many.evaluate(side, &pieces), one.evaluate(side, &pieces), "{fen}");
        }
        assert!(QuantisedNetwork::<SmallOneBucket>::read(&many.to_bytes()).is_err());
    }

    #[test]
    fn a_file_that_is_no_network_is_refused() {
        type Network = QuantisedNetwork<Small>;
        let good = random::<Small>(1).to_bytes();
        let with = |at: usize, byte: u8| {
            let mut bad = good.clone();
            bad[at] ^= byte;
            Network::read(&bad).expect_err("it is broken")
        };
        assert_eq!(Network::read(b""), Err(BadNetwork::Foreign));
        assert_eq!(Network::read(b"this is not a network at all"), Err(BadNetwork::Foreign));
        assert_eq!(with(0, 1), BadNetwork::Foreign);
        assert_eq!(with(8, 2), BadNetwork::Version(3));
        assert!(matches!(with(12, 1), BadNetwork::Architecture(_)));
        assert!(matches!(with(20, 1), BadNetwork::Length { .. }));
        for at in [30, 1_000, good.len() / 2, good.len() - 9, good.len() - 1] {
            assert_eq!(with(at, 0x10), BadNetwork::Damaged, "byte {at}");
        }
        for cut in [1, 9, 1_000, good.len() - 5] {
            let cut = &good[..good.len() - cut];
            assert!(Network::read(cut).is_err());
        }
        assert!(matches!(Network::read(&[good.as_slice(), b"x"].concat()), Err(BadNetwork::Length { .. })));
        // A weight that the file holds and the arithmetic does not.
        let output = good.len() - size_of::<u64>() - 4 * 3 - 2;
        let mut great = good[..good.len() - size_of::<u64>()].to_vec();
        great[output..output + 2].copy_from_slice(&128_i16.to_le_bytes());
        great.extend(checksum(&great).to_le_bytes());
        let sentence = Network::read(&great).expect_err("the weight is too great").to_string();
        assert_eq!(sentence, "a number of its output weights is 128, beyond 127");
    }
}
