//! Root noise: random numbers that make self-play explore, Gumbel noise for sequential halving and Dirichlet noise on priors.
//!
//! The same seed gives the same noise. It knows nothing of trees and moves.

use rukh_chess::random::SplitMix64;

/// The noise at the root of one search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RootNoise {
    /// The seed of all noise of this search.
    pub seed: u64,
    /// The factor on Gumbel noise: 1 samples moves by the policy, 0 is none.
    pub gumbel_scale: f64,
    /// Dirichlet noise on the priors of the root moves; `None` for none.
    pub dirichlet: Option<Dirichlet>,
}

/// Dirichlet noise.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dirichlet {
    /// The concentration: the smaller, the fewer moves have most of the noise.
    pub alpha: f64,
    /// The share of the noise in a prior, from 0 to 1.
    pub share: f64,
}

/// A number of the standard Gumbel distribution.
pub(crate) fn gumbel(random: &mut SplitMix64) -> f64 {
    -(-(random.share().max(f64::MIN_POSITIVE)).ln()).ln()
}

impl Dirichlet {
    /// Mixes noise into priors, which add up to 1 before and after.
    pub(crate) fn mix_into<'p>(self, priors: impl ExactSizeIterator<Item = &'p mut f32>, seed: u64) {
        let mut random = SplitMix64::new(seed);
        let noise: Vec<f64> = (0..priors.len()).map(|_| gamma(self.alpha, &mut random)).collect();
        let sum: f64 = noise.iter().sum();
        // All may be 0 where alpha is tiny.
        if sum > 0.0 {
            for (prior, noise) in priors.zip(noise) {
                *prior = ((1.0 - self.share) * f64::from(*prior) + self.share * noise / sum) as f32;
            }
        }
    }
}

/// A number of the gamma distribution with this shape and scale 1 (Marsaglia and Tsang 2000).
fn gamma(shape: f64, random: &mut SplitMix64) -> f64 {
    if shape < 1.0 {
        let power = random.share().max(f64::MIN_POSITIVE).powf(1.0 / shape);
        return gamma(shape + 1.0, random) * power;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(random);
        let v = (1.0 + c * x).powi(3);
        let u = random.share().max(f64::MIN_POSITIVE);
        if v > 0.0 && u.ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// A number of the standard normal distribution (Box and Muller).
fn normal(random: &mut SplitMix64) -> f64 {
    let radius = (-2.0 * random.share().max(f64::MIN_POSITIVE).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.share()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: usize = 40_000;

    /// Mean and variance of so many numbers.
    fn moments(mut draw: impl FnMut() -> f64) -> (f64, f64) {
        let all: Vec<f64> = (0..COUNT).map(|_| draw()).collect();
        let mean = all.iter().sum::<f64>() / COUNT as f64;
        (mean, all.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / COUNT as f64)
    }

    #[test]
    fn the_distributions_have_their_mean_and_variance() {
        let mut random = SplitMix64::new(5);
        let (mean, variance) = moments(|| gumbel(&mut random));
        let pi = std::f64::consts::PI;
        assert!(
            (mean - 0.577_216).abs() < 0.03 && (variance - pi * pi / 6.0).abs() < 0.06,
            "{mean} {variance}"
        );
        for shape in [0.3, 1.0, 4.5] {
            let (mean, variance) = moments(|| gamma(shape, &mut random));
            let near = |found: f64| (found / shape - 1.0).abs() < 0.1;
            assert!(near(mean) && near(variance), "{shape}: {mean} {variance}");
        }
    }

    /// The greatest of logits with Gumbel noise is a sample of their softmax.
    #[test]
    fn gumbel_noise_samples_the_policy() {
        let policy = [0.6, 0.3, 0.1_f64];
        let mut random = SplitMix64::new(9);
        let mut counts = [0; 3];
        for _ in 0..COUNT {
            let scores = policy.map(|share| share.ln() + gumbel(&mut random));
            let best = (0..3).max_by(|&one, &other| scores[one].total_cmp(&scores[other])).expect("three");
            counts[best] += 1;
        }
        for (count, share) in counts.into_iter().zip(policy) {
            assert!((f64::from(count) / COUNT as f64 - share).abs() < 0.015, "{counts:?}");
        }
    }

    #[test]
    fn dirichlet_noise_keeps_the_sum_and_has_its_spread() {
        const MOVES: usize = 20;
        let noise = Dirichlet { alpha: 0.3, share: 0.25 };
        let mixed = |seed: u64| {
            let mut priors = [1.0 / MOVES as f32; MOVES];
            noise.mix_into(priors.iter_mut(), seed);
            priors
        };
        assert_eq!(mixed(3), mixed(3));
        assert_ne!(mixed(3), mixed(4));
        let mut seed = 0;
        let (mean, variance) = moments(|| {
            seed += 1;
            let priors = mixed(seed);
            assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            assert!(priors.iter().all(|&prior| prior >= 0.75 / MOVES as f32 - 1e-6));
            f64::from(priors[7])
        });
        let part = 1.0 / MOVES as f64;
        // Of one part of a Dirichlet distribution.
        let expected = part * (1.0 - part) / (noise.alpha * MOVES as f64 + 1.0) * noise.share.powi(2);
        assert!((mean - part).abs() < 0.003, "{mean}");
        assert!((variance / expected - 1.0).abs() < 0.1, "{variance} for {expected}");
    }
}
