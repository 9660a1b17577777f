//! Construction of a position from validated parts.

use super::keys::Keys;
use super::state::{Pins, Position};
use crate::types::{Bitboard, Black, ByColor, ByPiece, BySquare, Castling, Color, Piece, Square, White};

/// The parts of a position; [`crate::setup::Setup`] has validated them.
pub(crate) struct Parts<'a> {
    pub(crate) board: &'a [Option<(Color, Piece)>; Square::COUNT],
    pub(crate) side_to_move: Color,
    pub(crate) castling_rooks: Bitboard,
    pub(crate) en_passant: Option<Square>,
    pub(crate) halfmove_clock: u16,
    pub(crate) fullmove_number: u32,
}

impl Position {
    /// The position with these parts, which must be valid.
    pub(crate) fn assemble(parts: &Parts<'_>) -> Self {
        let mut position = Self {
            pieces: ByPiece::default(),
            colors: ByColor::default(),
            board: BySquare([None; Square::COUNT]),
            keys: Keys::EMPTY,
            checkers: Bitboard::EMPTY,
            pins: Pins::default(),
            castling: Castling::with_rooks(parts.castling_rooks),
            fullmove_number: parts.fullmove_number,
            halfmove_clock: parts.halfmove_clock,
            en_passant: None,
            side_to_move: parts.side_to_move,
        };
        for (square, occupant) in Square::ALL.into_iter().zip(parts.board) {
            if let &Some((color, piece)) = occupant {
                position.place(color, piece, square, &mut ());
            }
        }
        position.keys.toggle_castling(parts.castling_rooks);
        match parts.side_to_move {
            Color::White => position.update_checks::<White>(),
            Color::Black => {
                position.keys.toggle_side();
                position.update_checks::<Black>();
            }
        }
        if let Some(square) = parts.en_passant {
            position.set_en_passant(square);
        }
        position
    }
}
