//! Clearance: the hero moves a piece away, and its next move goes with a slider to the vacated square or across it. The
//! first move is neither a promotion nor castling; it captured nothing, or went where it is en prise. The second move
//! captures nothing, answers no check, and is no check that hunts the king which has just moved.

use rukh_chess::{Piece, attacks};

use super::super::claim::Finding;
use super::super::fact::Predicate;
use super::super::kind::ClaimKind;
use super::board::{is_en_prise, is_slider};
use super::line::{MotifLine, Step};

/// The first clearance of the line.
pub(super) fn clearance(line: &MotifLine) -> Option<Finding> {
    line.own_pairs().find(|(opener, reply, step)| clears(opener, reply, step)).map(|(opener, _, step)| {
        let facts = vec![
            Predicate::Piece { color: line.hero(), piece: opener.piece(), square: opener.from() }
                .at(opener.at),
        ];
        let mut finding = opener.finding(ClaimKind::Clearance, &[step.from(), opener.to()], facts);
        finding.plies = step.plies();
        finding
    })
}

fn clears(opener: &Step<'_>, reply: &Step<'_>, step: &Step<'_>) -> bool {
    let crosses =
        opener.from() == step.to() || attacks::between(step.from(), step.to()).contains(opener.from());
    let is_offer = opener.captured().is_none() || is_en_prise(opener.after, opener.to());
    step.before.piece_on(step.to()).is_none()
        && is_slider(step.arrived())
        && !opener.mv.is_promotion()
        && !opener.mv.is_castling()
        && opener.to() != step.from()
        && opener.to() != step.to()
        && !step.before.is_check()
        && (!step.after.is_check() || reply.piece() != Piece::King)
        && crosses
        && is_offer
}
