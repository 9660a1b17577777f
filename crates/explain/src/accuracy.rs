//! Accuracy and judgement of moves, by the expected score they lose.
//!
//! The expected score is a win plus half a draw. A pawn matters much in a level position and little in a won one, so
//! centipawns are not used here.

use std::fmt;

/// The expected score of a side: 1 for a win, 0.5 for a draw, 0 for a loss.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ExpectedScore(f64);

impl ExpectedScore {
    /// A drawn game.
    pub const DRAW: Self = Self(0.5);
    /// A won game.
    pub const WIN: Self = Self(1.0);
    /// A lost game.
    pub const LOSS: Self = Self(0.0);

    /// The expected score of a WDL triple in thousandths.
    pub(crate) fn from_wdl([wins, draws, losses]: [u32; 3]) -> Self {
        let total = f64::from(wins + draws + losses).max(1.0);
        Self((f64::from(wins) + f64::from(draws) / 2.0) / total)
    }

    /// The expected score of the opponent.
    #[must_use]
    pub(crate) fn of_opponent(self) -> Self {
        Self(1.0 - self.0)
    }

    /// The value from 0 to 1.
    pub fn value(self) -> f64 {
        self.0
    }

    /// The loss when the expected score changes to `after`; 0 for a gain.
    pub(crate) fn loss_to(self, after: Self) -> f64 {
        (self.0 - after.0).max(0.0)
    }
}

/// The judgement of a bad move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum MoveJudgement {
    /// A better move existed.
    Inaccuracy,
    /// The move loses much.
    Mistake,
    /// The move changes who is better, or loses half a point.
    Blunder,
}

impl MoveJudgement {
    /// All judgements, the mildest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The judgement of a move that loses this much expected score; `None` for a small loss.
    pub(crate) fn from_loss(loss: f64) -> Option<Self> {
        const THRESHOLDS: [(f64, MoveJudgement); 3] = [
            (0.20, MoveJudgement::Blunder),
            (0.11, MoveJudgement::Mistake),
            (0.055, MoveJudgement::Inaccuracy),
        ];
        THRESHOLDS.into_iter().find(|(threshold, _)| loss >= *threshold).map(|(_, judgement)| judgement)
    }

    /// The annotation symbol.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// The numeric annotation glyph (NAG) of PGN.
    pub(crate) fn nag(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }
}

impl fmt::Display for MoveJudgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        })
    }
}

/// The accuracy of a move that loses this much expected score, from 0 to 100. It halves for every 0.15 lost.
pub(crate) fn of_move(loss: f64) -> f64 {
    const HALVING_LOSS: f64 = 0.15;
    100.0 * (-loss.max(0.0) / HALVING_LOSS).exp2()
}

/// The accuracy of a side: the mean accuracy of its moves; `None` without moves.
pub(crate) fn of_side(losses: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0_u32);
    for loss in losses {
        sum += of_move(loss);
        count += 1;
    }
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expected_score_is_wins_plus_half_the_draws() {
        assert_eq!(ExpectedScore::from_wdl([1000, 0, 0]), ExpectedScore::WIN);
        assert_eq!(ExpectedScore::from_wdl([0, 1000, 0]), ExpectedScore::DRAW);
        assert_eq!(ExpectedScore::from_wdl([300, 400, 300]), ExpectedScore::DRAW);
        let better = ExpectedScore::from_wdl([500, 400, 100]);
        assert!((better.value() - 0.7).abs() < 1e-9 && better > better.of_opponent());
        assert!((better.loss_to(ExpectedScore::DRAW) - 0.2).abs() < 1e-9);
        assert_eq!(ExpectedScore::DRAW.loss_to(better), 0.0, "a gain is no loss");
    }

    #[test]
    fn judgements_follow_the_loss() {
        let judgements = [0.0, 0.05, 0.06, 0.12, 0.3].map(MoveJudgement::from_loss);
        let [inaccuracy, mistake, blunder] = MoveJudgement::ALL;
        assert_eq!(judgements, [None, None, Some(inaccuracy), Some(mistake), Some(blunder)]);
        assert_eq!(MoveJudgement::Blunder.symbol(), "??");
        assert_eq!(MoveJudgement::ALL.map(MoveJudgement::nag), [6, 2, 4]);
    }

    #[test]
    fn accuracy_halves() {
        assert_eq!(of_move(0.0), 100.0);
        assert!((of_move(0.15) - 50.0).abs() < 1e-9 && (of_move(0.3) - 25.0).abs() < 1e-9);
        assert_eq!(of_side([]), None);
        assert!((of_side([0.0, 0.15]).expect("there are moves") - 75.0).abs() < 1e-9);
    }
}
