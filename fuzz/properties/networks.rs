//! Network files: refused in one sentence, or they evaluate.
//!
//! A small architecture stands for that of the engine, whose file has megabytes: the code that reads it is the same.

use std::sync::{Arc, LazyLock};

use rukh_chess::Position;
use rukh_eval::nnue::description::{Layer, Quantisation, Stored};
use rukh_eval::nnue::features::{InputSet, PlacedPiece};
use rukh_eval::nnue::simd::AlignedRow;
use rukh_eval::nnue::{Activation, Architecture, NetworkKind, QuantisedNetwork};
use rukh_eval::{Evaluation, Network, PolicyNetwork};

use super::static_score;

/// One king bucket, width 32.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Small;

impl NetworkKind for Small {
    type Row = AlignedRow<32>;
    const ARCHITECTURE: Architecture = {
        let quantisation = Quantisation { one: 255, max: 505, stored: Stored::I16 };
        let weights = Quantisation { one: 64, max: 127, stored: Stored::I8 };
        let bias = Quantisation { one: 255 * 64, max: i32::MAX, stored: Stored::I32 };
        Architecture {
            inputs: InputSet { king_buckets: [0; InputSet::KING_SQUARES] },
            transformer: Layer {
                name: "feature transformer",
                width: 32,
                activation: Activation::Screlu,
                weights: quantisation,
                bias: quantisation,
            },
            dense: &[Layer { name: "output", width: 1, activation: Activation::Linear, weights, bias }],
            output_buckets: 2,
            scale: 165,
        }
    };
}

/// The file of a small network.
static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let file = QuantisedNetwork::<Small>::zero().described("small").to_bytes();
    let mut again = file.clone();
    sign(&mut again);
    assert_eq!(again, file, "the checksum is that of network files");
    file
});

/// Writes the checksum of a network file, without which nothing behind the header would be read.
fn sign(bytes: &mut [u8]) {
    let Some((content, sum)) = bytes.split_last_chunk_mut::<8>() else { return };
    *sum = content
        .chunks(8)
        .fold(0xCBF2_9CE4_8422_2325_u64, |sum, chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x0100_0000_01B3).rotate_left(29)
        })
        .to_le_bytes();
}

/// A network file is refused in one sentence or evaluates. The input is a file of its own; and its first two bytes choose a
/// place of the file of a small network, which the others overwrite. A third kind of place is its end, which they extend.
pub(crate) fn network(input: &[u8]) {
    check(Network::read(input).err().map(|error| error.to_string()));
    check(PolicyNetwork::read(input).err().map(|error| error.to_string()));
    let Some((place, patch)) = input.split_first_chunk() else { return };
    let mut bytes = FILE.clone();
    let place = usize::from(u16::from_le_bytes(*place)) % (bytes.len() + 1);
    let end = (place + patch.len()).min(bytes.len());
    bytes[place..end].copy_from_slice(&patch[..end - place]);
    bytes.extend_from_slice(&patch[end - place..]);
    read(&bytes);
    sign(&mut bytes);
    read(&bytes);
}

fn check(error: Option<String>) {
    assert!(error.is_none_or(|error| error.lines().count() == 1));
}

fn read(bytes: &[u8]) {
    match QuantisedNetwork::<Small>::read(bytes) {
        Ok(network) => {
            let position = Position::default();
            let pieces: Vec<PlacedPiece> = PlacedPiece::all_of(&position).collect();
            let value = network.evaluate(position.side_to_move(), &pieces);
            assert!(value.abs() < i32::MAX / 2, "the arithmetic does not overflow");
            let again = QuantisedNetwork::<Small>::read(&network.to_bytes());
            assert!(again.is_ok_and(|again| again == network), "it is written as it was read");
        }
        Err(error) => check(Some(error.to_string())),
    }
}

/// The same with the network of the engine, whose first 64 KiB are overwritten.
pub(crate) fn built_in_network(input: &[u8]) {
    let Some((place, patch)) = input.split_first_chunk() else { return };
    let mut bytes = Network::built_in().to_bytes();
    let place = usize::from(u16::from_le_bytes(*place));
    let end = (place + patch.len()).min(bytes.len());
    bytes[place..end].copy_from_slice(&patch[..end - place]);
    for _ in 0..2 {
        match Network::read(&bytes) {
            Ok(network) => {
                let score = static_score(&Evaluation::Network(Arc::new(network)), &Position::default());
                assert!(!score.is_decisive(), "an evaluation proves nothing");
            }
            Err(error) => check(Some(error.to_string())),
        }
        sign(&mut bytes);
    }
}
