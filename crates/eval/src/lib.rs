//! What a position is worth.

#![forbid(unsafe_code)]

pub mod evaluator;
pub mod score;

pub use evaluator::Evaluator;
pub use score::{MAX_PLY, Score, Verdict};
