//! Portable Game Notation: games with comments, marks and variations.

mod lexer;
mod model;
mod reader;
mod writer;

pub use model::{Line, PgnGame, PgnMove};
pub use reader::{Games, PgnError, PgnFault, decode};
