//! Intermezzo (zwischenzug): the opponent has captured on a square, the hero could retake at once, plays another move
//! first, and then retakes on that square.

use super::super::claim::Finding;
use super::super::fact::Predicate;
use super::super::kind::ClaimKind;
use super::board::attackers;
use super::line::MotifLine;

/// The first intermezzo of the line.
pub(super) fn intermezzo(line: &MotifLine) -> Option<Finding> {
    for (between, reply, step) in line.own_pairs() {
        let Some(retake) = step.capture_fact() else { continue };
        let square = step.to();
        let is_answered = attackers(between.after, !line.hero(), square).contains(reply.from());
        if is_answered || between.to() == square {
            continue;
        }
        let earlier = match between.at {
            0 => line.previous(),
            at => line.step(at - 1).map(|earlier| (earlier.before, earlier.mv)),
        };
        let (_, taken) = earlier?;
        let is_intermezzo = taken.to() == square && taken.is_capture() && between.before.is_legal(step.mv);
        return is_intermezzo.then(|| {
            let facts = vec![Predicate::Attacks { from: step.from(), to: square }.at(between.at), retake];
            let mut finding = between.finding(ClaimKind::Intermezzo, &[between.to(), square], facts);
            finding.plies = step.plies();
            finding
        });
    }
    None
}
