#![doc = include_str!("../README.md")]
//!
//! Static evaluation of chess positions: scores, the classical evaluation, the neural network (NNUE).
//!
//! It knows nothing of search. [`Evaluator`] is the interface that a search uses; [`Evaluation`] chooses between the
//! [classical](hce) evaluation and the [network](nnue), which share chess [`knowledge`]. The [`policy`] network is for tree
//! searches.

#![deny(unsafe_code)]

// Before the modules that use its macro.
#[macro_use]
pub mod tunable;

mod centipawns;
pub mod checksum;
mod evaluation;
mod evaluator;
mod geometry;
pub mod hce;
pub mod knowledge;
mod material;
pub mod nnue;
pub mod params;
pub mod policy;
pub mod score;
mod wdl;

pub use centipawns::Centipawns;
pub use evaluation::{AnyEvaluator, Evaluation};
pub use evaluator::Evaluator;
pub use hce::Classical;
pub use material::Material;
pub use nnue::Network;
pub use policy::PolicyNetwork;
pub use score::{MAX_PLY, Score, ScoreKind};
pub use wdl::{wdl, win_draw_loss};
