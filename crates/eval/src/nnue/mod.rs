//! NNUE, the efficiently updatable neural network: its description, its file, and its inference.
//!
//! It knows positions and moves, not search. The files, each using only those before it: `activation`, [`features`]
//! (inputs), [`simd`] (kernels), [`description`] (how an architecture is described), [`arch`] (the current one, which the
//! trainer shares), `layers` (dense layers), `network` (the weights), `file`, `accumulator` (the feature transformer
//! along a line of moves), `evaluator` (what a search uses), `report` (the same for people).

mod accumulator;
mod activation;
pub mod arch;
pub mod description;
mod evaluator;
pub mod features;
mod file;
mod layers;
mod network;
mod report;
pub mod simd;

pub use activation::Activation;
pub use arch::Current;
pub use description::{Architecture, NetworkKind};
pub use evaluator::Nnue;
pub use file::BadNetwork;
pub use network::{BadWeights, QuantisedNetwork};
pub use report::{NetworkTrace, trace};

/// A network of the current architecture.
pub type Network = QuantisedNetwork<Current>;
/// The evaluator of a network of the current architecture.
pub(crate) type NnueEvaluator = Nnue<Current>;
