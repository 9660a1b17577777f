//! Facts that a search decides.

use rukh_chess::{Color, Move, Position};
use rukh_eval::ScoreKind;

use super::super::analyst::Analyst;
use super::super::fact::{Fact, Predicate};
use super::mate::{Proof, forced_mate};
use super::outcome::Outcome;

/// A bound that is missed by less than this is undecided.
const BORDER: f64 = 0.05;
/// Positions of a proof of mate by the rules.
const PROOF_LIMIT: u64 = 200_000;
/// The longest mate that is proven by the rules.
const LONGEST_PROOF: u32 = 3;

/// Checks a fact by a search with the full share of the analyst.
pub(super) fn check(
    fact: &Fact,
    positions: &[Position],
    line: &[Move],
    analyst: &mut impl Analyst,
) -> Outcome {
    let ply = fact.ply;
    match fact.predicate {
        Predicate::ForcedMate { side, moves } => mate(&positions[ply], side, moves, analyst),
        Predicate::AtLeast { side, expected } => {
            at_least(expected_score(&positions[ply], side, &[], analyst), expected)
        }
        Predicate::AtMost { side, expected } => {
            at_most(expected_score(&positions[ply], side, &[], analyst), expected)
        }
        Predicate::IfPassedAtLeast { expected } => at_least(if_passed(&positions[ply], analyst), expected),
        Predicate::IfPassedAtMost { expected } => at_most(if_passed(&positions[ply], analyst), expected),
        Predicate::OthersAtMost { expected } => {
            let Some((&played, before)) =
                ply.checked_sub(1).and_then(|at| Some((line.get(at)?, &positions[at])))
            else {
                return Outcome::Refuted;
            };
            let others: Vec<_> = before.legal_moves().iter().copied().filter(|&mv| mv != played).collect();
            if others.is_empty() {
                return Outcome::Confirmed;
            }
            at_most(expected_score(before, before.side_to_move(), &others, analyst), expected)
        }
        _ => Outcome::Undecided,
    }
}

/// The expected score of a side; `None` if the search was interrupted.
fn expected_score(
    position: &Position,
    side: Color,
    moves: &[Move],
    analyst: &mut impl Analyst,
) -> Option<f64> {
    let own = match position.ending() {
        Some(ending) => f64::from(ending.outcome().half_points(position.side_to_move())) / 2.0,
        None => analyst.analyse(position, moves, 1.0)?.expected_score().value(),
    };
    Some(if position.side_to_move() == side { own } else { 1.0 - own })
}

/// The expected score of the opponent if the side to move passes.
fn if_passed(position: &Position, analyst: &mut impl Analyst) -> Option<f64> {
    if position.is_check() {
        return None;
    }
    let mut passed = position.clone();
    passed.make_null();
    expected_score(&passed, passed.side_to_move(), &[], analyst)
}

fn at_least(found: Option<f64>, expected: f64) -> Outcome {
    match found {
        None => Outcome::Undecided,
        Some(found) if found >= expected => Outcome::Confirmed,
        Some(found) if found >= expected - BORDER => Outcome::Undecided,
        Some(_) => Outcome::Refuted,
    }
}

fn at_most(found: Option<f64>, expected: f64) -> Outcome {
    at_least(found.map(|found| 1.0 - found), 1.0 - expected)
}

fn mate(position: &Position, side: Color, moves: u32, analyst: &mut impl Analyst) -> Outcome {
    if position.side_to_move() != side || moves == 0 {
        return Outcome::Refuted;
    }
    if moves <= LONGEST_PROOF {
        match forced_mate(position, moves, &mut PROOF_LIMIT.clone()) {
            Proof::Proven => return Outcome::Confirmed,
            Proof::Disproven => return Outcome::Refuted,
            Proof::Open => {}
        }
    }
    if position.legal_moves().is_empty() {
        return Outcome::Refuted;
    }
    let Some(analysis) = analyst.analyse(position, &[], 1.0) else { return Outcome::Undecided };
    match analysis.score.kind() {
        ScoreKind::Mate(found) if found > 0 && found.unsigned_abs() <= moves => Outcome::Confirmed,
        ScoreKind::Mate(found) if found > 0 => Outcome::Undecided,
        _ if analysis.expected_score().value() >= 0.9 => Outcome::Undecided,
        _ => Outcome::Refuted,
    }
}
