//! Results of single games.

use std::ops::AddAssign;

/// How many games one side has won, drawn and lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// All games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points in halves.
    pub const fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// The share of points; none before the first game.
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.half_points() as f64 / (2 * self.games()) as f64)
    }

    /// The share of draws; none before the first game.
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }

    /// The same games for the other side.
    #[cfg(test)]
    pub(crate) const fn flipped(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_counted() {
        let tally = Tally { wins: 3, draws: 2, losses: 1 };
        assert_eq!((tally.games(), tally.half_points()), (6, 8));
        assert_eq!(tally.score(), Some(4.0 / 6.0));
        assert_eq!(tally.flipped().score(), Some(2.0 / 6.0));
        assert_eq!(tally.draw_ratio(), Some(2.0 / 6.0));
        assert_eq!((Tally::default().score(), Tally::default().draw_ratio()), (None, None));
    }
}
