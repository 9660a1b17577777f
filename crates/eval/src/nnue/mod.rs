//! NNUE, the efficiently updatable neural network: its description, its file, and its inference.
//!
//! It knows positions and moves, not search. The files, each using only those before it: [`activation`], [`features`]
//! (inputs), [`simd`] (kernels), [`arch`] (the description that the trainer shares), `layers` (dense layers), [`network`]
//! (the weights), [`mod@file`], `accumulator` (the feature transformer along a line of moves), [`evaluator`] (what a search
//! uses), `report` (the same for people).

mod accumulator;
pub mod activation;
pub mod arch;
pub mod evaluator;
pub mod features;
pub mod file;
mod layers;
pub mod network;
mod report;
pub mod simd;

pub use activation::Activation;
pub use arch::{Architecture, Current, NetworkKind};
pub use evaluator::Nnue;
pub use file::BadNetwork;
pub use network::{BadWeights, QuantisedNetwork};
pub use report::{NetworkTrace, trace};

/// A network of the current architecture.
pub type Network = QuantisedNetwork<Current>;
/// The evaluator of a network of the current architecture.
pub type NnueEvaluator = Nnue<Current>;
