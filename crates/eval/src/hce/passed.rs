//! Passed pawns: the terms that depend on pieces and kings.
//!
//! The pawn structure has found them and has counted their rank.

use rukh_chess::types::{Side, Wing};
use rukh_chess::{Bitboard, Piece, Square, attacks};

use super::context::Context;
use super::trace::{Ledger, Trace};
use super::weights;
use crate::geometry::{distance, edge_distance, forward, forward_file, relative_rank};

/// The greatest distance of a king that counts.
const FAR: i32 = 5;

/// Evaluates the passed pawns of `Us`.
#[inline]
pub(super) fn passed<Us: Side>(context: &Context<'_>, ledger: &mut Ledger<'_, impl Trace>) {
    for pawn in context.pawns.passed[Us::COLOR] {
        one::<Us>(context, pawn, ledger);
    }
}

#[inline]
fn one<Us: Side>(context: &Context<'_>, pawn: Square, ledger: &mut Ledger<'_, impl Trace>) {
    let (us, them) = (Us::COLOR, !Us::COLOR);
    let rank = relative_rank(us, pawn).index();
    let stop_set = forward::<Us>(Bitboard::of(pawn));
    let stop = stop_set.first().expect("a pawn never stands on the last rank");
    let path = forward_file(us, pawn);

    ledger.add::<Us>(weights::PASSED_OWN_KING.at(rank), distance(context.kings[us], stop).min(FAR));
    ledger.add::<Us>(weights::PASSED_ENEMY_KING.at(rank), distance(context.kings[them], stop).min(FAR));
    ledger.add::<Us>(weights::PASSED_INSIDE.one(), edge_distance(pawn.file()) as i32);

    let majors = context.position.pieces(Piece::Rook) | context.position.pieces(Piece::Queen);
    let behind = forward_file(them, pawn) & majors & attacks::rook(pawn, context.occupied);
    let is_supported_from_behind = behind.intersects(context.position.color(us));
    let is_attacked_from_behind = behind.intersects(context.position.color(them));
    ledger.add_if::<Us>(is_supported_from_behind, weights::PASSED_ROOK_BEHIND.one());

    if context.position.color(them).contains(stop) {
        ledger.add::<Us>(weights::PASSED_BLOCKED.at(rank), 1);
    } else if !context.occupied.contains(stop) {
        let held = context.all[them] | context.position.color(them);
        let attacked = if is_attacked_from_behind { path } else { path & held };
        if !attacked.contains(stop) {
            ledger.add::<Us>(weights::PASSED_FREE_STOP.at(rank), 1);
            ledger.add_if::<Us>(attacked.is_empty(), weights::PASSED_FREE_PATH.at(rank));
        }
        let helped = is_supported_from_behind || context.all[us].contains(stop);
        ledger.add_if::<Us>(helped, weights::PASSED_HELPED_STOP.at(rank));
    }
    ledger.add_if::<Us>(is_unstoppable::<Us>(context, pawn, path), weights::PASSED_UNSTOPPABLE.one());
}

/// The rule of the square: the enemy has king and pawns alone, the king is outside the square, the path is free.
#[inline]
fn is_unstoppable<Us: Side>(context: &Context<'_>, pawn: Square, path: Bitboard) -> bool {
    let (us, them) = (Us::COLOR, !Us::COLOR);
    let pieces = context.position.color(them)
        & !(context.colored_pieces(them, Piece::Pawn) | context.colored_pieces(them, Piece::King));
    if !pieces.is_empty() || path.intersects(context.occupied) {
        return false;
    }
    let back = Wing::King.king_target(them).rank();
    let goal = Square::new(pawn.file(), back);
    let steps = distance(pawn, goal) - i32::from(relative_rank(us, pawn).index() == 1);
    let chase = distance(context.kings[them], goal) - i32::from(context.position.side_to_move() == them);
    chase > steps
}
