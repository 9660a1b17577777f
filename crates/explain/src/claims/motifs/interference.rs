//! Interference: a piece lands between an opponent's slider and a piece that it protects, and that piece, now
//! unprotected, is captured. The interfering piece is the hero's, or, in self-interference, the opponent's own.

use rukh_chess::{Position, Square, attacks};

use super::super::claim::Finding;
use super::super::fact::Predicate;
use super::super::kind::ClaimKind;
use super::board::{attackers, is_protected, is_slider};
use super::line::{MotifLine, Step};

/// The first interference of the line.
pub(super) fn interference(line: &MotifLine) -> Option<Finding> {
    line.own_pairs().find_map(|(opener, reply, step)| {
        if step.before.piece_on(step.to()).is_none()
            || step.captured().is_none()
            || is_protected(step.before, step.to())
        {
            return None;
        }
        let by_reply = cut_defender(opener.after, step.to(), reply.to()).map(|defender| (defender, reply));
        let by_hero = || {
            let is_new = reply.to() != step.to();
            let cut = cut_defender(opener.before, step.to(), opener.to()).filter(|_| is_new);
            cut.map(|defender| (defender, opener))
        };
        let (defender, cutter) = by_reply.or_else(by_hero)?;
        Some(found(&opener, &cutter, defender, &step))
    })
}

/// The slider that protects the piece on `square` across `cut`. Of several protecting pieces only the first one counts.
fn cut_defender(board: &Position, square: Square, cut: Square) -> Option<Square> {
    let color = board.color_on(square)?;
    let defender = attackers(board, color, square).first()?;
    let is_cut =
        board.piece_on(defender).is_some_and(is_slider) && attacks::between(square, defender).contains(cut);
    is_cut.then_some(defender)
}

fn found(opener: &Step<'_>, cutter: &Step<'_>, defender: Square, step: &Step<'_>) -> Finding {
    let facts = [
        Predicate::Attacks { from: defender, to: step.to() }.at(cutter.at),
        Predicate::Unprotected { square: step.to() }.at(step.at),
    ];
    let facts = facts.into_iter().chain(step.capture_fact()).collect();
    let mut finding = cutter.finding(ClaimKind::Interference, &[cutter.to(), defender, step.to()], facts);
    finding.at = opener.at;
    finding.plies = step.plies();
    finding
}
