//! Why a move is not legal, in words.

use std::fmt;

use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, Piece, Square};

/// Why the man on one square cannot go to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the sentences below say what each one means")]
pub enum IllegalMove {
    Empty { from: Square },
    NotOurs { from: Square, side_to_move: Color },
    OwnManThere { to: Square },
    Unreachable { piece: Piece, from: Square, to: Square },
    KingInCheckAfter { piece: Piece, from: Square, to: Square },
    NeedsPromotion { from: Square, to: Square },
    NoPromotion { piece: Piece, from: Square, to: Square },
    CannotCastle,
}

impl IllegalMove {
    /// Finds why there is no legal move from `from` to `to`, promoting or not.
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
        let goes_two_files = from.file().index().abs_diff(to.file().index()) > 1;
        if piece == Piece::King && (goes_two_files || position.castling().rooks().contains(to)) {
            return Self::CannotCastle;
        }
        if position.color(side_to_move).contains(to) {
            return Self::OwnManThere { to };
        }
        if can_reach(position, piece, from, to) {
            Self::KingInCheckAfter { piece, from, to }
        } else {
            Self::Unreachable { piece, from, to }
        }
    }
}

/// Whether the man moves like that, with no thought for the king.
fn can_reach(position: &Position, piece: Piece, from: Square, to: Square) -> bool {
    let occupied = position.occupied();
    if piece != Piece::Pawn {
        return attacks::of_piece(piece, from, occupied).contains(to);
    }
    let us = position.side_to_move();
    let up = if us == Color::White { 8 } else { -8 };
    let push = Bitboard::of(from).shifted(up) & !occupied;
    let is_home = from.rank() == crate::types::Rank::Second.relative_to(us);
    let double_push = if is_home { push.shifted(up) & !occupied } else { Bitboard::EMPTY };
    (push | double_push | attacks::pawn(us, from) & position.color(!us)).contains(to)
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Empty { from } => write!(f, "there is no man on {from}"),
            Self::NotOurs { from, side_to_move } => {
                write!(f, "{side_to_move} is to move, and the man on {from} is not its own")
            }
            Self::OwnManThere { to } => write!(f, "a man of the same side stands on {to}"),
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

impl std::error::Error for IllegalMove {}
