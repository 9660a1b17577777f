//! What a position is worth.

#![deny(unsafe_code)]

pub mod evaluation;
pub mod evaluator;
mod geometry;
pub mod hce;
pub mod knowledge;
mod material;
pub mod nnue;
pub mod score;
mod wdl;

pub use evaluation::{AnyEvaluator, Evaluation};
pub use evaluator::Evaluator;
pub use hce::Classical;
pub use material::Material;
pub use nnue::Network;
pub use score::{MAX_PLY, Score, Verdict};
pub use wdl::wdl;
