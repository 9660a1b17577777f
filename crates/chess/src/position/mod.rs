//! The board and its state: always valid, changed by moves alone.
//!
//! It knows neither how moves are listed or written, nor who listens to its changes.

mod checks;
mod keys;
mod make;
mod see;
mod state;

pub use keys::Keys;
pub use make::ChangeObserver;
pub(crate) use make::Parts;
pub use state::{Pins, Position};
