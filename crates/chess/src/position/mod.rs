//! The board and its state: always valid, changed by moves alone.
//!
//! It knows neither how moves are listed or written, nor who listens to its changes.

mod assemble;
mod checks;
mod keys;
mod make;
mod see;
mod state;

pub(crate) use assemble::Parts;
pub use checks::CheckSquares;
pub use keys::Keys;
pub use make::ChangeObserver;
pub use state::{Pins, Position};
