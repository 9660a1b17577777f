//! The verifier: replays claims by the rules and searches again what needs a search.
//!
//! It uses the rules, the search and the evaluation, and none of the code that finds claims: each fact is checked by a
//! second definition.

mod mate;
mod outcome;
mod rules;
mod scores;

use rukh_chess::{Move, Position};

use super::analyst::Analyst;
use super::claim::Claim;
use super::fact::{Fact, Predicate};

pub use outcome::Outcome;

/// The check of a claim: the worst outcome of its facts, and the fact that has it.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Check {
    /// The outcome.
    pub outcome: Outcome,
    /// What is wrong, in a sentence; `None` if the claim is confirmed.
    pub reason: Option<String>,
}

impl Check {
    const CONFIRMED: Self = Self { outcome: Outcome::Confirmed, reason: None };

    fn refuted(reason: impl Into<String>) -> Self {
        Self { outcome: Outcome::Refuted, reason: Some(reason.into()) }
    }
}

/// Checks a claim. Searches have the full share of the analyst.
pub fn verify(claim: &Claim, analyst: &mut impl Analyst) -> Check {
    let Some(positions) = replay(&claim.start, &claim.line) else {
        return Check::refuted("the line is not legal");
    };
    let mut worst = check_all(&claim.facts, &positions, &claim.line, analyst);
    if let Some(pass) = &claim.pass {
        let Some(mut passed) = positions.get(pass.at).filter(|position| !position.is_check()).cloned() else {
            return Check::refuted("the side that passes is in check or the line has no such ply");
        };
        passed.make_null();
        let Some(positions) = replay(&passed, &pass.line) else {
            return Check::refuted("the line after the pass is not legal");
        };
        worst = worse(worst, check_all(&pass.facts, &positions, &pass.line, analyst));
    }
    if claim.facts.is_empty() && claim.pass.is_none() {
        return Check {
            outcome: Outcome::Undecided,
            reason: Some("the claim has no fact to check".to_owned()),
        };
    }
    worst
}

fn worse(a: Check, b: Check) -> Check {
    if b.outcome > a.outcome { b } else { a }
}

/// The positions of a line; `None` if a move is not legal.
fn replay(start: &Position, line: &[Move]) -> Option<Vec<Position>> {
    let mut positions = vec![start.clone()];
    for &mv in line {
        let here = positions.last().filter(|here| here.is_legal(mv))?;
        positions.push(here.after(mv));
    }
    Some(positions)
}

fn check_all(facts: &[Fact], positions: &[Position], line: &[Move], analyst: &mut impl Analyst) -> Check {
    let mut worst = Check::CONFIRMED;
    for fact in facts {
        let outcome = check(fact, positions, line, analyst);
        if outcome > worst.outcome {
            worst = Check { outcome, reason: Some(fact.to_string()) };
        }
        if outcome == Outcome::Refuted {
            break;
        }
    }
    worst
}

fn check(fact: &Fact, positions: &[Position], line: &[Move], analyst: &mut impl Analyst) -> Outcome {
    if fact.ply >= positions.len() {
        return Outcome::Refuted;
    }
    if fact.predicate.needs_search() {
        return scores::check(fact, positions, line, analyst);
    }
    match &fact.predicate {
        Predicate::Tablebase { side, result, distance } => {
            let position = &positions[fact.ply];
            match analyst.tablebase(position) {
                None => Outcome::Undecided,
                Some(own) => {
                    let own = if position.side_to_move() == *side { own } else { 1.0 - own };
                    let is_same = (own - result).abs() < 0.01 && analyst.distance(position) == *distance;
                    if is_same { Outcome::Confirmed } else { Outcome::Refuted }
                }
            }
        }
        _ if rules::holds(fact, positions, line) => Outcome::Confirmed,
        _ => Outcome::Refuted,
    }
}
