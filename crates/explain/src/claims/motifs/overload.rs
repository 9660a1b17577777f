//! Overload: a piece protects two others. The hero captures one, the piece retakes, and the hero captures the other,
//! which is now unprotected.

use super::super::claim::Finding;
use super::super::fact::Predicate;
use super::super::kind::ClaimKind;
use super::board::{attacks_from, is_protected};
use super::line::MotifLine;

/// The first overloaded piece of the line.
pub(super) fn overload(line: &MotifLine) -> Option<Finding> {
    line.own_pairs().find_map(|(first, reply, step)| {
        let captures = [first.capture_fact()?, step.capture_fact()?];
        let guards = attacks_from(first.before, reply.from());
        let is_overload = reply.to() == first.to()
            && step.to() != reply.to()
            && guards.contains(first.to())
            && guards.contains(step.to())
            && !is_protected(step.before, step.to());
        is_overload.then(|| {
            let ply = first.at;
            let tasks =
                [first.to(), step.to()].map(|to| Predicate::Attacks { from: reply.from(), to }.at(ply));
            let facts = tasks.into_iter().chain(captures).collect();
            let mut finding = first.finding(ClaimKind::Overload, &[reply.from(), step.to()], facts);
            finding.plies = step.plies();
            finding
        })
    })
}
