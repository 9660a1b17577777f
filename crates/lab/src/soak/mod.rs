//! Soak test: very short games of random settings through protocol sessions, in which every line is checked.
//!
//! A game is one session, UCI or XBoard, in this process. Its settings and commands depend only on the seed and its number;
//! the moves may depend on the clock. What an engine does between two lines is unknown here.

mod conversation;
mod facts;
mod report;
mod runner;
mod scenario;
mod settings;
mod tally;
mod uci;
mod xboard;

pub use facts::Counts;
pub use runner::{Fault, Played, SoakError};
pub use settings::Soak;
pub use tally::Tally;
