//! The file of a network: a header, a description, the weights as 16-bit floats, a checksum.
//!
//! All numbers are little-endian. The header is eight letters and four numbers of 32 bits: the format version, the width, the
//! number of residual blocks and the length of the description. After it come the description and the weights in the order of
//! [`parts`], each as PyTorch lays it out; then the checksum (u64). `scripts/teacher export` writes it. This module knows shapes,
//! not what is computed with them.

use std::path::Path;
use std::{fmt, fs};

use half::f16;

use crate::encoding::{PLANES, SQUARES};

/// The format version. It also changes with the meaning of the inputs and the outputs.
pub const VERSION: u32 = 1;
/// The first bytes of a file.
pub const MAGIC: [u8; 8] = *b"RUKHleaf";
/// Numbers for each square in the value head.
pub(crate) const NARROW: usize = 32;
/// Neurons of the value head.
pub(crate) const VALUE_NEURONS: usize = 128;
/// Outputs of the value head: logits of win, draw and loss, and of the expected score, which the search does not use.
pub(crate) const VALUES: usize = 4;
/// Numbers for each square in the policy head.
pub(crate) const POLICY_WIDTH: usize = 64;
/// The greatest width and number of blocks: more is no network but a damaged header.
const SIZE_MAX: [u32; 2] = [4_096, 512];
/// Longer descriptions are refused.
const DESCRIPTION_MAX: usize = 4_096;
/// The width is a multiple of this: squeeze and excitation has a quarter of it.
pub(crate) const SQUEEZE: usize = 4;

/// The size of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Channels of the residual blocks.
    pub width: usize,
    /// Residual blocks.
    pub layers: usize,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {}", self.width, self.layers)
    }
}

/// A part of the weights: its name in PyTorch and its shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The name.
    pub name: String,
    /// The shape.
    pub shape: Vec<usize>,
}

impl Part {
    fn new(name: &str, shape: &[usize]) -> Self {
        Self { name: name.to_owned(), shape: shape.to_vec() }
    }

    /// The number of weights.
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }
}

/// The parts of a network of this size, in the order of the file.
pub fn parts(size: Size) -> Vec<Part> {
    let width = size.width;
    let mut parts =
        vec![Part::new("squares", &[1, width, 8, 8]), Part::new("begin.weight", &[width, PLANES, 3, 3])];
    let norm = |parts: &mut Vec<Part>, name: &str| {
        for field in ["weight", "bias", "running_mean", "running_var"] {
            parts.push(Part::new(&format!("{name}.{field}"), &[width]));
        }
    };
    let linear = |parts: &mut Vec<Part>, name: &str, inputs: usize, outputs: usize| {
        parts.push(Part::new(&format!("{name}.weight"), &[outputs, inputs]));
        parts.push(Part::new(&format!("{name}.bias"), &[outputs]));
    };
    norm(&mut parts, "norm");
    for layer in 0..size.layers {
        for convolution in ["first", "second"] {
            let name = format!("layers.{layer}.{convolution}");
            parts.push(Part::new(&format!("{name}.weight"), &[width, width, 3, 3]));
            norm(&mut parts, &format!("{name}_norm"));
        }
        linear(&mut parts, &format!("layers.{layer}.squeeze"), width, width / SQUEEZE);
        linear(&mut parts, &format!("layers.{layer}.excite"), width / SQUEEZE, 2 * width);
    }
    linear(&mut parts, "heads.narrow", width, NARROW);
    linear(&mut parts, "heads.gather", NARROW * SQUARES, VALUE_NEURONS);
    linear(&mut parts, "heads.value", VALUE_NEURONS, VALUES);
    linear(&mut parts, "heads.source", width, POLICY_WIDTH);
    linear(&mut parts, "heads.target", width, POLICY_WIDTH);
    parts
}

/// The contents of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkFile {
    /// The size.
    pub size: Size,
    /// The description of the training.
    pub description: String,
    /// The weights of each of the [`parts`].
    pub weights: Vec<Vec<f32>>,
    /// The checksum.
    pub checksum: u64,
}

/// Why a file is no network for this program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadNetwork {
    /// It does not begin as a network does.
    Foreign,
    /// It has another format version.
    Version(u32),
    /// No network has such a width and number of blocks.
    Size([u32; 2]),
    /// It ends too early or too late.
    Length {
        /// Bytes that it should have.
        expected: usize,
        /// Bytes that it has.
        found: usize,
    },
    /// Its checksum does not match.
    Damaged,
    /// A weight of this part is no finite number, or a variance is negative.
    Weight(String),
}

impl fmt::Display for BadNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => f.write_str("it is no leaf network of Rukh"),
            Self::Version(version) => {
                write!(f, "it is a leaf network of version {version}; this program reads version {VERSION}")
            }
            Self::Size([width, layers]) => {
                write!(f, "a network of {width} channels and {layers} blocks cannot be used")
            }
            Self::Length { expected, found } => write!(f, "it has {found} bytes, not {expected}"),
            Self::Damaged => f.write_str("it is damaged: its checksum does not match"),
            Self::Weight(part) => write!(f, "a weight of {part} is no usable number"),
        }
    }
}

impl std::error::Error for BadNetwork {}

impl NetworkFile {
    /// Reads the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, BadNetwork> {
        let mut rest = bytes;
        if take(&mut rest, MAGIC.len())? != MAGIC {
            return Err(BadNetwork::Foreign);
        }
        let version = number(&mut rest)?;
        if version != VERSION {
            return Err(BadNetwork::Version(version));
        }
        let found = [number(&mut rest)?, number(&mut rest)?];
        let is_possible = found.iter().zip(SIZE_MAX).all(|(size, most)| (1..=most).contains(size));
        if !is_possible || !found[0].is_multiple_of(SQUEEZE as u32) {
            return Err(BadNetwork::Size(found));
        }
        let size = Size { width: found[0] as usize, layers: found[1] as usize };
        let length = number(&mut rest)? as usize;
        let parts = parts(size);
        let count: usize = parts.iter().map(Part::count).sum();
        let header = bytes.len() - rest.len();
        let expected = header + length.min(DESCRIPTION_MAX) + size_of::<f16>() * count + size_of::<u64>();
        if bytes.len() != expected {
            return Err(BadNetwork::Length { expected, found: bytes.len() });
        }
        let (content, sum) = bytes.split_at(bytes.len() - size_of::<u64>());
        let checksum = checksum(content);
        if sum != checksum.to_le_bytes() {
            return Err(BadNetwork::Damaged);
        }
        let description = String::from_utf8_lossy(take(&mut rest, length)?).into_owned();
        let weights = parts.iter().map(|part| read_part(part, &mut rest)).collect::<Result<_, _>>()?;
        Ok(Self { size, description, weights, checksum })
    }

    /// Loads a file, or says in one sentence why it cannot be loaded.
    pub fn load(path: &Path) -> Result<Self, String> {
        let cannot = |error: &dyn fmt::Display| format!("{} cannot be loaded: {error}", path.display());
        let bytes = fs::read(path).map_err(|error| cannot(&error))?;
        Self::read(&bytes).map_err(|error| cannot(&error))
    }
}

fn read_part(part: &Part, rest: &mut &[u8]) -> Result<Vec<f32>, BadNetwork> {
    let bytes = take(rest, size_of::<f16>() * part.count())?;
    let number = |bytes: &[u8]| f16::from_le_bytes(bytes.try_into().expect("there are two")).to_f32();
    let weights: Vec<f32> = bytes.chunks_exact(size_of::<f16>()).map(number).collect();
    let is_variance = part.name.ends_with("running_var");
    let is_usable = |weight: &f32| weight.is_finite() && !(is_variance && *weight < 0.0);
    match weights.iter().all(is_usable) {
        true => Ok(weights),
        false => Err(BadNetwork::Weight(part.name.clone())),
    }
}

/// A checksum that changes with every bit: FNV-1a over words of eight bytes, as in the other network files.
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0xCBF2_9CE4_8422_2325, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x0100_0000_01B3).rotate_left(29)
    })
}

fn take<'b>(bytes: &mut &'b [u8], count: usize) -> Result<&'b [u8], BadNetwork> {
    let (taken, rest) = bytes.split_at_checked(count).ok_or(BadNetwork::Foreign)?;
    *bytes = rest;
    Ok(taken)
}

fn number(bytes: &mut &[u8]) -> Result<u32, BadNetwork> {
    Ok(u32::from_le_bytes(take(bytes, 4)?.try_into().expect("four were taken")))
}
