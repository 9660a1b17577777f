//! The legality test of any 16-bit move, for moves from the transposition table and killer slots, which may come from
//! another position.

use super::generate::Masks;
use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Black, Color, Move, MoveKind, Piece, Rank, Side, Square, White, Wing};

impl Position {
    /// Whether `mv` is legal: true exactly if the generator lists it.
    pub fn is_legal(&self, mv: Move) -> bool {
        match self.side_to_move() {
            Color::White => is_legal::<White>(self, mv),
            Color::Black => is_legal::<Black>(self, mv),
        }
    }
}

fn is_legal<Us: Side>(position: &Position, mv: Move) -> bool {
    let us = Us::COLOR;
    let (from, to) = (mv.from(), mv.to());
    let Some(piece) = position.piece_on(from) else { return false };
    if !position.color(us).contains(from) {
        return false;
    }
    match mv.kind() {
        MoveKind::CastleKingSide => piece == Piece::King && may_castle::<Us>(position, Wing::King, to),
        MoveKind::CastleQueenSide => piece == Piece::King && may_castle::<Us>(position, Wing::Queen, to),
        MoveKind::EnPassant => {
            position.en_passant() == Some(to) && position.en_passant_capturers(to).contains(from)
        }
        _ => reaches(position, piece, mv) && keeps_king_safe(position, piece, from, to),
    }
}

fn may_castle<Us: Side>(position: &Position, wing: Wing, rook: Square) -> bool {
    let king = position.king(Us::COLOR);
    let is_right_rook = position.castling().rook(Us::COLOR, wing, king) == Some(rook);
    is_right_rook && !position.is_check() && Masks::new::<Us>(position).can_castle::<Us>(rook)
}

/// Whether the piece can move like that and the kind fits (pseudo-legality).
fn reaches(position: &Position, piece: Piece, mv: Move) -> bool {
    let us = position.side_to_move();
    let (from, to) = (mv.from(), mv.to());
    let is_pawn = piece == Piece::Pawn;
    let is_capture = position.color(!us).contains(to);
    let is_double = is_pawn && from.rank().index().abs_diff(to.rank().index()) == 2;
    let is_promotion = is_pawn && to.rank() == Rank::Eighth.relative_to(us);
    let is_kind_right = (mv.is_capture(), mv.kind() == MoveKind::DoublePush, mv.is_promotion())
        == (is_capture, is_double, is_promotion);
    is_kind_right && reachable(position, piece, from).contains(to)
}

/// The pseudo-legal targets of a piece of the side to move, without castling and en passant.
pub(crate) fn reachable(position: &Position, piece: Piece, from: Square) -> Bitboard {
    let us = position.side_to_move();
    let occupied = position.occupied();
    let attacked = attacks::of_piece(us, piece, from, occupied);
    if piece != Piece::Pawn {
        return attacked & !position.color(us);
    }
    let up = if us == Color::White { 8 } else { -8 };
    let push = Bitboard::of(from).shifted(up) & !occupied;
    let is_home = from.rank() == Rank::Second.relative_to(us);
    let double_push = if is_home { push.shifted(up) & !occupied } else { Bitboard::EMPTY };
    push | double_push | attacked & position.color(!us)
}

/// Whether the own king is not attacked after a move from `from` to `to` that is neither castling nor en passant.
fn keeps_king_safe(position: &Position, piece: Piece, from: Square, to: Square) -> bool {
    let us = position.side_to_move();
    let king = position.king(us);
    if piece == Piece::King {
        let without_king = position.occupied() ^ Bitboard::of(king);
        return !position.attackers_to(to, without_king).intersects(position.color(!us));
    }
    let stays_in_line = !position.pins().all().contains(from) || attacks::line(king, from).contains(to);
    let answers_check = match (position.checkers().first(), position.checkers().has_many()) {
        (None, _) => true,
        (Some(checker), false) => checker == to || attacks::between(king, checker).contains(to),
        (Some(_), true) => false,
    };
    stays_in_line && answers_check
}
