//! The architecture of the network: the one description that inference, the network file and the trainer share.
//!
//! Each side sees the board from its own perspective. Its active features go through the feature transformer, which both
//! perspectives share; the two accumulators, side to move first, pass an activation and then the dense layers, of which
//! there is one set for each output bucket. [`Current`] is the architecture of the built-in network:
//!
//! ```text
//! 768 features -> 1024 SCReLU \
//!                              > 1 output, in 8 output buckets by piece count
//! 768 features -> 1024 SCReLU /
//! ```
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
//! There are two forms, with SIMD kernels for each: SCReLU and an output layer alone, or pairwise products and hidden layers.
//! The second one:
//!
//! ```text
//! 768 features -> 1024 pairwise -> 512 bytes \
//!                                             > 16 SCReLU -> 32 SCReLU -> 1 output, in 8 output buckets
//! 768 features -> 1024 pairwise -> 512 bytes /
//! ```
//!
//! Its units are powers of two: 256 in the accumulators, 128 in the products (bytes), 8,192 in the activations of hidden
//! layers (13 bits). The first hidden layer has weights of eight bits and skips blocks of four products that are zero.
//!
//! A new architecture has no network yet, but for king buckets: a network without them is read, and each bucket gets its
//! weights. `EVALFILE=none` in the environment of cargo builds one of zero weights in: the
//! tests of this crate and of the trainer pass with it, but for two of the built-in network, and `EVALFILE=none cargo run
//! --release -p rukh-train` trains the first network. King buckets are trained with a factoriser, which the trainer adds
//! by itself.
//!
//! This file must not know how anything is computed; `description.rs` has the types.

use super::activation::Activation;
use super::description::{Architecture, Layer, NetworkKind, Quantisation, Stored};
use super::features::InputSet;
use super::simd::{AlignedRow, Row};

/// The width of the feature transformer.
const WIDTH: usize = 1024;
/// The bucket of each square of the own king, rank by rank from its own first rank, files a to d.
const KING_BUCKETS: InputSet = InputSet::ONE_BUCKET;
/// The integer that stands for 1 in accumulators and activations.
const QA: i32 = 255;
/// The integer that stands for 1 in the weights of dense layers.
const QB: i32 = 128;
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
            activation: Activation::Screlu,
            // The rows of 32 pieces and the bias sum up to less than 16 bits hold.
            weights: Quantisation { one: QA, max: 505, stored: Stored::I16 },
            bias: Quantisation { one: QA, max: 505, stored: Stored::I16 },
        },
        dense: &[Layer {
            name: "output",
            width: 1,
            activation: Activation::Linear,
            // The SCReLU kernel multiplies them in 16 bits.
            weights: Quantisation { one: QB, max: 127, stored: Stored::I16 },
            bias: Quantisation { one: QA * QB, max: i32::MAX, stored: Stored::I32 },
        }],
        output_buckets: 8,
        scale: SCALE,
    };
}
// ANCHOR_END: architecture

const _: () = Current::ARCHITECTURE.assert_valid(<Current as NetworkKind>::Row::WIDTH);
