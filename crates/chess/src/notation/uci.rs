//! UCI moves (long algebraic notation): `e2e4`, `e7e8q`, castling as `e1g1` or `e1h1`.

use alloc::format;
use alloc::string::String;
use core::fmt;

use super::illegal::IllegalMove;
use super::quote::Quoted;
use crate::position::Position;
use crate::types::{Bitboard, Color, File, Move, MoveKind, Piece, Square, Wing};

/// The notation of castling. Both are parsed in every game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CastlingNotation {
    /// The target square of the king, `e1g1`: standard chess.
    #[default]
    KingTarget,
    /// The square of the rook, `e1h1`: Chess960.
    RookSquare,
}

impl CastlingNotation {
    /// The notation that is unambiguous in `position` and after it: the target of the king if every king and rook with
    /// castling rights is on its square of standard chess, the square of the rook otherwise.
    pub fn of(position: &Position) -> Self {
        let is_standard = |color| {
            let rooks = position.castling().rooks_of(color);
            let corners = Bitboard::file(File::A) | Bitboard::file(File::H);
            rooks.is_empty() || position.king(color).file() == File::E && rooks.is_subset_of(corners)
        };
        if Color::ALL.into_iter().all(is_standard) { Self::KingTarget } else { Self::RookSquare }
    }
}

/// The fault of a UCI move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UciMoveError {
    /// The text is not two squares with an optional promotion.
    Malformed(Quoted),
    /// The move is not legal.
    Illegal(Quoted, IllegalMove),
}

impl fmt::Display for UciMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(text) => write!(f, "{text} is not a move such as e2e4 or e7e8q"),
            Self::Illegal(text, reason) => write!(f, "{text} is not legal: {reason}"),
        }
    }
}

impl core::error::Error for UciMoveError {}

impl Position {
    /// Parses a legal UCI move.
    ///
    /// Castling is accepted with the target of the king and with the square of the rook. If the former is also a plain
    /// king move, it is that king move.
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciMoveError> {
        let (from, to, promotion) = split(text).ok_or_else(|| UciMoveError::Malformed(Quoted::new(text)))?;
        let moves = self.legal_moves();
        let plain = moves.iter().find(|mv| (mv.from(), mv.to(), mv.promotion()) == (from, to, promotion));
        let castling = || {
            let lands_there = |mv: &&Move| {
                promotion.is_none() && mv.from() == from && self.castling_target(**mv) == Some(to)
            };
            moves.iter().find(lands_there)
        };
        plain.or_else(castling).copied().ok_or_else(|| {
            UciMoveError::Illegal(Quoted::new(text), IllegalMove::explain(self, from, to, promotion))
        })
    }

    /// The target square of the king, if `mv` is castling.
    fn castling_target(&self, mv: Move) -> Option<Square> {
        match mv.kind() {
            MoveKind::CastleKingSide => Some(Wing::King.king_target(self.side_to_move())),
            MoveKind::CastleQueenSide => Some(Wing::Queen.king_target(self.side_to_move())),
            _ => None,
        }
    }

    /// The UCI notation of a legal move.
    pub fn uci(&self, mv: Move, castling: CastlingNotation) -> String {
        let to = match castling {
            CastlingNotation::KingTarget => self.castling_target(mv).unwrap_or(mv.to()),
            CastlingNotation::RookSquare => mv.to(),
        };
        let promotion = mv.promotion().map(Piece::letter);
        format!("{}{to}{}", mv.from(), promotion.map_or_else(String::new, String::from))
    }
}

fn split(text: &str) -> Option<(Square, Square, Option<Piece>)> {
    let promotion = match text.len() {
        4 => None,
        5 => Some(text.chars().last().and_then(Piece::from_letter)?),
        _ => return None,
    };
    Some((text.get(..2)?.parse().ok()?, text.get(2..4)?.parse().ok()?, promotion))
}
