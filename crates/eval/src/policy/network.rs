//! The policy network: its weights in integers, and the logits of legal moves.
//!
//! ```text
//! 3072 inputs -> 512, clipped to [0, 1] and squared -> 3760 outputs, of which those of the legal moves are computed
//! ```
//!
//! In integers 1 is [`ONE`] in the first layer; a square is shifted down to seven bits; 1 is [`OUTPUT_ONE`] in the weights
//! of the outputs. It knows neither files nor search.

use std::fmt;

use rukh_chess::{Move, Position};

use super::inputs::{self, ACTIVE_MAX, INPUTS};
use super::moves::{self, OUTPUTS};
use crate::checksum::checksum;
use crate::nnue::simd::{AlignedBytes, AlignedRow, Instructions};

/// The width of the hidden layer.
pub const WIDTH: usize = 512;
/// The integer that stands for 1 in the first layer.
pub const ONE: i16 = 127;
/// The integer that stands for 1 in the weights of the outputs.
pub const OUTPUT_ONE: i32 = 64;
/// Bits that squares are shifted down by.
pub(crate) const SQUARE_SHIFT: u32 = 7;
/// The square of 1 after the shift.
const SQUARE_ONE: i32 = (ONE as i32 * ONE as i32) >> SQUARE_SHIFT;
/// The integer that stands for 1 in logits.
pub const LOGIT_ONE: i32 = SQUARE_ONE * OUTPUT_ONE;
/// The greatest magnitude of a bias of the hidden layer: with the weights of all pieces it fits in 16 bits.
pub(super) const BIAS_MAX: i16 = 16_384;
/// The greatest magnitude of a bias of an output: with all products it fits in 32 bits.
pub(super) const OUTPUT_BIAS_MAX: i32 = 1 << 24;

const _: () = {
    assert!(BIAS_MAX as i32 + ACTIVE_MAX as i32 * i8::MAX as i32 <= i16::MAX as i32);
    let products = WIDTH as i64 * SQUARE_ONE as i64 * i8::MAX as i64;
    assert!(products + OUTPUT_BIAS_MAX as i64 <= i32::MAX as i64);
};

/// A policy network of integer weights.
#[derive(Clone, PartialEq, Eq)]
pub struct PolicyNetwork {
    pub(super) description: String,
    /// A row for each input.
    pub(super) rows: Box<[AlignedRow<WIDTH>]>,
    pub(super) bias: AlignedRow<WIDTH>,
    /// A row for each output.
    pub(super) outputs: Box<[AlignedBytes<i8, WIDTH>]>,
    pub(super) output_bias: Box<[i32]>,
    pub(super) instructions: Instructions,
}

impl fmt::Debug for PolicyNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PolicyNetwork").field("description", &self.description).finish_non_exhaustive()
    }
}

impl PolicyNetwork {
    /// How it was trained.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// A checksum of all weights.
    pub fn fingerprint(&self) -> u64 {
        let words = self.rows.iter().chain([&self.bias]).flat_map(|row| row.0);
        let mut bytes: Vec<u8> = words.flat_map(i16::to_le_bytes).collect();
        bytes.extend(self.outputs.iter().flat_map(|row| row.0).map(|weight| weight as u8));
        bytes.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        checksum(&bytes)
    }

    /// The same network with other SIMD instructions, which change its speed alone.
    #[must_use]
    pub fn with(self, instructions: Instructions) -> Self {
        Self { instructions, ..self }
    }

    /// Calls `take` with the logit of each of `moves`, which are legal in `position`, in units of 1 / [`LOGIT_ONE`].
    pub fn for_each_logit(&self, position: &Position, moves: &[Move], mut take: impl FnMut(i32)) {
        let perspective = inputs::perspective(position);
        let mut added = [&self.bias; ACTIVE_MAX];
        let mut count = 0;
        for input in inputs::active(position, perspective) {
            added[count] = &self.rows[input];
            count += 1;
        }
        let mut sums = AlignedRow([0; WIDTH]);
        self.instructions.update(&mut sums, &self.bias, &added[..count], &[]);
        let mut hidden = AlignedBytes([0; WIDTH]);
        self.instructions.square_to_bytes(&sums, ONE, SQUARE_SHIFT, &mut hidden);
        // All numbers first: then the products of several moves wait for memory at the same time.
        let numbers: Vec<_> = moves.iter().map(|&mv| moves::output_of(position, perspective, mv)).collect();
        for output in numbers {
            take(self.instructions.dot_bytes(&hidden, &self.outputs[output]) + self.output_bias[output]);
        }
    }

    /// Writes a logit for each of `moves`, which are legal in `position`. The policy is their softmax.
    pub fn logits(&self, position: &Position, moves: &[Move], logits: &mut Vec<f32>) {
        logits.clear();
        self.for_each_logit(position, moves, |logit| logits.push(logit as f32 / LOGIT_ONE as f32));
    }
}

/// The architecture in the usual notation.
pub(super) struct Notation;

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{INPUTS} -> {WIDTH} SCReLU -> {OUTPUTS}")
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use rukh_chess::random::SplitMix64;
    use rukh_chess::setup::Setup;

    /// A network of random weights.
    pub(in super::super) fn random(seed: u64) -> PolicyNetwork {
        let mut random = SplitMix64::new(seed);
        let mut number = |most: i64| random.below(2 * most as u64 + 1) as i64 - most;
        PolicyNetwork {
            description: "random weights".to_owned(),
            rows: (0..INPUTS).map(|_| AlignedRow([0; WIDTH].map(|_: i16| number(127) as i16))).collect(),
            bias: AlignedRow([0; WIDTH].map(|_: i16| number(127) as i16)),
            outputs: (0..OUTPUTS).map(|_| AlignedBytes([0; WIDTH].map(|_: i8| number(127) as i8))).collect(),
            output_bias: (0..OUTPUTS).map(|_| number(9_000) as i32).collect(),
            instructions: Instructions::best(),
        }
    }

    /// The logits by the definition, in 64 bits, without any kernel.
    fn plain(network: &PolicyNetwork, position: &Position, moves: &[Move]) -> Vec<i64> {
        let perspective = inputs::perspective(position);
        let active: Vec<usize> = inputs::active(position, perspective).collect();
        let hidden: Vec<i64> = (0..WIDTH)
            .map(|neuron| {
                let weights = active.iter().map(|&input| i64::from(network.rows[input].0[neuron]));
                let sum = i64::from(network.bias.0[neuron]) + weights.sum::<i64>();
                sum.clamp(0, 127).pow(2) / 128
            })
            .collect();
        let logit = |&mv: &Move| {
            let output = moves::output_of(position, perspective, mv);
            let products = hidden.iter().zip(&network.outputs[output].0);
            products.map(|(&number, &weight)| number * i64::from(weight)).sum::<i64>()
                + i64::from(network.output_bias[output])
        };
        moves.iter().map(logit).collect()
    }

    /// Positions of random games of chess and Chess960.
    fn positions() -> Vec<Position> {
        let mut random = SplitMix64::new(9);
        let mut all = Vec::new();
        for game in 0..30 {
            let number = if game % 2 == 0 { 518 } else { random.below(960) as u16 };
            let mut position = Setup::chess960(number, number).validate().expect("it is a start position");
            for _ in 0..random.below(120) {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                all.push(position.clone());
                position = position.after(moves[random.below(moves.len() as u64) as usize]);
            }
        }
        all
    }

    #[test]
    fn all_instructions_agree_with_the_definition() {
        let network = random(1);
        let families = Instructions::here().into_iter().map(|family| network.clone().with(family));
        let families: Vec<PolicyNetwork> = families.collect();
        for position in positions() {
            let moves = position.legal_moves();
            let expected = plain(&network, &position, &moves);
            for network in &families {
                let mut found = Vec::new();
                network.for_each_logit(&position, &moves, |logit| found.push(i64::from(logit)));
                assert_eq!(found, expected, "{}: {position}", network.instructions);
            }
        }
    }

    #[test]
    fn mirrored_positions_have_mirrored_policies() {
        let network = random(2);
        let logit = |fen: &str, name: &str| {
            let position: Position = fen.parse().expect("it is valid");
            let mv = position.parse_uci(name).expect("it is legal");
            let mut logits = Vec::new();
            network.logits(&position, &[mv], &mut logits);
            logits[0]
        };
        let here = "6k1/P4pp1/4p2p/8/3N4/1P2P3/5PPP/6K1 w - - 0 1";
        let colours = "6k1/5ppp/1p2p3/3n4/8/4P2P/p4PP1/6K1 b - - 0 1";
        let wings = "1k6/1pp4P/p2p4/8/4N3/3P2P1/PPP5/1K6 w - - 0 1";
        for (mv, in_colours, in_wings) in
            [("d4e6", "d5e3", "e4d6"), ("a7a8n", "a2a1n", "h7h8n"), ("g1f1", "g8f8", "b1c1")]
        {
            assert_eq!(logit(here, mv), logit(colours, in_colours));
            assert_eq!(logit(here, mv), logit(wings, in_wings));
        }
        assert_ne!(logit(here, "d4e6"), logit(here, "d4f5"));
    }
}
