//! Attack tables: the squares that a piece attacks from its square.
//!
//! Leapers (pawn, knight, king) have one table entry for each square. Sliders (bishop, rook, queen) use magic bitboards.
//! All tables are computed at compile time. This module does not know positions.

mod factors;
mod leapers;
mod lines;
pub mod magics;
mod sliders;
mod walker;

pub use leapers::{king, knight, pawn};
pub use lines::{between, line};
pub use sliders::{bishop, bishop_rays, queen, rook, rook_rays};
pub use walker::Slider;

use crate::types::{Bitboard, Color, Piece, Square};

/// The squares attacked by a piece on `square` with the given occupancy. The colour matters for pawns only.
#[inline]
pub fn of_piece(color: Color, piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece {
        Piece::Pawn => pawn(color, square),
        Piece::Knight => knight(square),
        Piece::Bishop => bishop(square, occupied),
        Piece::Rook => rook(square, occupied),
        Piece::Queen => queen(square, occupied),
        Piece::King => king(square),
    }
}
