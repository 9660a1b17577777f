//! Perft: the number of move sequences of a given length, the test of a move generator.
//!
//! With the feature `std` it runs on several threads and uses a table.

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
