//! The sequential probability ratio test: it ends as soon as the games say enough.
//!
//! Two differences of strength are compared by how likely they make the results so far. The results of pairs have five kinds
//! with unknown likelihoods; under each hypothesis they are taken as the most likely ones that fit it (the generalised test).
//! With p̂ the observed distribution and a constraint that is zero in the mean, Σ p h = 0, the most likely distribution is
//! p = p̂ / (1 + x h), where x solves Σ p̂ h / (1 + x h) = 0.

use std::fmt;

use super::elo::{Elo, NORMALISED};
use super::pairs::{Distribution, Pairs};

/// What the hypotheses are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// The score: points of logistic Elo.
    Logistic,
    /// The score in standard deviations: points of normalised Elo. The length of a test does not depend on the share of draws.
    Normalised,
}

impl Model {
    /// The name on command lines and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Logistic => "logistic",
            Self::Normalised => "normalized",
        }
    }
}

impl std::str::FromStr for Model {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = [Self::Normalised, Self::Logistic].into_iter().find(|model| model.name() == name);
        known.ok_or_else(|| format!("there is no model {name:?}; there are normalized and logistic"))
    }
}

/// The two differences that are compared.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hypotheses {
    /// What they are about.
    pub model: Model,
    /// The Elo difference under H0.
    pub elo0: f64,
    /// The Elo difference under H1.
    pub elo1: f64,
}

impl Hypotheses {
    // ANCHOR: llr
    /// The logarithm of how much more likely the second hypothesis makes the results than the first.
    pub fn log_likelihood_ratio(&self, pairs: &Pairs) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        let (count, observed) = pairs.regularised();
        let fitted = [self.elo0, self.elo1].map(|elo| match self.model {
            Model::Logistic => with_mean(&observed, Elo(elo).score()),
            Model::Normalised => with_ratio(&observed, elo / NORMALISED * std::f64::consts::SQRT_2),
        });
        let ratios = observed.0.iter().zip(fitted[0].0.iter().zip(fitted[1].0));
        count * ratios.map(|(seen, (null, alternative))| seen * (alternative / null).ln()).sum::<f64>()
    }
    // ANCHOR_END: llr
}

/// What a test has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// H1 is accepted.
    Passed,
    /// It is not.
    Failed,
    /// More games are needed.
    Open,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Open => "open",
        })
    }
}

/// A test: hypotheses and how often it may be wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// What is compared.
    pub hypotheses: Hypotheses,
    /// How often a change of the first hypothesis may pass.
    pub alpha: f64,
    /// How often a change of the second may fail.
    pub beta: f64,
}

impl Sprt {
    // ANCHOR: bounds
    /// The ratios at which it ends: failed at the first, passed at the second.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }
    // ANCHOR_END: bounds

    /// What the results say.
    pub fn verdict(&self, pairs: &Pairs) -> Verdict {
        let ratio = self.hypotheses.log_likelihood_ratio(pairs);
        let (lower, upper) = self.bounds();
        match () {
            () if ratio >= upper => Verdict::Passed,
            () if ratio <= lower => Verdict::Failed,
            () => Verdict::Open,
        }
    }
}

/// The most likely distribution of that expected score.
fn with_mean(observed: &Distribution, mean: f64) -> Distribution {
    tilted(observed, &Distribution::SCORES.map(|score| score - mean))
}

/// The most likely distribution whose expected score is `ratio` standard deviations above one half.
///
/// The deviation depends on the distribution that is sought, so the constraint is put in its linear form at the last estimate:
/// h = a - ½ - tσ (1 + ((a - μ) / σ)²) / 2, which is zero in the mean where μ - ½ = tσ.
fn with_ratio(observed: &Distribution, ratio: f64) -> Distribution {
    const ROUNDS: usize = 50;
    const CLOSE: f64 = 1e-12;
    let mut fitted = Distribution([1.0 / Pairs::KINDS as f64; Pairs::KINDS]);
    for _ in 0..ROUNDS {
        let (mean, deviation) = (fitted.mean(), fitted.variance().sqrt());
        let constraint = Distribution::SCORES.map(|score| {
            let away = (score - mean) / deviation;
            score - 0.5 - ratio * deviation * (1.0 + away * away) / 2.0
        });
        let next = tilted(observed, &constraint);
        let change = fitted.0.iter().zip(next.0).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
        fitted = next;
        if change < CLOSE {
            break;
        }
    }
    fitted
}

/// The most likely distribution for which `constraint` is zero in the mean.
fn tilted(observed: &Distribution, constraint: &[f64; Pairs::KINDS]) -> Distribution {
    let (least, greatest) =
        constraint.iter().fold((f64::MAX, f64::MIN), |(least, greatest), &h| (least.min(h), greatest.max(h)));
    if least >= 0.0 || greatest <= 0.0 {
        return *observed;
    }
    // Between the poles the sum falls from infinity to minus infinity, so halving finds where it is zero.
    const HALVINGS: usize = 200;
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    for _ in 0..HALVINGS {
        let x = f64::midpoint(low, high);
        let sum: f64 =
            observed.0.iter().zip(constraint).map(|(likelihood, h)| likelihood * h / (1.0 + x * h)).sum();
        if sum > 0.0 { low = x } else { high = x }
    }
    let x = f64::midpoint(low, high);
    let mut fitted = *observed;
    fitted.0.iter_mut().zip(constraint).for_each(|(likelihood, h)| *likelihood /= 1.0 + x * h);
    fitted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(model: Model, elo0: f64, elo1: f64, pairs: [u64; Pairs::KINDS]) -> f64 {
        Hypotheses { model, elo0, elo1 }.log_likelihood_ratio(&Pairs(pairs))
    }

    /// Tests of Stockfish as its pull requests quote them, with two digits.
    #[test]
    fn published_ratios_come_out() {
        for (model, elo0, elo1, pairs, published) in [
            // #3209
            (Model::Logistic, -0.25, 1.25, [253, 4282, 17604, 4431, 286], 2.94),
            (Model::Logistic, 0.25, 1.25, [58, 3302, 33130, 3518, 84], 2.97),
            // #2971
            (Model::Logistic, -0.5, 1.5, [17, 253, 1042, 337, 39], 2.96),
            (Model::Logistic, 0.25, 1.75, [11, 407, 3238, 513, 11], 2.93),
            // #2493
            (Model::Logistic, -1.0, 3.0, [424, 2948, 5832, 3045, 460], 2.94),
            // #3514
            (Model::Normalised, -0.5, 2.5, [264, 5737, 31270, 5964, 269], 2.97),
            (Model::Normalised, 0.5, 3.5, [29, 2205, 35000, 2392, 34], 2.94),
            // #6616
            (Model::Normalised, 0.0, 2.0, [2, 1925, 6607, 2176, 2], 2.94),
            (Model::Normalised, 0.5, 2.5, [5, 2968, 10474, 3253, 5], 2.96),
        ] {
            let ratio = ratio(model, elo0, elo1, pairs);
            assert!((ratio - published).abs() <= 0.005, "{pairs:?}: {ratio} is not {published}");
        }
    }

    #[test]
    fn a_fitted_distribution_is_one_and_fits() {
        for pairs in [[3, 10, 40, 12, 2], [0, 0, 10, 0, 0], [0, 0, 1, 8, 1], [50, 1, 0, 0, 0]] {
            let (_, observed) = Pairs(pairs).regularised();
            for mean in [0.45, 0.5, 0.502, 0.6] {
                let fitted = with_mean(&observed, mean);
                assert!((fitted.0.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{pairs:?} {mean}");
                assert!((fitted.mean() - mean).abs() < 1e-9, "{pairs:?} {mean}");
            }
            for ratio in [-0.2, 0.0, 0.01, 0.3] {
                let fitted = with_ratio(&observed, ratio);
                let found = (fitted.mean() - 0.5) / fitted.variance().sqrt();
                assert!((fitted.0.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{pairs:?} {ratio}");
                assert!((found - ratio).abs() < 1e-6, "{pairs:?} {ratio}: {found}");
            }
        }
    }

    /// What is fitted is most likely: no distribution nearby with the same mean is likelier.
    #[test]
    fn a_fitted_distribution_is_the_most_likely() {
        let (_, observed) = Pairs([3, 10, 40, 12, 2]).regularised();
        let fitted = with_mean(&observed, 0.52);
        let likelihood = |fitted: &Distribution| {
            observed.0.iter().zip(fitted.0).map(|(seen, p)| seen * p.ln()).sum::<f64>()
        };
        // Changes that leave sum and mean as they are.
        for change in [[1.0, -2.0, 1.0, 0.0, 0.0], [0.0, 1.0, -2.0, 1.0, 0.0], [1.0, 0.0, -2.0, 0.0, 1.0]] {
            for step in [1e-4, -1e-4] {
                let mut nearby = fitted;
                nearby.0.iter_mut().zip(change).for_each(|(p, change)| *p += step * change);
                assert!(likelihood(&nearby) < likelihood(&fitted));
            }
        }
    }

    #[test]
    fn a_test_ends_at_its_bounds() {
        let hypotheses = Hypotheses { model: Model::Normalised, elo0: 0.0, elo1: 10.0 };
        let sprt = Sprt { hypotheses, alpha: 0.05, beta: 0.05 };
        let (lower, upper) = sprt.bounds();
        assert!((lower + 2.944_438_979).abs() < 1e-9 && (upper - 2.944_438_979).abs() < 1e-9);
        assert_eq!(sprt.verdict(&Pairs::default()), Verdict::Open);
        let pairs = Pairs([100, 250, 400, 260, 120]);
        assert_eq!(sprt.verdict(&pairs), Verdict::Open);
        assert_eq!(sprt.verdict(&Pairs(pairs.0.map(|count| 20 * count))), Verdict::Passed);
        assert_eq!(sprt.verdict(&Pairs(pairs.flipped().0.map(|count| 20 * count))), Verdict::Failed);
    }

    #[test]
    fn swapping_the_players_swaps_the_hypotheses() {
        for model in [Model::Logistic, Model::Normalised] {
            let pairs = Pairs([12, 80, 211, 95, 14]);
            let ours = Hypotheses { model, elo0: 1.0, elo1: 4.0 }.log_likelihood_ratio(&pairs);
            let theirs = Hypotheses { model, elo0: -4.0, elo1: -1.0 }.log_likelihood_ratio(&pairs.flipped());
            assert!((ours + theirs).abs() < 1e-9);
        }
    }
}
