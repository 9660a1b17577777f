//! Variations: the lines after other defences than the best one. A motif of a winning move often shows after a natural
//! defence that is slightly worse than the best.

use rukh_chess::{Move, Position};
use rukh_eval::Score;

use super::analyst::Analyst;
use crate::review::PositionAnalysis;

/// The lines after the best other replies to the first move of an analysis, at most `count`, and after a recapture that
/// is not among them. `None` if a search was interrupted.
pub(super) fn other_defences(
    start: &Position,
    analysis: &PositionAnalysis,
    analyst: &mut impl Analyst,
    share: f64,
    count: usize,
) -> Option<Vec<PositionAnalysis>> {
    let Some(&first) = analysis.pv.first() else { return Some(Vec::new()) };
    let next = start.after(first);
    let best = analysis.pv.get(1);
    let mut left: Vec<_> = next.legal_moves().iter().copied().filter(|mv| Some(mv) != best).collect();
    let mut found = Vec::new();
    for _ in 0..count {
        if left.is_empty() {
            return Some(found);
        }
        let reply = analyst.analyse(&next, &left, share)?;
        left.retain(|mv| Some(mv) != reply.pv.first());
        found.push(preceded(first, &reply));
    }
    let retake = left.into_iter().find(|mv| mv.is_capture() && mv.to() == first.to());
    if let Some(retake) = retake {
        found.push(preceded(first, &analyst.analyse(&next, &[retake], share)?));
    }
    Some(found)
}

/// The analysis of the position before a move, from that of the opponent after it.
fn preceded(mv: Move, after: &PositionAnalysis) -> PositionAnalysis {
    let [win, draw, loss] = after.wdl;
    let score = match after.score.mate_plies() {
        Some(plies) if after.score.is_win() => Score::mated_at(plies + 1),
        Some(plies) => Score::mate_at(plies + 1),
        None => -after.score,
    };
    PositionAnalysis { score, wdl: [loss, draw, win], pv: [&[mv], after.pv.as_slice()].concat() }
}
