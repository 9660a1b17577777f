//! Differences in strength, and how far they can be trusted.

use std::f64::consts::LN_10;
use std::fmt;

use super::pairs::Pairs;

/// A difference of strength on the logistic scale: 400 points are odds of ten to one.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Elo(pub f64);

impl Elo {
    /// The difference at which `score` is expected; infinite at 0 and 1.
    pub(crate) fn from_score(score: f64) -> Self {
        Self(-400.0 * (1.0 / score - 1.0).log10())
    }

    /// The score that is expected.
    pub fn score(self) -> f64 {
        1.0 / (1.0 + 10f64.powf(-self.0 / 400.0))
    }
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.1}", self.0)
    }
}

/// Normalised Elo for one standard deviation of a game's score: the scale is that of logistic Elo where nothing is drawn.
pub(crate) const NORMALISED: f64 = 800.0 / LN_10;

/// What pairs of games say about the difference of two players.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The most likely difference.
    pub elo: Elo,
    /// With 95% certainty not less than this.
    pub low: Elo,
    /// With 95% certainty not more than this.
    pub high: Elo,
    /// The difference in standard deviations of a game, scaled: it says how many games it takes to see it.
    pub normalised: f64,
    /// Half the width of the 95% interval of the normalised difference.
    pub normalised_error: f64,
    /// The likelihood that the first player is the stronger.
    pub superiority: f64,
}

impl Estimate {
    /// From pairs of games; none before the first pair.
    pub fn of(pairs: &Pairs) -> Option<Self> {
        /// Standard deviations that hold 95%.
        const Z95: f64 = 1.959_963_984_540_054;
        let distribution = pairs.distribution()?;
        let mean = distribution.mean();
        // Of the mean of all pairs, from that of one.
        let deviation = (distribution.variance() / pairs.count() as f64).sqrt();
        let bound = |score: f64| Elo::from_score(score.clamp(0.0, 1.0));
        // A pair is two games: the deviation of a single one is greater by the root of two.
        let game_deviation = (2.0 * distribution.variance()).sqrt();
        let is_certain = deviation == 0.0;
        Some(Self {
            elo: Elo::from_score(mean),
            low: bound(mean - Z95 * deviation),
            high: bound(mean + Z95 * deviation),
            // Without any deviation the least difference is infinitely plain.
            normalised: if mean == 0.5 { 0.0 } else { (mean - 0.5) / game_deviation * NORMALISED },
            normalised_error: NORMALISED * Z95 / (2.0 * pairs.count() as f64).sqrt(),
            superiority: match is_certain {
                true if mean == 0.5 => 0.5,
                true => f64::from(mean > 0.5),
                false => normal_cdf((mean - 0.5) / deviation),
            },
        })
    }

    /// Half the width of the 95% interval, if it has an end on both sides.
    pub fn error(&self) -> Option<f64> {
        let width = self.high.0 - self.low.0;
        width.is_finite().then_some(width / 2.0)
    }
}

/// The part of a standard normal distribution below `x`.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x / std::f64::consts::SQRT_2)
}

/// The complementary error function: by its series where that is short, by its continued fraction elsewhere.
fn erfc(x: f64) -> f64 {
    const NEAR: f64 = 2.5;
    const TERMS: u32 = 80;
    let scale = (-x * x).exp() / std::f64::consts::PI.sqrt();
    if x < 0.0 {
        2.0 - erfc(-x)
    } else if x < NEAR {
        // erf(x) = 2/sqrt(pi) exp(-x²) (x + 2x³/3 + 4x⁵/15 + ...), every term 2x²/(2n+1) times the last.
        let mut term = x;
        let mut sum = x;
        for n in 1..TERMS {
            term *= 2.0 * x * x / f64::from(2 * n + 1);
            sum += term;
        }
        1.0 - 2.0 * scale * sum
    } else {
        // erfc(x) = exp(-x²)/sqrt(pi) / (x + ½/(x + 1/(x + 3/2/(x + ...)))), from the inside out.
        let fraction = (1..=TERMS).rev().fold(x, |inner, n| x + f64::from(n) / 2.0 / inner);
        scale / fraction
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
    }

    #[test]
    fn elo_and_score_are_each_others_inverse() {
        for elo in [-700.0, -33.3, 0.0, 1.0, 120.0, 800.0] {
            assert_near(Elo::from_score(Elo(elo).score()).0, elo, 1e-9);
        }
        assert_near(Elo(400.0).score(), 10.0 / 11.0, 1e-12);
        assert_eq!(Elo::from_score(1.0).0, f64::INFINITY);
        assert_eq!(Elo::from_score(0.0).0, f64::NEG_INFINITY);
    }

    /// Values from tables of the normal distribution.
    #[test]
    fn the_normal_distribution_is_right() {
        for (x, below) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_542_9),
            (1.959_963_984_540_054, 0.975),
            (3.0, 0.998_650_101_968_369_9),
            (-4.0, 3.167_124_183_311_986e-5),
            (6.0, 0.999_999_999_013_412_4),
        ] {
            assert_near(normal_cdf(x), below, 1e-13);
        }
    }

    #[test]
    fn the_estimate_is_symmetric_and_narrows_with_games() {
        let pairs = Pairs([10, 20, 40, 25, 12]);
        let (ours, theirs) = (Estimate::of(&pairs), Estimate::of(&pairs.flipped()));
        let (ours, theirs) = (ours.expect("there are pairs"), theirs.expect("there are pairs"));
        assert_near(ours.elo.0, -theirs.elo.0, 1e-9);
        assert_near(ours.low.0, -theirs.high.0, 1e-9);
        assert_near(ours.superiority, 1.0 - theirs.superiority, 1e-12);
        let many = Estimate::of(&Pairs(pairs.0.map(|count| 100 * count))).expect("there are pairs");
        assert!(many.error() < ours.error() && many.normalised_error < ours.normalised_error);
        assert_near(many.normalised, ours.normalised, 1e-9);
    }

    /// Without draws and with independent games a normalised point is a logistic one, near zero.
    #[test]
    fn scales_agree_where_nothing_is_drawn() {
        let p: f64 = 0.501;
        let count = |likelihood: f64| (likelihood * 1e9) as u64;
        let pairs = Pairs([count((1.0 - p) * (1.0 - p)), 0, count(2.0 * p * (1.0 - p)), 0, count(p * p)]);
        let estimate = Estimate::of(&pairs).expect("there are pairs");
        assert_near(estimate.normalised, estimate.elo.0, 1e-3);
    }

    #[test]
    fn extremes_have_an_estimate_too() {
        assert_eq!(Estimate::of(&Pairs::default()), None);
        let won = Estimate::of(&Pairs([0, 0, 0, 0, 7])).expect("there are pairs");
        assert_eq!((won.elo.0, won.superiority, won.error()), (f64::INFINITY, 1.0, None));
        assert_eq!(won.normalised, f64::INFINITY);
        let drawn = Estimate::of(&Pairs([0, 0, 7, 0, 0])).expect("there are pairs");
        assert_eq!((drawn.elo.0, drawn.normalised, drawn.superiority), (0.0, 0.0, 0.5));
    }
}
