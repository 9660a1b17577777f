//! The reasons of bad moves in reviews, from the analyses that a review has anyway: no search.

use super::claim::Claim;
use super::kind::ClaimKind;
use super::level::Level;
use super::reasons::{Judged, Otherwise, Wanted, achievements, punishment, why_not};
use crate::accuracy::MoveJudgement;
use crate::review::{PositionAnalysis, ReviewedMove};

/// The most reasons of one move.
const MOST: usize = 2;

/// The claims about a bad move, the most useful first; empty for any other move. A mistake or a blunder has a reason: a
/// claim about the line that punishes it or about the better line, or else what it loses, with the answer to it. That a
/// mate was missed is in the comment itself, with the mating line.
pub fn reasons(played: &ReviewedMove<'_>) -> Vec<Claim> {
    let Some(judgement) = played.judgement() else { return Vec::new() };
    let ReviewedMove { position, mv, before, after } = *played;
    let judged = Judged { position, mv, before, after, nodes: None };
    let mut claims = punishment(&judged);
    let missed = missed(&judged);
    let misses_mate = missed.first().is_some_and(|claim| claim.kind == ClaimKind::MateIn);
    claims.extend(missed.into_iter().filter(|claim| claim.kind != ClaimKind::MateIn));
    if judgement != MoveJudgement::Inaccuracy && claims.is_empty() && !misses_mate {
        claims.push(why_not(&judged));
    }
    Level::Club.choose(&claims).into_iter().take(MOST).cloned().collect()
}

/// What the best move would have achieved, compared with the move that was played: mate, or two pawns and more.
fn missed(judged: &Judged<'_>) -> Vec<Claim> {
    let Judged { position, mv, before, after, .. } = *judged;
    let [win, draw, loss] = after.wdl;
    let pv = [&[mv], after.pv.as_slice()].concat();
    let own = PositionAnalysis { score: -after.score, wdl: [loss, draw, win], pv };
    let otherwise = Otherwise::line(position, &own);
    let wanted = Wanted { previous: None, start: position, analysis: before, nodes: None, otherwise };
    let found = achievements(&wanted);
    let is_much = |claim: &Claim| claim.kind == ClaimKind::MateIn || claim.gains(2);
    if found.first().is_some_and(is_much) { found } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{game_of, reviewed};

    #[test]
    fn every_mistake_has_a_reason() {
        let (mut by_motif, mut by_loss) = (0, 0);
        for moves in [
            "f3 e5 g4 a6 h4 Qe7 e4 Qxh4+",
            "e4 e5 Qh5 Nc6 Qxf7+ Kxf7 Bc4+ d5 Bxd5+ Qxd5 exd5",
            "e4 e5 Nf3 Nc6 Bc4 Nd4 Nxe5 Qg5 Nxf7 Qxg2 Rf1 Qxe4+ Be2 Nf3#",
            "d4 d5 c4 dxc4 e3 b5 a4 c6 axb5 cxb5 Qf3 Nc6 Qxc6+ Bd7 Qxa8 Qxa8 Rxa7 Qxa7",
        ] {
            for played in reviewed(&game_of(moves)).moves() {
                let reasons = reasons(&played);
                let is_mistake = played.judgement().is_some_and(|one| one != MoveJudgement::Inaccuracy);
                let misses_mate = played.before.score.mate_plies().is_some() && played.before.score.is_win();
                assert!(!reasons.is_empty() || !is_mistake || misses_mate, "{}", played.position);
                // With the comment there are at most three sentences.
                assert!(reasons.len() <= 2 && (played.judgement().is_some() || reasons.is_empty()));
                for claim in &reasons {
                    assert!(claim.start == *played.position && !claim.line.is_empty(), "{claim:?}");
                    let is_loss = claim.kind == ClaimKind::WhyNot;
                    by_loss += usize::from(is_loss);
                    by_motif += usize::from(!is_loss);
                }
            }
        }
        assert!(by_motif >= 3 && by_loss >= 2, "{by_motif} motifs, {by_loss} losses");
    }
}
