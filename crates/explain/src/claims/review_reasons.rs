//! The reasons of bad moves in reviews, from the analyses that a review has anyway: no search.

use super::claim::Claim;
use super::kind::ClaimKind;
use super::level::Level;
use super::reasons::{Judged, Otherwise, Wanted, achievements, punishment};
use crate::review::{PositionAnalysis, ReviewedMove};

/// The most reasons of one move.
const MOST: usize = 2;

/// The claims about a bad move, the most useful first; empty for any other move, and where nothing can be proven.
pub fn reasons(played: &ReviewedMove<'_>) -> Vec<Claim> {
    if played.judgement().is_none() {
        return Vec::new();
    }
    let ReviewedMove { position, mv, before, after } = *played;
    let mut claims = punishment(&Judged { position, mv, before, after, nodes: None });
    // What the best move would have achieved, compared with the move that was played.
    let [win, draw, loss] = after.wdl;
    let pv = [&[mv], after.pv.as_slice()].concat();
    let own = PositionAnalysis { score: -after.score, wdl: [loss, draw, win], pv };
    let otherwise = Otherwise::line(position, &own);
    let wanted = Wanted { previous: None, start: position, analysis: before, nodes: None, otherwise };
    let missed = achievements(&wanted);
    if missed.first().is_some_and(|claim| claim.kind == ClaimKind::MateIn || claim.gains(2)) {
        claims.extend(missed);
    }
    // The comment itself names mates.
    claims.retain(|claim| !matches!(claim.kind, ClaimKind::AllowsMate | ClaimKind::MateIn));
    let told: Vec<_> = Level::Club.choose(&claims).into_iter().cloned().collect();
    told.into_iter().take(MOST).collect()
}
