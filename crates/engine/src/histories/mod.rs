//! What a search remembers of moves, one law for all.

mod gravity;
mod tables;

pub use gravity::Gravity;
pub use tables::{Before, Histories, ManTo, QuietHistories};
