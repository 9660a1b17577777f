//! Fork: a piece other than the king moves (a rook also by castling) to a square where it is not en prise and attacks two
//! pieces at once. Each of them is no pawn and is worth more than the forking piece, or it is unprotected and does not
//! attack back. The fork must not be the last move of the line: its use has to be seen.

use rukh_chess::{Piece, Square};

use super::super::claim::Finding;
use super::super::fact::Predicate;
use super::super::kind::ClaimKind;
use super::board::{attackers, attacks_from, is_en_prise, is_protected, value};
use super::line::{MotifLine, Step};

/// The first fork of the line.
pub(super) fn fork(line: &MotifLine) -> Option<Finding> {
    let steps = line.own().filter(|step| step.at + 1 < line.plies());
    steps.into_iter().find_map(|step| step.arrivals().into_iter().find_map(|square| forks(&step, square)))
}

fn forks(step: &Step<'_>, square: Square) -> Option<Finding> {
    let board = step.after;
    let piece = board.piece_on(square).filter(|&piece| piece != Piece::King)?;
    if is_en_prise(board, square) {
        return None;
    }
    let them = board.side_to_move();
    let moved = value(piece);
    let is_target = |target: &Square| {
        let Some(piece) = board.piece_on(*target).filter(|&piece| piece != Piece::Pawn) else { return false };
        let attacks_back = attackers(board, them, square).contains(*target);
        value(piece) > moved || (!is_protected(board, *target) && !attacks_back)
    };
    let targets: Vec<_> =
        (attacks_from(board, square) & board.color(them)).into_iter().filter(is_target).collect();
    if targets.len() < 2 {
        return None;
    }
    let ply = step.plies();
    let facts = targets.iter().map(|&to| Predicate::Attacks { from: square, to }.at(ply)).collect();
    Some(step.finding(ClaimKind::Fork, &[&[square], targets.as_slice()].concat(), facts))
}
