//! Illegal moves: the reason in words.

use core::fmt;

use crate::attacks;
use crate::movegen::reachable;
use crate::position::Position;
use crate::types::{Bitboard, Color, Piece, Rank, Square};

/// The reason for which a move from one square to another is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the messages below explain each reason")]
pub enum IllegalMove {
    Empty { from: Square },
    NotOurs { from: Square, side_to_move: Color },
    OwnPieceThere { to: Square },
    Unreachable { piece: Piece, from: Square, to: Square },
    KingInCheckAfter { piece: Piece, from: Square, to: Square },
    NeedsPromotion { from: Square, to: Square },
    NoPromotion { piece: Piece, from: Square, to: Square },
    CannotCastle,
}

impl IllegalMove {
    /// The reason why there is no legal move from `from` to `to` with this promotion.
    pub(super) fn explain(position: &Position, from: Square, to: Square, promotion: Option<Piece>) -> Self {
        let side_to_move = position.side_to_move();
        let Some(piece) = position.piece_on(from) else { return Self::Empty { from } };
        if !position.color(side_to_move).contains(from) {
            return Self::NotOurs { from, side_to_move };
        }
        let legal = position.legal_moves();
        let mut legal = legal.iter().filter(|mv| (mv.from(), mv.to()) == (from, to));
        if let Some(same_squares) = legal.next() {
            return match promotion {
                None if same_squares.is_promotion() => Self::NeedsPromotion { from, to },
                _ => Self::NoPromotion { piece, from, to },
            };
        }
        let is_at_home =
            [from, to].into_iter().all(|square| Bitboard::back_rank(side_to_move).contains(square));
        let goes_two_files = from.file().index().abs_diff(to.file().index()) > 1;
        let is_own_rook = position.castling().rooks_of(side_to_move).contains(to);
        if piece == Piece::King && is_at_home && (goes_two_files || is_own_rook) {
            return Self::CannotCastle;
        }
        if position.color(side_to_move).contains(to) {
            return Self::OwnPieceThere { to };
        }
        let is_en_passant = piece == Piece::Pawn && would_capture_en_passant(position, from, to);
        if is_en_passant || reachable(position, piece, from).contains(to) {
            Self::KingInCheckAfter { piece, from, to }
        } else {
            Self::Unreachable { piece, from, to }
        }
    }
}

/// Whether the move would be an en-passant capture, if it did not expose the king.
///
/// A position has no en-passant square without a legal capture. So whether the last move was a double push is guessed from
/// the board and the halfmove clock.
fn would_capture_en_passant(position: &Position, from: Square, to: Square) -> bool {
    let us = position.side_to_move();
    let beside = |rank: Rank| Square::new(to.file(), rank.relative_to(us));
    let path = Bitboard::of(to) | Bitboard::of(beside(Rank::Seventh));
    to == beside(Rank::Sixth)
        && attacks::pawn(us, from).contains(to)
        && position.colored_pieces(!us, Piece::Pawn).contains(beside(Rank::Fifth))
        && !position.occupied().intersects(path)
        && position.halfmove_clock() == 0
        && !position.en_passant_capturers(to).contains(from)
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Empty { from } => write!(f, "there is no piece on {from}"),
            Self::NotOurs { from, side_to_move } => {
                write!(f, "{side_to_move} is to move, and the piece on {from} is not its own")
            }
            Self::OwnPieceThere { to } => write!(f, "a piece of the same side stands on {to}"),
            Self::Unreachable { piece, from, to } => write!(f, "the {piece} on {from} cannot go to {to}"),
            Self::KingInCheckAfter { piece: Piece::King, to, .. } => {
                write!(f, "the king would be in check on {to}")
            }
            Self::KingInCheckAfter { piece, from, to } => {
                write!(f, "the king would be in check after the {piece} goes from {from} to {to}")
            }
            Self::NeedsPromotion { from, to } => {
                write!(
                    f,
                    "the pawn that goes from {from} to {to} must become a queen, rook, bishop or knight"
                )
            }
            Self::NoPromotion { piece, from, to } => {
                write!(f, "the {piece} that goes from {from} to {to} cannot become that")
            }
            Self::CannotCastle => write!(f, "castling is not possible there now"),
        }
    }
}

impl core::error::Error for IllegalMove {}
