//! Threats: attacks on weak pieces, now or after one move.
//!
//! It needs the attacks of all pieces in the `context`.

use rukh_chess::types::{Rank, Side};
use rukh_chess::{Bitboard, Piece, attacks};

use super::context::Context;
use super::trace::{Ledger, Trace};
use super::weights;
use crate::geometry::{forward, rank_of};

/// Evaluates the threats of `Us`.
#[inline]
pub(super) fn threats<Us: Side>(context: &Context<'_>, ledger: &mut Ledger<'_, impl Trace>) {
    let (us, them) = (Us::COLOR, !Us::COLOR);
    let position = context.position;
    let (ours, theirs) = (&context.attacks[us], &context.attacks[them]);
    let enemies = position.color(them);
    let pieces = enemies & !position.pieces(Piece::Pawn) & !position.pieces(Piece::King);
    // Protected by a pawn, or twice while not attacked twice.
    let protected_well = theirs[Piece::Pawn] | context.double[them] & !context.double[us];
    let weak = enemies & !protected_well & context.all[us] & !position.pieces(Piece::King);
    let well_protected_pieces = pieces & protected_well;

    let by_minor = (weak | well_protected_pieces) & (ours[Piece::Knight] | ours[Piece::Bishop]);
    for victim in by_minor {
        let kind = position.piece_on(victim).expect("a piece stands on an occupied square");
        ledger.add::<Us>(weights::THREAT_BY_MINOR.at(kind.index()), 1);
    }
    for victim in weak & ours[Piece::Rook] {
        let kind = position.piece_on(victim).expect("a piece stands on an occupied square");
        ledger.add::<Us>(weights::THREAT_BY_ROOK.at(kind.index()), 1);
    }
    ledger.add_if::<Us>(weak.intersects(ours[Piece::King]), weights::THREAT_BY_KING.one());
    let hanging = weak & (!context.all[them] | pieces & context.double[us]);
    ledger.add::<Us>(weights::HANGING.one(), hanging.count() as i32);
    ledger.add::<Us>(weights::PROTECTED_BY_QUEEN.one(), (weak & theirs[Piece::Queen]).count() as i32);
    let contested = context.all[them] & !protected_well & context.all[us];
    ledger.add::<Us>(weights::RESTRICTED.one(), contested.count() as i32);

    by_pawns::<Us>(context, pieces, ledger);
    on_queen::<Us>(context, ledger);
}

/// Pieces attacked by safe pawns, or by pawns after a safe advance.
#[inline]
fn by_pawns<Us: Side>(context: &Context<'_>, pieces: Bitboard, ledger: &mut Ledger<'_, impl Trace>) {
    let (us, them) = (Us::COLOR, !Us::COLOR);
    let pawns = context.colored_pieces(us, Piece::Pawn);
    let safe = !context.all[them] | context.all[us];
    for victim in pieces & (pawns & safe).pawn_attacks(us) {
        let kind = context.position.piece_on(victim).expect("a piece stands on an occupied square");
        ledger.add::<Us>(weights::THREAT_BY_PAWN.at(kind.index()), 1);
    }
    let empty = !context.occupied;
    let once = forward::<Us>(pawns) & empty;
    let twice = forward::<Us>(once & rank_of(us, Rank::Third)) & empty;
    let pushed = (once | twice) & !context.attacks[them][Piece::Pawn] & safe;
    let attacked = pushed.pawn_attacks(us) & pieces & !context.attacks[us][Piece::Pawn];
    ledger.add::<Us>(weights::PAWN_PUSH_THREAT.one(), attacked.count() as i32);
}

/// Safe squares from which the enemy queen can be attacked.
#[inline]
fn on_queen<Us: Side>(context: &Context<'_>, ledger: &mut Ledger<'_, impl Trace>) {
    let (us, them) = (Us::COLOR, !Us::COLOR);
    let queens = context.colored_pieces(them, Piece::Queen);
    let Some(queen) = queens.first() else { return };
    if queens.has_many() {
        return;
    }
    let (ours, theirs) = (&context.attacks[us], &context.attacks[them]);
    let safe = context.mobility_area[us]
        & !context.position.color(us)
        & !theirs[Piece::Pawn]
        & (!context.all[them]
            | context.double[us]
            | theirs[Piece::Queen] & !context.double[them] & context.all[us]);
    let knights = ours[Piece::Knight] & attacks::knight(queen) & safe;
    ledger.add::<Us>(weights::KNIGHT_ON_QUEEN.one(), knights.count() as i32);
    let sliders = ours[Piece::Bishop] & attacks::bishop(queen, context.occupied)
        | ours[Piece::Rook] & attacks::rook(queen, context.occupied);
    let supported = sliders & safe & context.double[us];
    ledger.add::<Us>(weights::SLIDER_ON_QUEEN.one(), supported.count() as i32);
}
