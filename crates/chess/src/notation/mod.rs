//! Notations: FEN, EPD, SAN, UCI moves and PGN.
//!
//! Parsers accept any text and never panic. An error is one sentence that names the fault.

mod epd;
mod fen;
mod illegal;
pub mod pgn;
mod quote;
mod san;
mod uci;

pub use epd::{Epd, EpdError, Operation};
pub use fen::{CastlingStyle, FenError};
pub use illegal::IllegalMove;
pub use quote::Quoted;
pub use san::SanError;
pub use uci::{CastlingNotation, UciMoveError};
