//! Capturing the defender: the hero captures, without check, a piece that protects another, and then takes that other
//! piece, now unprotected, or gives mate. The second capture gains: what is taken is not worth less than nothing and
//! not worth more than the taker.

use rukh_chess::Piece;

use super::super::claim::{Finding, NamedPiece};
use super::super::fact::Predicate;
use super::super::kind::ClaimKind;
use super::board::{attackers, is_protected, value};
use super::line::{MotifLine, Step};

/// The first capture of a defender.
pub(super) fn captures_defender(line: &MotifLine) -> Option<Finding> {
    line.own_pairs().find(|(opener, reply, step)| removes(opener, reply, step)).map(|(opener, _, step)| {
        let defends = Predicate::Attacks { from: opener.captured_on(), to: step.to() }.at(opener.at);
        let facts = [defends].into_iter().chain(opener.capture_fact()).chain(step.capture_fact()).collect();
        let mut finding = opener.finding(ClaimKind::CapturesDefender, &[opener.to(), step.to()], facts);
        finding.pieces.extend(NamedPiece::on(opener.before, opener.captured_on()));
        finding.plies = step.plies();
        finding
    })
}

fn removes(opener: &Step<'_>, reply: &Step<'_>, step: &Step<'_>) -> bool {
    let takes = |captured: Piece| {
        step.piece() != Piece::King
            && value(captured) <= value(step.piece())
            && !is_protected(step.before, step.to())
            && reply.to() != step.to()
    };
    let captured = step.before.piece_on(step.to()).filter(|_| step.mv.is_capture());
    let wins = step.after.is_checkmate() || captured.is_some_and(takes);
    let them = !opener.before.side_to_move();
    let is_defender = opener.captured().is_some()
        && attackers(opener.before, them, step.to()).contains(opener.captured_on());
    wins && !opener.after.is_check() && !opener.before.is_check() && opener.to() != step.from() && is_defender
}
