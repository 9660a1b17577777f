//! Thread results and the vote among them (Lazy SMP).

use std::collections::HashMap;

use rukh_chess::Move;
use rukh_eval::Score;

use crate::api::Bound;
use crate::params;

/// The best line of one thread.
#[derive(Clone, Debug)]
pub(crate) struct ThreadResult {
    /// The iteration it comes from.
    pub(crate) depth: i32,
    /// The greatest ply reached in that iteration.
    pub(crate) seldepth: usize,
    /// The score for the side to move at the root.
    pub(crate) score: Score,
    /// Whether the score is exact or a bound.
    pub(crate) bound: Bound,
    /// The principal variation; it begins with the best move.
    pub(crate) pv: Vec<Move>,
    /// Whether the last line reported to the listener was this one.
    pub(crate) is_reported: bool,
}

// ANCHOR: vote
/// The result to play when several threads searched (Lazy SMP). Threads vote for moves; deeper results and better scores
/// weigh more. A proven win needs no vote.
pub(crate) fn vote(all: &[ThreadResult]) -> Option<&ThreadResult> {
    let proven = all.iter().filter(|result| result.score.is_win()).max_by_key(|result| result.score);
    if proven.is_some() {
        return proven;
    }
    let lowest = all.iter().map(|result| result.score).min().unwrap_or(Score::DRAW);
    let mut votes = HashMap::new();
    for result in all {
        let weight =
            (i64::from(result.score - lowest) + i64::from(params::vote_base())) * i64::from(result.depth);
        *votes.entry(result.pv.first()).or_insert(0) += weight;
    }
    // Among the threads that agree with the winner the deepest result counts; the first of equals.
    all.iter().rev().max_by_key(|result| (votes[&result.pv.first()], result.depth, result.pv.len() > 1))
}
// ANCHOR_END: vote

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::{MoveKind, Square};

    const A: Move = Move::new(Square::A2, Square::A3, MoveKind::Quiet);
    const B: Move = Move::new(Square::B2, Square::B3, MoveKind::Quiet);

    fn result(mv: Move, depth: i32, score: Score) -> ThreadResult {
        ThreadResult { depth, seldepth: 0, score, bound: Bound::Exact, pv: vec![mv], is_reported: false }
    }

    #[test]
    fn threads_that_agree_outvote_one_that_is_deeper() {
        let score = Score::new(10);
        let all = [result(A, 12, score), result(B, 11, score), result(B, 10, score)];
        let chosen = vote(&all).expect("there are results");
        assert_eq!((chosen.pv[0], chosen.depth), (B, 11));
    }

    #[test]
    fn a_proven_win_needs_no_vote() {
        let all =
            [result(A, 20, Score::new(300)), result(A, 20, Score::new(300)), result(B, 5, Score::mate_at(7))];
        assert_eq!(vote(&all).expect("there are results").pv, [B]);
        assert!(vote(&[]).is_none());
    }
}
