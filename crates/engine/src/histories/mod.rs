//! What a search remembers of moves, one law for all.

mod context;
mod gravity;
mod piece_to;
mod tables;

pub use context::{Before, Context, Threats};
pub use gravity::Gravity;
pub use piece_to::PieceTo;
pub use tables::{Histories, Made, QuietHistories};
