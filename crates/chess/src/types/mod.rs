//! Basic types: colours, pieces, squares, bitboards, moves, castling rights.
//!
//! This module does not know how pieces move.

mod bitboard;
mod castling;
mod color;
mod enums;
mod mv;
mod piece;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use castling::{Castling, Wing};
pub use color::{Black, ByColor, Color, Side, White};
pub use mv::{Move, MoveKind};
pub use piece::{ByPiece, Piece};
pub use square::{BySquare, File, NotASquare, Rank, Square};
