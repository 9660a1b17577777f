//! Which squares a piece attacks from where it stands.

mod factors;
mod lines;
pub mod magics;
mod sliders;
mod steppers;
mod walker;

pub use lines::{between, line};
pub use sliders::{bishop, bishop_rays, queen, rook, rook_rays};
pub use steppers::{king, knight, pawn};
pub use walker::Slider;

use crate::types::{Bitboard, Color, Piece, Square};

/// The squares a piece attacks from `square` when the squares of `occupied` are taken; its colour matters to pawns alone.
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
