//! What a search remembers of moves, one law for all.

mod context;
mod gravity;
mod tables;

pub use context::{Before, Context, Threats};
pub use gravity::Gravity;
pub use tables::{Histories, ManTo, QuietHistories};
