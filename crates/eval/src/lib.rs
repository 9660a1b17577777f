//! What a position is worth.

#![forbid(unsafe_code)]

pub mod evaluator;
pub mod hce;
pub mod score;

pub use evaluator::Evaluator;
pub use hce::Classical;
pub use score::{MAX_PLY, Score, Verdict};
