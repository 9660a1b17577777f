//! Facts that a search decides.

use rukh_chess::{Color, Move, Position};
use rukh_eval::ScoreKind;

use super::super::analyst::Analyst;
use super::super::fact::{Fact, Point, Predicate};
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
        Predicate::Gap { side, above, below, by } => {
            let mut value = |point| at_point(point, fact.ply, side, positions, line, analyst);
            let gap = value(above).and_then(|above| Some(above - value(below)?));
            at_least(gap, by)
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

/// The expected score of a side at a point of a comparison; `None` if the line has no such point, a side in check passes
/// or the search was interrupted.
fn at_point(
    point: Point,
    ply: usize,
    side: Color,
    positions: &[Position],
    line: &[Move],
    analyst: &mut impl Analyst,
) -> Option<f64> {
    let before = || ply.checked_sub(1);
    match point {
        Point::Here => expected_score(&positions[ply], side, &[], analyst),
        Point::Before => expected_score(&positions[before()?], side, &[], analyst),
        Point::Others => {
            let (here, &played) = (&positions[before()?], line.get(before()?)?);
            let others: Vec<_> = here.legal_moves().iter().copied().filter(|&mv| mv != played).collect();
            if others.is_empty() { None } else { expected_score(here, side, &others, analyst) }
        }
        Point::Passed => expected_score(&passed(&positions[ply])?, side, &[], analyst),
        Point::PassedBefore => expected_score(&passed(&positions[before()?])?, side, &[], analyst),
    }
}

/// The position after a pass; `None` in check.
fn passed(position: &Position) -> Option<Position> {
    let mut passed = position.clone();
    (!position.is_check()).then(|| {
        passed.make_null();
        passed
    })
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
