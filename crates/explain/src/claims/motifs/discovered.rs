//! Discovered attack and check, double check.
//!
//! Discovered check: a move after which a piece gives check that has not moved; castling moves king and rook. Double
//! check: two pieces give check. Discovered attack: a piece leaves the line between a slider and a piece, and the slider
//! captures that piece on its next move; the captured piece has not just moved there, and the piece that left the line
//! neither captured there nor castled. A discovered check by one piece is a discovered attack on the king.

use rukh_chess::attacks;

use super::super::claim::Finding;
use super::super::fact::Predicate;
use super::super::kind::ClaimKind;
use super::board::attacks_from;
use super::line::{MotifLine, Step};

/// The first discovered check of the line.
pub(super) fn discovered_check(line: &MotifLine) -> Option<Finding> {
    line.own().find_map(|step| {
        let behind = step.after.checkers() & !step.arrivals();
        (!behind.is_empty()).then(|| checks(&step, ClaimKind::DiscoveredCheck))
    })
}

fn checks(step: &Step<'_>, kind: ClaimKind) -> Finding {
    let squares: Vec<_> = step.after.checkers().into_iter().collect();
    let king = step.after.king(step.after.side_to_move());
    let facts = vec![Predicate::Checkers { squares: squares.clone() }.at(step.plies())];
    let behind: Vec<_> = squares.into_iter().filter(|&square| square != step.to()).collect();
    step.finding(kind, &[behind.as_slice(), &[king, step.to()]].concat(), facts)
}

/// The first double check of the line.
pub(super) fn double_check(line: &MotifLine) -> Option<Finding> {
    line.own().find(|step| step.after.checkers().has_many()).map(|step| {
        let squares: Vec<_> = step.after.checkers().into_iter().collect();
        let facts = vec![Predicate::Checkers { squares: squares.clone() }.at(step.plies())];
        step.finding(ClaimKind::DoubleCheck, &squares, facts)
    })
}

/// The first discovered attack of the line.
pub(super) fn discovered_attack(line: &MotifLine) -> Option<Finding> {
    let is_single =
        |step: &Step<'_>| step.after.is_check() && !step.after.checkers().intersects(step.arrivals());
    let check = line.own().find(is_single).map(|step| checks(&step, ClaimKind::DiscoveredAttack));
    check.or_else(|| attack_on_piece(line))
}

fn attack_on_piece(line: &MotifLine) -> Option<Finding> {
    for (opener, reply, step) in line.own_pairs() {
        if step.captured().is_none() {
            continue;
        }
        // The first capture that retakes ends the search: what follows is an exchange.
        if reply.to() == step.to() {
            return None;
        }
        let is_discovered = attacks::between(step.from(), step.to()).contains(opener.from())
            && step.to() != opener.to()
            && step.from() != opener.to()
            && attacks_from(opener.after, step.from()).contains(step.to())
            && !opener.mv.is_castling();
        if is_discovered {
            let attack = Predicate::Attacks { from: step.from(), to: step.to() }.at(opener.plies());
            let facts = [attack].into_iter().chain(step.capture_fact()).collect();
            let mut finding =
                opener.finding(ClaimKind::DiscoveredAttack, &[step.from(), step.to(), opener.to()], facts);
            finding.plies = step.plies();
            return Some(finding);
        }
    }
    None
}
