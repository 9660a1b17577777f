//! Portable Game Notation: games with comments, marks and variations.

mod fault;
mod lexer;
mod model;
mod reader;
mod writer;

pub use fault::{PgnError, PgnFault};
pub use model::{Line, PgnGame, PgnMove};
pub use reader::{Games, decode};
