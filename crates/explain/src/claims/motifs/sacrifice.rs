//! Sacrifice: after a later move of the hero its material balance is at least two pawns lower than at the start of the
//! line, and the opponent has not promoted.

use super::super::claim::Finding;
use super::super::fact::Predicate;
use super::super::kind::ClaimKind;
use super::board::{balance, value};
use super::line::MotifLine;

/// A sacrifice, with the move that offered the piece.
pub(super) fn sacrifice(line: &MotifLine) -> Option<Finding> {
    let hero = line.hero();
    let start = balance(line.position(0), hero);
    let step = line.own().skip(1).find(|step| balance(step.after, hero) - start <= -2)?;
    let has_promoted = |at: &usize| line.step(*at).is_some_and(|reply| reply.mv.is_promotion());
    if (1..line.plies()).step_by(2).any(|at| has_promoted(&at)) {
        return None;
    }
    let replies = (1..step.at).step_by(2).filter_map(|at| line.step(at));
    let taken =
        replies.filter(|reply| reply.captured().is_some()).max_by_key(|reply| reply.captured().map(value));
    let pawns = balance(step.after, hero) - start;
    let material = Predicate::Material { side: hero, pawns }.at(step.plies());
    let offer = taken.and_then(|reply| line.step(reply.at - 1)).unwrap_or(line.step(0)?);
    let facts = taken.and_then(|reply| reply.capture_fact()).into_iter().chain([material]).collect();
    let square = taken.map_or(offer.to(), |reply| reply.to());
    let mut finding = offer.finding(ClaimKind::Sacrifice, &[square], facts);
    finding.plies = step.plies();
    Some(finding)
}
