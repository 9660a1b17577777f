//! Self-play: games of the engine against itself, stored with their scores.
//!
//! A game follows from the settings, the seed and its number alone: nothing learnt in one game is known in another. So the
//! games are the same however many threads play them, and an interrupted file is resumed where it ends.

mod game;
mod opening;
mod runner;
mod store;
mod tree_sample_set;
mod tree_sample_store;

pub(crate) use game::HASH;
pub use game::{Played, SelfPlay};
pub(crate) use runner::run_numbered;
pub use store::{GameStoreError, Store, Stored};
pub use tree_sample_store::TreeSampleStore;
