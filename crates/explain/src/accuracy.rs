//! How well moves were played, by the chances they cost.
//!
//! A pawn matters much in a level game and little in a won one; so moves are judged by what they do to the chances, not by
//! centipawns.

use std::fmt;

/// What a side can expect of a game: 1 is a win, 0 a loss, a draw counts half.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Expectation(f64);

impl Expectation {
    /// A game that is drawn.
    pub const DRAW: Self = Self(0.5);
    /// A game that is won.
    pub const WIN: Self = Self(1.0);
    /// A game that is lost.
    pub const LOSS: Self = Self(0.0);

    /// From the chances to win, draw and lose, in thousandths.
    pub fn of_wdl([wins, draws, losses]: [u32; 3]) -> Self {
        let all = f64::from(wins + draws + losses).max(1.0);
        Self((f64::from(wins) + f64::from(draws) / 2.0) / all)
    }

    /// What the other side can expect.
    #[must_use]
    pub fn of_other_side(self) -> Self {
        Self(1.0 - self.0)
    }

    /// From 0 to 1.
    pub fn value(self) -> f64 {
        self.0
    }

    /// What is lost if this becomes of `self`; nothing if it becomes more.
    pub fn loss_to(self, after: Self) -> f64 {
        (self.0 - after.0).max(0.0)
    }
}

/// How bad a move is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// Something better was there.
    Inaccuracy,
    /// It costs much.
    Mistake,
    /// It changes who is better, or throws half a point away.
    Blunder,
}

impl Fault {
    /// The fault of a move that costs so much of the expectation; none if that is little.
    pub fn of_loss(loss: f64) -> Option<Self> {
        const LEAST: [(f64, Fault); 3] =
            [(0.20, Fault::Blunder), (0.11, Fault::Mistake), (0.055, Fault::Inaccuracy)];
        LEAST.into_iter().find(|(least, _)| loss >= *least).map(|(_, fault)| fault)
    }

    /// The sign that chess players write behind the move.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// Its number among the standard annotations of PGN.
    pub fn nag(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        })
    }
}

/// How well a move was played that costs so much of the expectation, from 0 to 100: half for every 0.15 lost.
pub fn of_move(loss: f64) -> f64 {
    const HALF: f64 = 0.15;
    100.0 * (-loss.max(0.0) / HALF).exp2()
}

/// How well a side played, from what its moves cost: the mean of its moves; none if it made none.
pub fn of_side(losses: impl IntoIterator<Item = f64>) -> Option<f64> {
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
    fn expectations_come_from_chances() {
        assert_eq!(Expectation::of_wdl([1000, 0, 0]), Expectation::WIN);
        assert_eq!(Expectation::of_wdl([0, 1000, 0]), Expectation::DRAW);
        assert_eq!(Expectation::of_wdl([300, 400, 300]), Expectation::DRAW);
        let better = Expectation::of_wdl([500, 400, 100]);
        assert!((better.value() - 0.7).abs() < 1e-9 && better > better.of_other_side());
        assert!((better.loss_to(Expectation::DRAW) - 0.2).abs() < 1e-9);
        assert_eq!(Expectation::DRAW.loss_to(better), 0.0, "a gift of the other side is no fault");
    }

    #[test]
    fn faults_grow_with_what_they_cost() {
        let faults = [0.0, 0.05, 0.06, 0.12, 0.3].map(Fault::of_loss);
        assert_eq!(faults, [None, None, Some(Fault::Inaccuracy), Some(Fault::Mistake), Some(Fault::Blunder)]);
        assert_eq!(Fault::Blunder.sign(), "??");
        assert_eq!([Fault::Inaccuracy, Fault::Mistake, Fault::Blunder].map(Fault::nag), [6, 2, 4]);
    }

    #[test]
    fn accuracy_falls_by_half() {
        assert_eq!(of_move(0.0), 100.0);
        assert!((of_move(0.15) - 50.0).abs() < 1e-9 && (of_move(0.3) - 25.0).abs() < 1e-9);
        assert_eq!(of_side([]), None);
        assert!((of_side([0.0, 0.15]).expect("there are moves") - 75.0).abs() < 1e-9);
    }
}
