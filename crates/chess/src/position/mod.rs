//! Positions: bitboards and mailbox, Zobrist keys, checkers and pins, make, static exchange evaluation.
//!
//! A position is always legal, and only moves change it. It does not know how moves are generated or written, nor what
//! its observers compute.

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
