//! Pin and its use: a piece is pinned to its king and therefore either cannot take a piece of the hero that is worth
//! more or is unprotected, or cannot escape from the pinning piece, which is worth less, or wins it because it is
//! unprotected.

use rukh_chess::{Bitboard, Color, Piece, Position, Square, attacks};

use super::super::claim::Finding;
use super::super::fact::Predicate;
use super::super::kind::ClaimKind;
use super::board::{attackers, attacks_from, is_protected, pinned_by, value};
use super::line::{MotifLine, Step};

/// The first used pin of the line.
pub(super) fn pin(line: &MotifLine) -> Option<Finding> {
    line.own().find_map(|step| {
        let board = step.after;
        let them = board.color(board.side_to_move());
        them.into_iter().find_map(|square| {
            let by = pinned_by(board, square)?;
            let use_of = prevents_attack(board, square).or_else(|| prevents_escape(board, square, by))?;
            Some(pinned(&step, square, by, use_of))
        })
    })
}

/// The squares along which a pinned piece may move.
fn pin_line(board: &Position, square: Square) -> Bitboard {
    attacks::line(board.king(board.side_to_move()), square)
}

/// The piece that the pinned piece cannot take, as the use of the pin.
fn prevents_attack(board: &Position, square: Square) -> Option<Option<Square>> {
    let pinned = board.piece_on(square)?;
    let heroes = board.color(!board.side_to_move());
    let targets = attacks_from(board, square) & heroes & !pin_line(board, square);
    let is_real = |target: &Square| {
        let worth_more = board.piece_on(*target).is_some_and(|piece| value(piece) > value(pinned));
        worth_more || !is_protected(board, *target)
    };
    targets.into_iter().find(is_real).map(Some)
}

/// Whether the pinned piece is lost to the piece that pins it: a use of the pin that names no other piece.
fn prevents_escape(board: &Position, square: Square, by: Square) -> Option<Option<Square>> {
    let pinned = board.piece_on(square)?;
    let pinning = board.piece_on(by)?;
    let them = board.side_to_move();
    let line = pin_line(board, square);
    let could_leave = || {
        let to = match pinned {
            Piece::Pawn => pawn_moves(board, square),
            _ => attacks_from(board, square) & !board.color(them),
        };
        !(to & !line).is_empty()
    };
    let is_lost = value(pinned) > value(pinning)
        || (!is_protected(board, square) && !attackers(board, them, by).contains(square) && could_leave());
    is_lost.then_some(None)
}

/// The pushes and captures of a pawn of the side to move, without regard to pins.
fn pawn_moves(board: &Position, square: Square) -> Bitboard {
    let them = board.side_to_move();
    let forward = if them == Color::White { 1 } else { -1 };
    let captures = attacks_from(board, square) & board.color(!them);
    let push = square.offset(0, forward).filter(|&to| board.piece_on(to).is_none());
    captures | push.map_or(Bitboard::EMPTY, Bitboard::of)
}

fn pinned(step: &Step<'_>, square: Square, by: Square, target: Option<Square>) -> Finding {
    let board = step.after;
    let ply = step.plies();
    let king = board.king(board.side_to_move());
    let mut facts = vec![Predicate::Pin { pinned: square, by, target: king }.at(ply)];
    facts.extend(target.map(|to| Predicate::Attacks { from: square, to }.at(ply)));
    let squares: Vec<_> = [by, square].into_iter().chain(target).collect();
    step.finding(ClaimKind::Pin, &squares, facts)
}
