//! Which squares a man attacks from where it stands.

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

use crate::types::{Bitboard, Piece, Square};

/// The squares a man other than a pawn attacks from `square` when the squares of `occupied` are taken; pawns, whose
/// attacks depend on their colour, attack nothing here.
#[inline]
pub fn of_piece(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece {
        Piece::Pawn => Bitboard::EMPTY,
        Piece::Knight => knight(square),
        Piece::Bishop => bishop(square, occupied),
        Piece::Rook => rook(square, occupied),
        Piece::Queen => queen(square, occupied),
        Piece::King => king(square),
    }
}
