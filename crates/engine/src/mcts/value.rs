//! Value model: from a score to WDL and back.
//!
//! The WDL model saturates: far from equality it tells a better score no longer from a worse one, and a tree search that
//! averages probabilities would make no progress in a won ending. So a share of the win probability grows with the score
//! around that of the root. It knows scores alone, not where they come from.

use rukh_eval::{Score, win_draw_loss};

use super::wdl::WinDrawLoss;
use crate::params::{self, fraction};

/// The mapping between scores and WDL in one search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct ValueModel {
    /// The score around which progress counts, in centipawns.
    anchor: f64,
    fullmove_number: u32,
}

impl ValueModel {
    /// The model for a search whose root has this score and move number.
    pub(super) fn new(root: Score, fullmove_number: u32) -> Self {
        /// The anchor moves in steps, so that values of successive searches agree.
        const STEP: i32 = 250;
        let size = root.value().abs() / STEP * STEP;
        let anchor = f64::from(size.max(params::mcts_progress_margin()));
        Self { anchor, fullmove_number }
    }

    /// WDL of a score for the side to move.
    pub(super) fn wdl(&self, score: Score) -> WinDrawLoss {
        /// Probability that is left for the unexpected where a search reports a mate.
        const SURE: f64 = 0.999;
        if score.is_decisive() {
            let sure = WinDrawLoss { win: SURE as f32, draw: (1.0 - SURE) as f32, loss: 0.0 };
            return if score.is_win() { sure } else { sure.flipped() };
        }
        let [win, _, loss] = win_draw_loss(score, self.fullmove_number);
        let share = fraction(params::mcts_progress_weight());
        let progress = share * self.progress(score);
        // What the better side does not get stays with the draw.
        let (win, loss) = match score >= Score::DRAW {
            true => (win * (1.0 - share) + progress * (1.0 - loss), loss * (1.0 - share)),
            false => (win * (1.0 - share), loss * (1.0 - share) + progress * (1.0 - win)),
        };
        let draw = (1.0 - win - loss).max(0.0);
        WinDrawLoss { win: win as f32, draw: draw as f32, loss: loss as f32 }
    }

    /// From 0 for a draw to 1 for a score far above that of the root.
    fn progress(&self, score: Score) -> f64 {
        let width = f64::from(params::mcts_progress_width());
        let curve = |size: f64| 1.0 / (1.0 + ((self.anchor - size) / width).exp());
        let at_draw = curve(0.0);
        (curve(f64::from(score.value().abs())) - at_draw) / (1.0 - at_draw)
    }

    /// The score whose WDL has this value.
    pub(super) fn score(&self, value: f64) -> Score {
        /// Beyond every evaluation that occurs.
        const GREATEST: i32 = 10_000;
        let (mut low, mut high) = (-GREATEST, GREATEST);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.wdl(Score::new(middle)).value() < value {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        Score::new(low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_grows_with_the_score_and_mirrors() {
        for root in [0, 120, 900, 1_700] {
            let model = ValueModel::new(Score::new(root), 30);
            let mut last = -1.0;
            for score in (-2_500..2_500).step_by(10) {
                let wdl = model.wdl(Score::new(score));
                assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-5, "{wdl:?}");
                assert!(wdl.value() >= last, "{root} {score}");
                assert!((wdl.value() + model.wdl(Score::new(-score)).value()).abs() < 1e-6);
                last = wdl.value();
            }
            assert_eq!(model.wdl(Score::DRAW).value(), 0.0);
        }
    }

    #[test]
    fn progress_counts_in_a_won_ending() {
        let model = ValueModel::new(Score::new(1_700), 60);
        let gain = model.wdl(Score::new(1_720)).value() - model.wdl(Score::new(1_700)).value();
        assert!(gain > 0.001, "{gain}");
    }

    #[test]
    fn a_score_is_found_from_its_value() {
        let model = ValueModel::new(Score::DRAW, 20);
        for score in [-700, -90, 0, 3, 45, 310] {
            let found = model.score(model.wdl(Score::new(score)).value()).value();
            assert!((found - score).abs() <= 2, "{score} {found}");
        }
        assert!(!model.score(1.0).is_decisive() && model.score(-1.0) < Score::new(-2_000));
    }
}
