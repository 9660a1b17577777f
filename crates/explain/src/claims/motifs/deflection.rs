//! Deflection: a check or an offered piece draws an opponent's piece away from a square that it guarded, and the hero
//! then captures or promotes there.
//!
//! The deflected piece either took the offered piece or answered a check; it guarded the square before (or the
//! promotion file in front of the pawn) and does not guard it after. What is captured is not worth more than the
//! capturing piece, and the hero's bait was not itself a gain.

use rukh_chess::Piece;

use super::super::claim::Finding;
use super::super::fact::Predicate;
use super::super::kind::ClaimKind;
use super::board::{attacks_from, value};
use super::line::{MotifLine, Step};

/// The first deflection of the line.
pub(super) fn deflection(line: &MotifLine) -> Option<Finding> {
    line.own_pairs().find_map(|(bait, reply, step)| {
        is_deflection(&bait, &reply, &step).then(|| {
            let ply = bait.plies();
            let guarded = if attacks_from(bait.after, reply.from()).contains(step.to()) {
                step.to()
            } else {
                step.from()
            };
            let facts = [
                Predicate::Attacks { from: reply.from(), to: guarded }.at(ply),
                Predicate::AttacksNot { from: reply.to(), to: step.to() }.at(reply.plies()),
            ];
            let facts = facts
                .into_iter()
                .chain(step.capture_fact())
                .chain(step.mv.promotion().map(|piece| Predicate::Promotes { piece }.at(step.plies())))
                .collect();
            let mut finding =
                bait.finding(ClaimKind::Deflection, &[bait.to(), reply.from(), step.to()], facts);
            finding.plies = step.plies();
            finding
        })
    })
}

fn is_deflection(bait: &Step<'_>, reply: &Step<'_>, step: &Step<'_>) -> bool {
    let captured = step.before.piece_on(step.to()).filter(|_| step.mv.is_capture());
    if captured.is_none() && !step.mv.is_promotion() {
        return false;
    }
    if captured.is_some_and(|piece| value(piece) > value(step.piece())) {
        return false;
    }
    let square = step.to();
    let gains = bait.captured().is_some_and(|piece| value(piece) >= order(bait.piece()));
    let was_drawn = reply.to() == bait.to() || bait.after.is_check();
    let guards = attacks_from(bait.after, reply.from());
    let blocked =
        step.mv.is_promotion() && square.file() == reply.from().file() && guards.contains(step.from());
    !gains
        && square != reply.to()
        && square != bait.to()
        && was_drawn
        && (guards.contains(square) || blocked)
        && !attacks_from(step.before, reply.to()).contains(square)
}

/// The order of the pieces from 1 to 6.
fn order(piece: Piece) -> i32 {
    piece.index() as i32 + 1
}
