//! How far passed pawns will get: what depends on the pieces and kings.

use rukh_chess::types::{Side, Wing};
use rukh_chess::{Bitboard, Piece, Square, attacks};

use super::context::Context;
use super::trace::{Ledger, Trace};
use super::weights;
use crate::geometry::{distance, edge_distance, forward, forward_file, relative_rank};

/// Kings further away than this are all the same.
const FAR: i32 = 5;

/// Judges the passed pawns of `Us`; the pawn structure has already counted their rank.
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
    let way = forward_file(us, pawn);

    ledger.add::<Us>(weights::PASSED_OWN_KING.at(rank), distance(context.kings[us], stop).min(FAR));
    ledger.add::<Us>(weights::PASSED_ENEMY_KING.at(rank), distance(context.kings[them], stop).min(FAR));
    ledger.add::<Us>(weights::PASSED_INSIDE.one(), edge_distance(pawn.file()) as i32);

    let majors = context.position.pieces(Piece::Rook) | context.position.pieces(Piece::Queen);
    let behind = forward_file(them, pawn) & majors & attacks::rook(pawn, context.occupied);
    let is_driven = behind.intersects(context.position.color(us));
    let is_chased = behind.intersects(context.position.color(them));
    ledger.add_if::<Us>(is_driven, weights::PASSED_DRIVEN.one());

    if context.position.color(them).contains(stop) {
        ledger.add::<Us>(weights::PASSED_BLOCKED.at(rank), 1);
    } else if !context.occupied.contains(stop) {
        let held = context.all[them] | context.position.color(them);
        let attacked = if is_chased { way } else { way & held };
        if !attacked.contains(stop) {
            ledger.add::<Us>(weights::PASSED_FREE_STOP.at(rank), 1);
            ledger.add_if::<Us>(attacked.is_empty(), weights::PASSED_FREE_PATH.at(rank));
        }
        let helped = is_driven || context.all[us].contains(stop);
        ledger.add_if::<Us>(helped, weights::PASSED_HELPED_STOP.at(rank));
    }
    ledger.add_if::<Us>(is_unstoppable::<Us>(context, pawn, way), weights::PASSED_UNSTOPPABLE.one());
}

/// Against king and pawns alone: whether the enemy king is outside the square of the pawn, and nothing is in the way.
#[inline]
fn is_unstoppable<Us: Side>(context: &Context<'_>, pawn: Square, way: Bitboard) -> bool {
    let (us, them) = (Us::COLOR, !Us::COLOR);
    let pieces = context.position.color(them)
        & !(context.colored_pieces(them, Piece::Pawn) | context.colored_pieces(them, Piece::King));
    if !pieces.is_empty() || way.intersects(context.occupied) {
        return false;
    }
    let back = Wing::King.king_target(them).rank();
    let goal = Square::new(pawn.file(), back);
    let steps = distance(pawn, goal) - i32::from(relative_rank(us, pawn).index() == 1);
    let chase = distance(context.kings[them], goal) - i32::from(context.position.side_to_move() == them);
    chase > steps
}
