//! The file of a policy network: a header, the description of the training, the weights, a checksum.
//!
//! All numbers are little-endian. The header is eight letters and four numbers of 32 bits: the format version, inputs, width
//! and outputs. After it come the length of the description (u32) and the description; the weights of the first layer (i8, a
//! row for each input) and its biases (i16); the weights (i8, a row for each output) and biases (i32) of the outputs; and the
//! checksum (u64). It knows bytes, not what the numbers mean.

use std::path::Path;
use std::{fmt, fs};

use super::inputs::INPUTS;
use super::moves::OUTPUTS;
use super::network::{BIAS_MAX, Notation, OUTPUT_BIAS_MAX, PolicyNetwork, WIDTH};
use crate::checksum::checksum;
use crate::nnue::simd::{AlignedBytes, AlignedRow, Instructions};

/// The format version. It also changes with the meaning of inputs and outputs.
const VERSION: u32 = 1;
const MAGIC: [u8; 8] = *b"RUKH pol";
/// Longer descriptions are refused.
const DESCRIPTION_MAX: usize = 4_096;
/// Bytes of all weights and biases.
const WEIGHT_BYTES: usize = INPUTS * WIDTH + 2 * WIDTH + OUTPUTS * WIDTH + 4 * OUTPUTS;

/// Why a file is no policy network for this program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadPolicy {
    /// It does not begin as a policy network does.
    Foreign,
    /// It has another format version.
    Version(u32),
    /// It has other numbers of inputs, neurons and outputs.
    Architecture([u32; 3]),
    /// It ends too early or too late.
    Length {
        /// Bytes that it should have.
        expected: usize,
        /// Bytes that it has.
        found: usize,
    },
    /// Its checksum does not match.
    Damaged,
    /// A bias is too great for the arithmetic.
    Bias(i32),
}

impl fmt::Display for BadPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => f.write_str("it is no policy network of Rukh"),
            Self::Version(version) => {
                write!(f, "it is a policy network of version {version}; this program reads version {VERSION}")
            }
            Self::Architecture([inputs, width, outputs]) => {
                write!(f, "its architecture is {inputs} -> {width} -> {outputs}, not {Notation}")
            }
            Self::Length { expected, found } => write!(f, "it has {found} bytes, not {expected}"),
            Self::Damaged => f.write_str("it is damaged: its checksum does not match"),
            Self::Bias(bias) => write!(f, "a bias is {bias}, beyond what the arithmetic holds"),
        }
    }
}

impl std::error::Error for BadPolicy {}

impl PolicyNetwork {
    /// Reads the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, BadPolicy> {
        let mut rest = bytes;
        if take(&mut rest, MAGIC.len())? != MAGIC {
            return Err(BadPolicy::Foreign);
        }
        let version = number(&mut rest)?;
        if version != VERSION {
            return Err(BadPolicy::Version(version));
        }
        let found = [number(&mut rest)?, number(&mut rest)?, number(&mut rest)?];
        if found != [INPUTS, WIDTH, OUTPUTS].map(|size| size as u32) {
            return Err(BadPolicy::Architecture(found));
        }
        let length = number(&mut rest)? as usize;
        let header = bytes.len() - rest.len();
        let expected = header + length.min(DESCRIPTION_MAX) + WEIGHT_BYTES + size_of::<u64>();
        if bytes.len() != expected {
            return Err(BadPolicy::Length { expected, found: bytes.len() });
        }
        let (content, sum) = bytes.split_at(bytes.len() - size_of::<u64>());
        if sum != checksum(content).to_le_bytes() {
            return Err(BadPolicy::Damaged);
        }
        let description = String::from_utf8_lossy(take(&mut rest, length)?).into_owned();
        let rows = take(&mut rest, INPUTS * WIDTH)?.chunks_exact(WIDTH);
        let rows = rows.map(|row| widened(row.iter().map(|&byte| i16::from(byte as i8)))).collect();
        let bias = take(&mut rest, 2 * WIDTH)?.chunks_exact(2);
        let bias = widened(bias.map(|bytes| i16::from_le_bytes(bytes.try_into().expect("there are two"))));
        let outputs = take(&mut rest, OUTPUTS * WIDTH)?.chunks_exact(WIDTH);
        let outputs = outputs.map(|row| AlignedBytes(std::array::from_fn(|at| row[at] as i8))).collect();
        let output_bias = take(&mut rest, 4 * OUTPUTS)?.chunks_exact(4);
        let output_bias: Box<[i32]> =
            output_bias.map(|bytes| i32::from_le_bytes(bytes.try_into().expect("there are four"))).collect();
        let too_great = |max: i32| move |bias: &i32| bias.unsigned_abs() > max.unsigned_abs();
        let hidden = bias.0.iter().map(|&bias| i32::from(bias)).find(too_great(BIAS_MAX.into()));
        if let Some(bias) = hidden.or(output_bias.iter().copied().find(too_great(OUTPUT_BIAS_MAX))) {
            return Err(BadPolicy::Bias(bias));
        }
        Ok(Self { description, rows, bias, outputs, output_bias, instructions: Instructions::best() })
    }

    /// Loads a file, or says in one sentence why it cannot be loaded.
    pub fn load(path: &Path) -> Result<Self, String> {
        let cannot = |error: &dyn fmt::Display| format!("{} cannot be loaded: {error}", path.display());
        let bytes = fs::read(path).map_err(|error| cannot(&error))?;
        Self::read(&bytes).map_err(|error| cannot(&error))
    }
}

fn widened(numbers: impl Iterator<Item = i16>) -> AlignedRow<WIDTH> {
    let mut row = AlignedRow([0; WIDTH]);
    row.0.iter_mut().zip(numbers).for_each(|(to, number)| *to = number);
    row
}

fn take<'b>(bytes: &mut &'b [u8], count: usize) -> Result<&'b [u8], BadPolicy> {
    let (taken, rest) = bytes.split_at_checked(count).ok_or(BadPolicy::Foreign)?;
    *bytes = rest;
    Ok(taken)
}

fn number(bytes: &mut &[u8]) -> Result<u32, BadPolicy> {
    Ok(u32::from_le_bytes(take(bytes, 4)?.try_into().expect("four were taken")))
}

#[cfg(test)]
mod tests {
    use super::super::network::tests::random;
    use super::*;

    /// The bytes of a network; the trainer writes files, the program does not.
    fn bytes_of(network: &PolicyNetwork) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for number in [VERSION, INPUTS as u32, WIDTH as u32, OUTPUTS as u32, network.description.len() as u32]
        {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(network.description.as_bytes());
        bytes.extend(network.rows.iter().flat_map(|row| row.0).map(|weight| weight as u8));
        bytes.extend(network.bias.0.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes.extend(network.outputs.iter().flat_map(|row| row.0).map(|weight| weight as u8));
        bytes.extend(network.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        signed(bytes)
    }

    fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    #[test]
    fn a_network_is_read_back() {
        let network = random(3);
        assert_eq!(PolicyNetwork::read(&bytes_of(&network)), Ok(network));
    }

    #[test]
    fn wrong_files_are_refused() {
        let bytes = bytes_of(&random(4));
        let refusal = |bytes: &[u8]| PolicyNetwork::read(bytes).expect_err("it is wrong");
        assert_eq!(refusal(b"RUKH net"), BadPolicy::Foreign);
        assert_eq!(refusal(&bytes[..20]), BadPolicy::Foreign);
        let with = |at: usize, byte: u8| {
            let mut broken = bytes.clone();
            broken[at] = byte;
            refusal(&broken)
        };
        assert_eq!(with(8, 9), BadPolicy::Version(9));
        assert_eq!(with(17, 1), BadPolicy::Architecture([INPUTS as u32, 256, OUTPUTS as u32]));
        assert!(matches!(with(24, 0), BadPolicy::Length { .. }));
        assert!(matches!(with(26, 255), BadPolicy::Length { .. }), "a description without end");
        assert_eq!(with(bytes.len() / 2, bytes[bytes.len() / 2] ^ 1), BadPolicy::Damaged);
        assert!(matches!(refusal(&bytes[..bytes.len() - 1]), BadPolicy::Length { .. }));
        let mut great = random(4);
        great.output_bias[7] = OUTPUT_BIAS_MAX + 1;
        assert_eq!(refusal(&bytes_of(&great)), BadPolicy::Bias(OUTPUT_BIAS_MAX + 1));
        great.output_bias[7] = i32::MIN;
        assert_eq!(refusal(&bytes_of(&great)), BadPolicy::Bias(i32::MIN));
    }
}
