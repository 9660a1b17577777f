//! The architecture of the network: the one description that inference, the network file and the trainer share.
//!
//! Each side sees the board from its own perspective. Its active features go through the feature transformer, which both
//! perspectives share; the two accumulators, side to move first, pass an activation and then the dense layers, of which
//! there is one set for each output bucket. [`Current`] is the architecture of the built-in network:
//!
//! ```text
//! 768 features -> 1024 pairwise -> 512 bytes \
//!                                             > 16 SCReLU -> 32 SCReLU -> 1 output, in 8 output buckets by piece count
//! 768 features -> 1024 pairwise -> 512 bytes /
//! ```
//!
//! The units are powers of two: 256 in the accumulators, 128 in the products (bytes), 8,192 in the activations of hidden
//! layers (13 bits). The first hidden layer has weights of eight bits and skips blocks of four products that are zero.
//!
//! # Where to change what
//!
//! Code and tests follow from the description, so a change is one of this file and of the network:
//!
//! | change | files |
//! |---|---|
//! | width of the feature transformer, a multiple of 32 | `WIDTH` here; `networks/default.net` |
//! | king buckets: how many, and the table from squares to buckets | `KING_BUCKETS` here; `networks/default.net` |
//! | number of output buckets | `output_buckets` of [`Current`]; `networks/default.net` |
//! | one of the known activations | `activation` of a layer here; `networks/default.net` |
//! | a hidden layer | one more [`Layer`] in `dense` of [`Current`], with pairwise products before the first; `networks/default.net` |
//! | quantisation of a layer | `weights` and `bias` of the layer here; `networks/default.net` |
//! | a new activation | `activation.rs` and `simd/`; its tensors in `crates/train/src/model.rs` and its loops in `crates/train/src/dense.rs`; here; `networks/default.net` |
//!
//! There are two forms, with SIMD kernels for each: pairwise products and hidden layers, or SCReLU and an output layer alone:
//!
//! ```text
//! 768 features -> 1024 SCReLU \
//!                              > 1 output, in 8 output buckets
//! 768 features -> 1024 SCReLU /
//! ```
//!
//! The second one has the unit 255 in accumulators and 128 in the weights of its output.
//!
//! A new architecture has no network yet, but for king buckets: a network without them is read, and each bucket gets its
//! weights. `EVALFILE=none` in the environment of cargo builds one of zero weights in: the
//! tests of this crate and of the trainer pass with it, but for two of the built-in network, and `EVALFILE=none cargo run
//! --release -p rukh-train` trains the first network. King buckets are trained with a factoriser, which the trainer adds
//! by itself.
//!
//! This file must not know how anything is computed; `description.rs` has the types.

use super::activation::{Activation, BYTE_ONE, HIDDEN_ONE};
use super::description::{Architecture, Layer, NetworkKind, Quantisation, Stored};
use super::features::InputSet;
use super::simd::{AlignedRow, Row};

/// The width of the feature transformer.
const WIDTH: usize = 1024;
/// The bucket of each square of the own king, rank by rank from its own first rank, files a to d.
const KING_BUCKETS: InputSet = InputSet::ONE_BUCKET;
/// The integer that stands for 1 in accumulators.
const QA: i32 = 256;
/// Biases of hidden layers are at most this, so that sums fit in 32 bits.
const HIDDEN_BIAS_MAX: i32 = 1 << 24;
/// Internal units of an output of 1. It is near the scale of the logistic curve that the results of games follow, so that
/// what decides games is learnt best.
pub const SCALE: i32 = 165;

/// The architecture of the built-in network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Current;

// ANCHOR: architecture
impl NetworkKind for Current {
    type Row = AlignedRow<WIDTH>;
    const ARCHITECTURE: Architecture = Architecture {
        inputs: KING_BUCKETS,
        transformer: Layer {
            name: "feature transformer",
            width: WIDTH,
            activation: Activation::Pairwise,
            // The rows of 32 pieces and the bias sum up to less than 16 bits hold.
            weights: Quantisation { one: QA, max: 505, stored: Stored::I16 },
            bias: Quantisation { one: QA, max: 505, stored: Stored::I16 },
        },
        dense: &[
            Layer {
                name: "first hidden layer",
                width: 16,
                activation: Activation::Screlu,
                weights: Quantisation { one: 64, max: 127, stored: Stored::I8 },
                bias: Quantisation { one: BYTE_ONE * 64, max: HIDDEN_BIAS_MAX, stored: Stored::I32 },
            },
            Layer {
                name: "second hidden layer",
                width: 32,
                activation: Activation::Screlu,
                weights: Quantisation { one: 256, max: 2_047, stored: Stored::I16 },
                bias: Quantisation { one: HIDDEN_ONE * 256, max: HIDDEN_BIAS_MAX, stored: Stored::I32 },
            },
            Layer {
                name: "output",
                width: 1,
                activation: Activation::Linear,
                weights: Quantisation { one: 256, max: 2_047, stored: Stored::I16 },
                bias: Quantisation { one: HIDDEN_ONE * 256, max: HIDDEN_BIAS_MAX, stored: Stored::I32 },
            },
        ],
        output_buckets: 8,
        scale: SCALE,
    };
}
// ANCHOR_END: architecture

const _: () = Current::ARCHITECTURE.assert_valid(<Current as NetworkKind>::Row::WIDTH);
