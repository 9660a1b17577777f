//! Results of pairs of games: the same opening with colours swapped.
//!
//! An opening that favours one side makes the two games of a pair depend on each other. Counted singly they would seem more
//! certain or less than they are; counted in pairs the opening falls out.

use std::ops::AddAssign;

/// How many pairs have ended with 0, ½, 1, 1½ and 2 points: the pentanomial.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pairs(pub [u64; Self::KINDS]);

impl Pairs {
    /// How many different results a pair can have.
    pub(crate) const KINDS: usize = 5;

    /// One more pair, with these half points of four.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// All pairs.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The same pairs for the other side.
    #[cfg(test)]
    pub(crate) fn flipped(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// The distribution of the score per game; none before the first pair.
    pub(crate) fn distribution(&self) -> Option<Distribution> {
        let count = self.count();
        (count > 0).then(|| Distribution(self.0.map(|pairs| pairs as f64 / count as f64)))
    }

    /// The same, with a thousandth of a pair put where there is none: a likelihood must not be zero for what merely has not
    /// happened yet. Testing frameworks agree on this.
    pub(crate) fn regularised(&self) -> (f64, Distribution) {
        const UNSEEN: f64 = 1e-3;
        let counts = self.0.map(|pairs| if pairs == 0 { UNSEEN } else { pairs as f64 });
        let count: f64 = counts.iter().sum();
        (count, Distribution(counts.map(|pairs| pairs / count)))
    }
}

impl AddAssign for Pairs {
    fn add_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(pairs, more)| *pairs += more);
    }
}

/// How likely each result of a pair is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Distribution(pub(super) [f64; Pairs::KINDS]);

impl Distribution {
    /// The scores per game that a pair can have.
    pub(super) const SCORES: [f64; Pairs::KINDS] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// Scores with their likelihoods.
    pub(super) fn iter(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        Self::SCORES.into_iter().zip(self.0)
    }

    /// The expected score.
    pub(crate) fn mean(&self) -> f64 {
        self.iter().map(|(score, likelihood)| score * likelihood).sum()
    }

    /// The variance of a pair's score per game.
    pub(crate) fn variance(&self) -> f64 {
        let mean = self.mean();
        self.iter().map(|(score, likelihood)| likelihood * (score - mean) * (score - mean)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_variance_are_those_of_the_pairs() {
        let mut pairs = Pairs::default();
        assert_eq!(pairs.distribution(), None);
        for half_points in [0, 2, 2, 4] {
            pairs.add(half_points);
        }
        let distribution = pairs.distribution().expect("there are pairs");
        assert_eq!((distribution.mean(), distribution.variance()), (0.5, 0.125));
        pairs += Pairs([0, 0, 0, 0, 4]);
        let flipped = pairs.flipped().distribution().expect("there are pairs");
        assert_eq!(flipped.mean(), 0.25);
    }

    #[test]
    fn nothing_is_impossible() {
        let (count, distribution) = Pairs([0, 0, 10, 0, 0]).regularised();
        assert!((count - 10.004).abs() < 1e-12);
        assert!(distribution.iter().all(|(_, likelihood)| likelihood > 0.0));
        assert!((distribution.iter().map(|(_, likelihood)| likelihood).sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
