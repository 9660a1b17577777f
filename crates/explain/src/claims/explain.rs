//! Explanations: the claims about one move, found in two looks of which the second has more nodes.

use super::analyst::Analyst;
use super::claim::{Claim, Evidence};
use super::kind::ClaimKind;
use super::mating::MateFinder;
use super::question::{Explanation, Question};
use super::study::Study;

/// The shares of the nodes: the position, the move, the alternatives, the threat, the threat before. What a first look
/// claims a second one with more nodes has to find again.
const FIRST_LOOK: [f64; 5] = [0.35, 0.25, 0.2, 0.1, 0.1];
const SECOND_LOOK: [f64; 5] = [1.0, 0.9, 0.9, 0.4, 0.4];
/// The share of each of the last two searches, of the position and of the move: they confirm the second look where the
/// move is compared with the best.
const COMPARISON: f64 = 1.4;

/// Explains a move. `None` if there is no legal move or a search was interrupted.
pub fn explain(question: &Question<'_>, analyst: &mut impl Analyst) -> Option<Explanation> {
    let analyst = &mut MateFinder::new(analyst);
    let first = look(question, analyst, FIRST_LOOK, None)?;
    if first.claims.iter().all(|claim| matches!(claim.evidence, Evidence::Rules | Evidence::Tablebase)) {
        return Some(first);
    }
    let mut second = look(question, analyst, SECOND_LOOK, Some(COMPARISON))?;
    let is_found_twice = |claim: &Claim| first.claims.iter().any(|other| other.kind == claim.kind);
    second.claims.retain(|claim| !needs_two_looks(claim.kind) || is_found_twice(claim));
    Some(second)
}

/// Whether a claim of this kind is a comparison of two searches, which one of them can get wrong.
fn needs_two_looks(kind: ClaimKind) -> bool {
    matches!(
        kind,
        ClaimKind::OnlyMove
            | ClaimKind::WhyNot
            | ClaimKind::AsGood
            | ClaimKind::WinsMaterial
            | ClaimKind::Threat
            | ClaimKind::Prevents
            | ClaimKind::Zugzwang
            | ClaimKind::Fortress
            | ClaimKind::Plan
            | ClaimKind::PositionalChange
    )
}

/// One look at a question.
fn look(
    question: &Question<'_>,
    analyst: &mut impl Analyst,
    shares: [f64; 5],
    deeper: Option<f64>,
) -> Option<Explanation> {
    let position = question.position;
    let root = analyst.analyse(position, &[], shares[0])?;
    let best = *root.pv.first()?;
    let mv = question.mv.unwrap_or(best);
    let own = if mv == best { root.clone() } else { analyst.analyse(position, &[mv], shares[1])? };
    // The search of one move can find more than the search of all: the better score counts for both.
    let top = root.expected_score().value().max(own.expected_score().value());
    let expected = [top, own.expected_score().value()];
    let mut explanation = Explanation { position: position.clone(), mv, best, expected, claims: Vec::new() };
    let mut study = Study { question, analyst, root, own, mv, shares, deeper };
    let claims =
        if explanation.judgement().is_some() { study.bad_move()? } else { study.good_move(&explanation)? };
    explanation.claims = claims;
    if let Some(against) = question.against.filter(|&against| against != mv) {
        let more = study.why_not(against, expected[0])?;
        explanation.claims.extend(more);
    }
    explanation.claims.extend(study.tablebase());
    Some(explanation)
}
