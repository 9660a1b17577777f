//! The policy network: a small network on the CPU that gives the tree search a probability for each legal move.
//!
//! It is trained by `scripts/policy` from a large teacher and from deep searches. It knows positions and moves, not search.
//! The files, each using only those before it: [`inputs`], [`moves`] (outputs), `network`, `file`, `built_in`.

mod built_in;
mod file;
pub mod inputs;
pub mod moves;
mod network;

pub use file::BadPolicy;
pub use network::{LOGIT_ONE, ONE, OUTPUT_ONE, PolicyNetwork, WIDTH};
