//! Self-play: games of the engine against itself, stored with their scores.
//!
//! A game follows from the settings, the seed and its number alone: nothing learnt in one game is known in another. So the
//! games are the same however many threads play them, and an interrupted file goes on where it ends.

mod beginning;
mod game;
mod harvest;
mod inside;
mod met;
mod store;

pub use game::{Played, SelfPlay};
pub use inside::InsideStore;
pub use store::{Store, StoreError, Stored};
