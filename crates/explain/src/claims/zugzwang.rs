//! Passing: the position after a pass, and zugzwang.
//!
//! *Zugzwang*: the side to move, not in check, would have at least 12% more expected score if it could pass.

use rukh_chess::Position;

use super::analyst::Analyst;
use super::claim::{Claim, Evidence, NamedPiece};
use super::fact::{Point, Predicate, claimed_gap};
use super::kind::ClaimKind;
use crate::review::PositionAnalysis;

/// A difference in expected score that is worth a claim about a single search.
pub(super) const CLEAR: f64 = 0.15;
/// What passing gains in a zugzwang: of 328 puzzles with that tag 96% have it with 50,000 nodes a search, of 495
/// without it none.
const GAIN_OF_PASS: f64 = 0.12;
/// How much a claimed bound is weaker than what was found, so that a deeper search can confirm it.
pub(super) const SLACK: f64 = 0.10;

/// The position in which the side to move has passed; `None` in check or if the opponent then has no legal move.
pub fn passed(position: &Position) -> Option<Position> {
    if position.is_check() {
        return None;
    }
    let mut passed = position.clone();
    passed.make_null();
    (!passed.legal_moves().is_empty()).then_some(passed)
}

/// Whether the side to move is not in check and has few moves: with more than 15 one of them is a free move in all but
/// constructed positions.
pub fn may_be_zugzwang(position: &Position) -> bool {
    const MOST_MOVES: usize = 15;
    !position.is_check() && (1..=MOST_MOVES).contains(&position.legal_moves().len())
}

/// The expected score of the side to move, with and without a pass.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Passing {
    now: f64,
    with_pass: f64,
}

impl Passing {
    /// What passing gains.
    fn gain(self) -> f64 {
        self.with_pass - self.now
    }

    /// Whether passing is clearly better than the best move.
    pub fn is_zugzwang(self) -> bool {
        self.gain() >= GAIN_OF_PASS
    }

    /// Whether a deeper search may find a zugzwang: passing is hardly worse than the best move, which is rare, and leaves
    /// something to lose.
    pub fn is_doubtful(self) -> bool {
        const HARDLY_WORSE: f64 = -0.06;
        self.with_pass >= GAIN_OF_PASS && (HARDLY_WORSE..GAIN_OF_PASS).contains(&self.gain())
    }
}

/// Compares the best move with a pass; `None` inside if the side cannot be in zugzwang, outside if a search was interrupted.
pub fn passing(
    position: &Position,
    analysis: &PositionAnalysis,
    analyst: &mut impl Analyst,
    share: f64,
) -> Option<Option<Passing>> {
    let Some(passed) = passed(position).filter(|_| may_be_zugzwang(position)) else { return Some(None) };
    let with_pass = 1.0 - analyst.analyse(&passed, &[], share)?.expected_score().value();
    Some(Some(Passing { now: analysis.expected_score().value(), with_pass }))
}

/// Whether the side to move is in zugzwang: passing would be clearly better than its best move.
pub fn zugzwang(
    position: &Position,
    analysis: &PositionAnalysis,
    analyst: &mut impl Analyst,
    share: f64,
) -> Option<Option<Claim>> {
    let found = passing(position, analysis, analyst, share)?.filter(|found| found.is_zugzwang());
    let side = position.side_to_move();
    Some(found.map(|found| {
        let by = claimed_gap(found.gain());
        let fact = Predicate::Gap { side, above: Point::Passed, below: Point::Here, by }.at(0);
        let evidence = Evidence::Search { nodes: analyst.nodes(share) };
        let king = NamedPiece::on(position, position.king(side));
        Claim::new(ClaimKind::Zugzwang, !side, position, &[], evidence)
            .with_facts([fact])
            .with_pieces(king)
            .with_margin(found.gain())
    }))
}
