//! Perft: counting the lines of a given number of moves, the proof of a move generator.

mod count;
#[cfg(feature = "std")]
mod divide;
#[cfg(feature = "std")]
mod table;

pub use count::{perft, perft_listing, perft_staged, perft_testing};
#[cfg(feature = "std")]
pub use divide::Division;
#[cfg(feature = "std")]
pub use table::PerftTable;
