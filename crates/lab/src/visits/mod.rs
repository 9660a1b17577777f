//! Visit distributions: self-play of the tree search that keeps what every search has learnt about its root.
//!
//! A game has for each move the policy target over the legal moves, WDL of the root, the move that was played, and at the end
//! its result. [`VisitPlay`] plays them, [`VisitWriter`] and [`VisitReader`] keep them in a dense file, which docs/store.md
//! describes. A game follows from the settings, the seed and its number alone, as far as the network gives the same numbers
//! again. Nothing is trained here.

mod census;
mod code;
mod error;
mod game;
mod layout;
mod manifest;
mod play;
mod raw;
mod reader;
mod settings;
mod writer;

pub use census::VisitCensus;
pub use error::VisitError;
pub use game::{End, Resignation, UNITS, VisitGame, VisitPly};
pub use manifest::VisitManifest;
pub use raw::{VISIT_RECORD_BYTES, packed_game, raw_records};
pub use reader::VisitReader;
pub use settings::VisitPlay;
pub use writer::{VisitWriter, Written};

#[cfg(test)]
mod tests;
