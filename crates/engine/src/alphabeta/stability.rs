//! Search stability: how much best move and score change between iterations. It sets the width of aspiration windows and
//! scales the soft time limit.

use rukh_chess::Move;
use rukh_eval::Score;

use crate::params::{self, fraction};

/// The history of the iterations of one search.
#[derive(Clone, Debug, Default)]
pub(super) struct Stability {
    best: Option<Move>,
    score: Option<Score>,
    /// Iterations with the same best move.
    unchanged: u32,
    /// Running average of how far the score moved, in internal units.
    volatility: i32,
    /// Internal units by which the score is below its running average.
    drop: i32,
    /// Running average of the score, in internal units.
    average: i32,
    /// Changes of the best move within iterations; they count half after each iteration.
    changes: f64,
}

impl Stability {
    /// Adds the result of an iteration.
    pub(super) fn note(&mut self, best: Move, score: Score) {
        let limit = params::stability_score_limit();
        let value = score.value().clamp(-limit, limit);
        match self.score.replace(score) {
            None => self.average = value,
            Some(last) => {
                let last = last.value().clamp(-limit, limit);
                self.volatility = running(self.volatility, (value - last).abs(), params::volatility_memory());
                self.drop = self.average - value;
                self.average = running(self.average, value, params::average_score_memory());
            }
        }
        self.unchanged = if self.best == Some(best) { self.unchanged + 1 } else { 0 };
        self.best = Some(best);
    }

    /// The volatility of the score: the running average of its changes, in internal units.
    pub(super) fn volatility(&self) -> i32 {
        self.volatility
    }

    /// Adds the changes of the best move within an iteration.
    pub(super) fn note_changes(&mut self, changes: u32) {
        self.changes = self.changes * fraction(params::time_changes_decay_weight()) + f64::from(changes);
    }

    /// Time by best-move changes: the factor on the soft time limit.
    pub(super) fn changes_factor(&self) -> f64 {
        fraction(params::time_changes_base_weight()) + fraction(params::time_changes_weight()) * self.changes
    }

    /// Time trend: the factor on the soft time limit by the score against that of the last search.
    pub(super) fn trend_factor(&self, last: Score) -> f64 {
        let limit = params::stability_score_limit();
        let value = |score: Score| f64::from(score.value().clamp(-limit, limit));
        let (least, most) =
            (fraction(params::time_trend_min_weight()), fraction(params::time_trend_max_weight()));
        let drop = self.score.map_or(0.0, |score| value(last) - value(score));
        (1.0 + drop / f64::from(params::time_trend_margin())).clamp(least, most)
    }

    // ANCHOR: time_factor
    /// The factor on the soft time limit: less when the best move stays and takes most of the nodes, more when it changes or
    /// the score drops.
    pub(super) fn time_factor(&self, effort_on_best: f64) -> f64 {
        let by_move = fraction(match self.unchanged {
            0 => params::time_unchanged_0_weight(),
            1 => params::time_unchanged_1_weight(),
            2 => params::time_unchanged_2_weight(),
            3 => params::time_unchanged_3_weight(),
            4 => params::time_unchanged_4_weight(),
            _ => params::time_unchanged_5_weight(),
        });
        let (least, most) =
            (fraction(params::time_drop_min_weight()), fraction(params::time_drop_max_weight()));
        let by_score =
            (1.0 + f64::from(self.drop) / f64::from(params::time_drop_margin())).clamp(least, most);
        let by_effort = (fraction(params::time_effort_base_weight()) - effort_on_best)
            * fraction(params::time_effort_weight());
        by_move * by_score * by_effort
    }
    // ANCHOR_END: time_factor
}

/// A running average in which the old value has `memory` times the weight of `new`.
fn running(old: i32, new: i32, memory: i32) -> i32 {
    (memory * old + new) / (memory + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::{MoveKind, Square};

    const A: Move = Move::new(Square::A2, Square::A3, MoveKind::Quiet);
    const B: Move = Move::new(Square::B2, Square::B3, MoveKind::Quiet);

    fn after(notes: &[(Move, i32)]) -> Stability {
        let mut stability = Stability::default();
        for &(mv, score) in notes {
            stability.note(mv, Score::new(score));
        }
        stability
    }

    #[test]
    fn a_calm_search_takes_less_time_and_narrow_windows() {
        let calm = after(&[(A, 20), (A, 22), (A, 21), (A, 20), (A, 21)]);
        let wild = after(&[(A, 20), (B, 90), (A, -60), (B, 70), (A, -80)]);
        assert!(calm.volatility() < wild.volatility());
        assert!(calm.time_factor(0.9) < wild.time_factor(0.9));
        assert!(calm.time_factor(0.9) < calm.time_factor(0.3));
    }

    #[test]
    fn mate_scores_are_clamped() {
        let mut stability = after(&[(A, 20), (A, 20)]);
        stability.note(A, Score::mate_at(5));
        assert!(stability.volatility() <= params::stability_score_limit());
    }
}
