//! Claims about a pass: threat, prevents, zugzwang.
//!
//! *Threat*: if the opponent passed, the side would mate or win material, and gain at least 15%. *Prevents*: the opponent
//! had such a threat, and after the move has at least 15% less than after a pass. *Zugzwang*:
//! the side to move, not in check, would have at least 12% more if it could pass. No number is told: what a threat and its
//! prevention claim is a difference of 5%, next to the line after the pass.

use super::analyst::Analyst;
use super::claim::{Claim, Pass};
use super::fact::{Point, Predicate, claimed_gap};
use super::kind::ClaimKind;
use super::reasons::{Otherwise, Wanted, achievements};
use super::study::{Study, is_decisive, reply};
use super::zugzwang::{CLEAR, passed, zugzwang};

/// An expected score below which a position is lost.
const LOST: f64 = 0.05;

impl<A: Analyst> Study<'_, '_, A> {
    /// What the move threatens.
    pub(super) fn threat(&mut self) -> Option<Option<Claim>> {
        // A capture is answered before it can be followed up.
        if self.mv.is_capture() {
            return Some(None);
        }
        let after = self.position().after(self.mv);
        let Some(passed) = passed(&after) else { return Some(None) };
        let analysis = self.analyst.analyse(&passed, &[], self.shares[3])?;
        let now = self.expected();
        let margin = analysis.expected_score().value() - now;
        // In a lost position a threat is a hope.
        if margin < CLEAR || now < LOST || !is_decisive(now + margin, now) {
            return Some(None);
        }
        let nodes = self.analyst.nodes(self.shares[3]);
        let wanted =
            Wanted { previous: None, start: &passed, analysis: &analysis, nodes, otherwise: Otherwise::Pass };
        let Some(aim) = aim(&wanted) else { return Some(None) };
        let fact = self.gap(Point::Passed, Point::Here, claimed_gap(CLEAR)).at(1);
        let claim = Claim::new(ClaimKind::Threat, self.side(), self.position(), &[self.mv], self.evidence(3))
            .with_facts([fact])
            .with_pieces(aim.pieces)
            .with_margin(margin);
        Some(Some(Claim { pass: Some(Pass { at: 1, line: aim.line, facts: aim.facts }), ..claim }))
    }

    /// The opponent's threat that the move has answered.
    pub(super) fn prevented(&mut self) -> Option<Option<Claim>> {
        let position = self.position().clone();
        let Some(passed) = passed(&position).filter(|_| !self.is_retake()) else { return Some(None) };
        let analysis = self.analyst.analyse(&passed, &[], self.shares[4])?;
        let now = 1.0 - self.expected();
        let margin = analysis.expected_score().value() - now;
        if margin < CLEAR || !is_decisive(self.expected(), self.expected() - margin) {
            return Some(None);
        }
        let nodes = self.analyst.nodes(self.shares[4]);
        let wanted =
            Wanted { previous: None, start: &passed, analysis: &analysis, nodes, otherwise: Otherwise::Pass };
        let Some(aim) = aim(&wanted) else { return Some(None) };
        let fact = self.gap(Point::Here, Point::PassedBefore, claimed_gap(CLEAR)).at(1);
        let claim = Claim::new(ClaimKind::Prevents, self.side(), &position, &[self.mv], self.evidence(4))
            .with_facts([fact])
            .with_pieces(aim.pieces)
            .with_margin(margin);
        Some(Some(Claim { pass: Some(Pass { at: 0, line: aim.line, facts: aim.facts }), ..claim }))
    }

    /// Whether the opponent is in zugzwang after the move.
    pub(super) fn zugzwang(&mut self) -> Option<Option<Claim>> {
        let after = self.position().after(self.mv);
        let now = 1.0 - self.expected();
        let matters = |claim: &Claim| claim.margin.is_some_and(|gain| is_decisive(now + gain, now));
        zugzwang(&after, &reply(&self.own), self.analyst, self.shares[3]).map(|found| {
            found.filter(matters).map(|claim| Claim {
                start: self.position().clone(),
                line: vec![self.mv],
                ..later(claim)
            })
        })
    }
}

/// What a line after a pass achieves. Its level of expected score is left out: the comparison with the pass replaces it.
fn aim(wanted: &Wanted<'_>) -> Option<Claim> {
    let mut aim = achievements(wanted).into_iter().next()?;
    aim.facts.retain(|fact| !matches!(fact.predicate, Predicate::AtLeast { .. }));
    Some(aim)
}

/// The claim with all facts one ply later.
fn later(mut claim: Claim) -> Claim {
    claim.facts.iter_mut().for_each(|fact| fact.ply += 1);
    claim
}
