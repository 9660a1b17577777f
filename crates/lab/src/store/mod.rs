//! The store of games: the same games as in viriformat in a third of the bytes, with a manifest and checksums.
//!
//! Moves are places in a list ordered by likelihood and scores are differences, both written by an arithmetic coder whose
//! probabilities adapt. docs/store.md describes the format.

pub(crate) mod coder;
mod file;
mod game;
pub(crate) mod moves;
pub(crate) mod numbers;

pub use file::{StoreError, StoreManifest, StoreReader, StoreWriter};
