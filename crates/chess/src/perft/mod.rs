//! Perft: counting the lines of a given number of moves, the proof of a move generator.

mod count;
mod divide;
mod table;

pub use count::{perft, perft_listing, perft_staged, perft_testing};
pub use divide::Division;
pub use table::PerftTable;
