//! What a search remembers of moves, one law for all.

mod context;
mod gravity;
mod man_to;
mod tables;

pub use context::{Before, Context, Threats};
pub use gravity::Gravity;
pub use man_to::ManTo;
pub use tables::{Histories, Made, QuietHistories};
