//! A small network whose weights follow a formula, the same as in `scripts/teacher made`.

use std::sync::Arc;

use half::f16;
use rukh_chess::Position;
use rukh_leaf_network::file::{MAGIC, NetworkFile, Part, Size, VERSION, checksum, parts};
use rukh_leaf_network::{Backend, LargeNetwork};

pub(crate) const SMALL: Size = Size { width: 8, layers: 2 };

/// A number from -1 to 1 for each weight of each part.
fn noise(part: usize, at: usize) -> f64 {
    let mut number = (at as u64 + 1 + 1_000_003 * part as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    number ^= number >> 32;
    number = number.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    number ^= number >> 32;
    (number >> 40) as f64 / f64::from(1 << 23) - 1.0
}

fn weight(number: usize, part: &Part, at: usize) -> f16 {
    let noise = noise(number, at);
    let exact = if part.name.ends_with("running_var") || part.name.contains("norm.weight") {
        1.0 + 0.4 * noise
    } else if part.shape.len() < 2 || part.name == "squares" {
        0.2 * noise
    } else {
        2.5 * noise / f64::from(part.shape[1..].iter().product::<usize>() as u32).sqrt()
    };
    f16::from_f32(exact as f32)
}

/// The bytes of a file without its checksum.
pub(crate) fn unsigned(size: Size, description: &str) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for number in [VERSION, size.width as u32, size.layers as u32, description.len() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(description.as_bytes());
    for (number, part) in parts(size).iter().enumerate() {
        bytes.extend((0..part.count()).flat_map(|at| weight(number, part, at).to_le_bytes()));
    }
    bytes
}

pub(crate) fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// The file of a network.
pub(crate) fn file(size: Size, description: &str) -> NetworkFile {
    NetworkFile::read(&signed(unsigned(size, description))).expect("it is whole")
}

/// The small network on the CPU. Networks with different descriptions share nothing.
pub(crate) fn network(description: &str) -> Arc<LargeNetwork> {
    LargeNetwork::open(file(SMALL, description), Backend::Cpu, |_| {}).expect("it can be opened")
}

pub(crate) fn position(fen: &str) -> Position {
    fen.parse().expect("the positions are valid")
}
