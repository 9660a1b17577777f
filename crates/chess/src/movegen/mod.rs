//! Legal moves: all of them, or in the stages a search wants.

mod checking;
mod generate;
mod legality;
mod sink;

pub use checking::Checking;
pub(crate) use generate::generate;
pub use generate::{All, Noisy, Quiet, Stage};
pub(crate) use legality::reachable;
pub use sink::{MoveCount, MoveList, MoveSink, MoveStore};
