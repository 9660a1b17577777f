//! How calm the search is: it drives the aspiration windows and the clock.

use rukh_chess::Move;
use rukh_eval::Score;

/// What the last iterations have shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Stability {
    best: Option<Move>,
    score: Option<Score>,
    /// Iterations for which the best move has been the same.
    unchanged: u32,
    /// Running average of how far the score moved, in centipawns.
    volatility: i32,
    /// How far the score fell below its running average, in centipawns.
    drop: i32,
    average: i32,
}

/// Scores beyond this are won or lost: how far they move says nothing.
const CALM_LIMIT: i32 = 1_000;

impl Stability {
    /// An iteration ended with this.
    pub(super) fn note(&mut self, best: Move, score: Score) {
        let value = score.value().clamp(-CALM_LIMIT, CALM_LIMIT);
        match self.score.replace(score) {
            None => self.average = value,
            Some(last) => {
                let last = last.value().clamp(-CALM_LIMIT, CALM_LIMIT);
                self.volatility = (3 * self.volatility + (value - last).abs()) / 4;
                self.drop = self.average - value;
                self.average = (2 * self.average + value) / 3;
            }
        }
        self.unchanged = if self.best == Some(best) { self.unchanged + 1 } else { 0 };
        self.best = Some(best);
    }

    /// How far scores have moved lately, in centipawns.
    pub(super) fn volatility(&self) -> i32 {
        self.volatility
    }

    /// What the soft time limit is multiplied with: less when the best move stays and takes most of the effort, more when it
    /// changes or the score falls.
    pub(super) fn time_factor(&self, effort_on_best: f64) -> f64 {
        const BY_UNCHANGED: [f64; 6] = [1.9, 1.3, 1.1, 0.95, 0.85, 0.8];
        const DROP_SCALE: f64 = 120.0;
        let by_move = BY_UNCHANGED[(self.unchanged as usize).min(BY_UNCHANGED.len() - 1)];
        let by_score = (1.0 + f64::from(self.drop) / DROP_SCALE).clamp(0.8, 1.6);
        let by_effort = (1.65 - effort_on_best) * 1.1;
        by_move * by_score * by_effort
    }
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
            stability.note(mv, Score::centipawns(score));
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
    fn mates_do_not_upset_it() {
        let mut stability = after(&[(A, 20), (A, 20)]);
        stability.note(A, Score::mate_at(5));
        assert!(stability.volatility() <= CALM_LIMIT);
    }
}
