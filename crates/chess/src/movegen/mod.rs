//! Move generation: legal moves, all at once or in stages, and the legality test of a single move.
//!
//! This module does not order moves and does not know the search.

mod checking;
mod generate;
mod legality;
mod sink;

pub use checking::Checking;
pub(crate) use generate::generate;
pub use generate::{All, Noisy, Quiet, Stage};
pub(crate) use legality::reachable;
pub use sink::{MoveCount, MoveList, MoveSink, MoveStore};
