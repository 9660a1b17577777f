//! What a position is worth.

#![forbid(unsafe_code)]

pub mod evaluator;
pub mod hce;
mod material;
pub mod score;
mod wdl;

pub use evaluator::Evaluator;
pub use hce::Classical;
pub use material::Material;
pub use score::{MAX_PLY, Score, Verdict};
pub use wdl::wdl;
