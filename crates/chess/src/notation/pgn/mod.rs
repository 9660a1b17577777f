//! PGN (Portable Game Notation): games with comments, NAGs and variations.

mod fault;
mod lexer;
mod model;
mod reader;
mod writer;

pub use fault::{PgnError, PgnFault};
pub use model::{PgnGame, PgnMove, Variation};
pub use reader::{Games, decode};
