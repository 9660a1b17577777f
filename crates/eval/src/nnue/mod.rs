//! The network: what a position is worth, learnt from our own games.
//!
//! From below: `arch` (the sizes), `features` (what the first layer sees), `simd` (sums over whole layers: the one room
//! whose safety the compiler does not check), `network` (the weights and their file), `accumulator` (the first layer, kept along a line), `neural`
//! (the evaluator a search uses), `report` (the same for people).

mod accumulator;
pub mod arch;
pub mod features;
pub mod network;
mod neural;
mod report;
pub mod simd;

pub use network::{BadNetwork, Network};
pub use neural::NnueEvaluator;
pub use report::{NetworkTrace, trace};
