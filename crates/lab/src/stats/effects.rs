//! Effects of a screening design: weighted least squares on the scores of pairs, in Elo.
//!
//! In row `r` of a design the side with the levels of the row plays the side with all levels exchanged (fold-over). The expected
//! score is that of the difference `c + Σ ±β`, with + for factors at their high level: β is the effect of a factor, high
//! against low, and c a constant, zero where nothing but the factors has influence. The curve of the score is not a line, so
//! the least squares are repeated at the last estimate, with weights by the slope and the variance there. The variance of a
//! pair's score is `φ μ (1 - μ)`, with φ estimated from all pairs; draws make it smaller.

use std::f64::consts::LN_10;

use super::design::Design;
use super::elo::Elo;
use super::pairs::{Distribution, Pairs};

/// An estimated difference in Elo with its standard error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effect {
    /// The estimate.
    pub elo: f64,
    /// Its standard error.
    pub deviation: f64,
}

impl Effect {
    /// Half the width of the 95% interval.
    pub fn error(&self) -> f64 {
        /// Standard deviations that hold 95%.
        const Z95: f64 = 1.959_963_984_540_054;
        Z95 * self.deviation
    }

    /// The estimate in standard errors.
    pub fn z(&self) -> f64 {
        self.elo / self.deviation
    }
}

/// What the pairs of a screen say.
#[derive(Clone, PartialEq, Debug)]
pub struct Effects {
    /// The mean advantage of rows over their opposites.
    pub constant: Effect,
    /// The effect of each factor: high against low, in the mean over the levels of the others.
    pub factors: Vec<Effect>,
    /// All factors high against all low: the sum of the effects.
    pub total: Effect,
    /// The sum of squares of what the rows differ from the fit, in standard deviations: large if effects do not add up.
    pub misfit: f64,
    /// The expected value of [`Self::misfit`] where effects add up: rows with pairs less estimated numbers.
    pub freedom: usize,
}

/// Elo to natural odds.
const SLOPE: f64 = LN_10 / 400.0;
/// The standard deviation of an effect before the first game: without it the first games would have infinite estimates.
const PRIOR: f64 = 400.0;

impl Effects {
    /// The estimates from the pairs of each row; none before the first pair.
    pub fn of(design: &Design, pairs: &[Pairs]) -> Option<Self> {
        const ROUNDS: usize = 50;
        const CLOSE: f64 = 1e-9;
        let rows: Vec<Row> =
            design.rows().iter().zip(pairs).filter_map(|(row, pairs)| Row::of(row, pairs)).collect();
        let size = 1 + design.factors();
        if rows.is_empty() {
            return None;
        }
        let mut estimate = vec![0.0; size];
        let mut dispersion = dispersion(&rows, &estimate);
        for _ in 0..ROUNDS {
            let next = step(&rows, &estimate, dispersion)?;
            let change = estimate.iter().zip(&next).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
            estimate = next;
            dispersion = self::dispersion(&rows, &estimate);
            if change < CLOSE {
                break;
            }
        }
        let covariance = Cholesky::of(information(&rows, &estimate, dispersion))?;
        let effect = |weights: &[f64]| {
            let variance: f64 = covariance.solve(weights).iter().zip(weights).map(|(a, b)| a * b).sum();
            let elo = estimate.iter().zip(weights).map(|(a, b)| a * b).sum();
            Effect { elo, deviation: variance.sqrt() }
        };
        let unit = |place: usize| Vec::from_iter((0..size).map(|at| f64::from(u8::from(at == place))));
        let all: Vec<f64> = (0..size).map(|at| f64::from(u8::from(at > 0))).collect();
        let misfit = rows.iter().map(|row| row.misfit(&estimate)).sum::<f64>() / dispersion;
        Some(Self {
            constant: effect(&unit(0)),
            factors: (1..size).map(|place| effect(&unit(place))).collect(),
            total: effect(&all),
            misfit,
            freedom: rows.len().saturating_sub(size),
        })
    }
}

/// The results of a row.
struct Row {
    /// 1 for the constant, then 1 or -1 for each factor.
    levels: Vec<f64>,
    count: f64,
    observed: Distribution,
}

impl Row {
    fn of(is_high: &[bool], pairs: &Pairs) -> Option<Self> {
        let observed = pairs.distribution()?;
        let levels = [1.0].into_iter().chain(is_high.iter().map(|&high| if high { 1.0 } else { -1.0 }));
        Some(Self { levels: levels.collect(), count: pairs.count() as f64, observed })
    }

    /// The difference in Elo by the estimate, within bounds that keep the score from 0 and 1.
    fn difference(&self, estimate: &[f64]) -> f64 {
        const MOST: f64 = 800.0;
        self.levels.iter().zip(estimate).map(|(level, effect)| level * effect).sum::<f64>().clamp(-MOST, MOST)
    }

    /// The expected score by the estimate and its slope by the difference in natural odds, which is the variance of a game
    /// without draws.
    fn expected(&self, estimate: &[f64]) -> (f64, f64) {
        let score = Elo(self.difference(estimate)).score();
        (score, score * (1.0 - score))
    }

    /// The squared error of the row's mean, in units of its variance for φ = 1.
    fn misfit(&self, estimate: &[f64]) -> f64 {
        let (score, variance) = self.expected(estimate);
        self.count * (self.observed.mean() - score).powi(2) / variance
    }

    /// The squared errors of all pairs, in units of their variance for φ = 1.
    fn squares(&self, estimate: &[f64]) -> f64 {
        let (_, variance) = self.expected(estimate);
        self.misfit(estimate) + self.count * self.observed.variance() / variance
    }
}

/// The dispersion φ, with ten pairs of independent decisive games before the first one.
fn dispersion(rows: &[Row], estimate: &[f64]) -> f64 {
    const PAIRS: f64 = 10.0;
    const INDEPENDENT: f64 = 0.5;
    let squares: f64 = rows.iter().map(|row| row.squares(estimate)).sum();
    let count: f64 = rows.iter().map(|row| row.count).sum();
    (squares + PAIRS * INDEPENDENT) / ((count - estimate.len() as f64).max(0.0) + PAIRS)
}

/// The weight of a row: the inverse variance of its mean in Elo.
fn weight(row: &Row, estimate: &[f64], dispersion: f64) -> f64 {
    let (_, variance) = row.expected(estimate);
    row.count * SLOPE * SLOPE * variance / dispersion
}

/// The information matrix: the inverse of the covariance of the estimate.
fn information(rows: &[Row], estimate: &[f64], dispersion: f64) -> Vec<Vec<f64>> {
    let size = estimate.len();
    let mut matrix = vec![vec![0.0; size]; size];
    for (place, line) in matrix.iter_mut().enumerate() {
        line[place] = 1.0 / (PRIOR * PRIOR);
    }
    for row in rows {
        let weight = weight(row, estimate, dispersion);
        for (line, one) in matrix.iter_mut().zip(&row.levels) {
            line.iter_mut().zip(&row.levels).for_each(|(entry, other)| *entry += weight * one * other);
        }
    }
    matrix
}

/// Weighted least squares at the last estimate; none if they have no solution.
fn step(rows: &[Row], estimate: &[f64], dispersion: f64) -> Option<Vec<f64>> {
    let mut right = vec![0.0; estimate.len()];
    for row in rows {
        let (score, variance) = row.expected(estimate);
        let observed = row.difference(estimate) + (row.observed.mean() - score) / (SLOPE * variance);
        let weighted = weight(row, estimate, dispersion) * observed;
        right.iter_mut().zip(&row.levels).for_each(|(entry, level)| *entry += weighted * level);
    }
    Some(Cholesky::of(information(rows, estimate, dispersion))?.solve(&right))
}

/// A symmetric positive matrix as the product of a triangle with itself.
struct Cholesky(Vec<Vec<f64>>);

impl Cholesky {
    /// None if the matrix is not positive.
    fn of(mut matrix: Vec<Vec<f64>>) -> Option<Self> {
        for row in 0..matrix.len() {
            for column in 0..=row {
                let product: f64 = (0..column).map(|at| matrix[row][at] * matrix[column][at]).sum();
                let rest = matrix[row][column] - product;
                matrix[row][column] = match row == column {
                    true if rest > 0.0 => rest.sqrt(),
                    true => return None,
                    false => rest / matrix[column][column],
                };
            }
        }
        Some(Self(matrix))
    }

    /// The solution for a right side.
    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Self(triangle) = self;
        let mut solution = right.to_vec();
        for row in 0..solution.len() {
            let product: f64 = (0..row).map(|at| triangle[row][at] * solution[at]).sum();
            solution[row] = (solution[row] - product) / triangle[row][row];
        }
        for row in (0..solution.len()).rev() {
            let product: f64 = (row + 1..solution.len()).map(|at| triangle[at][row] * solution[at]).sum();
            solution[row] = (solution[row] - product) / triangle[row][row];
        }
        solution
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of a row whose mean score is exactly that of a difference, and half of whose games are drawn.
    fn exact(elo: f64) -> Pairs {
        const COUNT: f64 = 1e9;
        let score = Elo(elo).score();
        let (win, loss) = (score - 0.25, 0.75 - score);
        let kinds = [loss * loss, loss, 2.0 * win * loss + 0.25, win, win * win];
        Pairs(kinds.map(|share| (share * COUNT).round() as u64))
    }

    /// Without noise the planted effects come out, large ones too: the curve of the score is not taken for a line.
    #[test]
    fn exact_results_give_the_exact_effects() {
        let planted = [12.0, -30.0, 0.0, 5.5, 45.0];
        let design = Design::new(planted.len(), 5).expect("the number is in range");
        let difference = |row: &Vec<bool>| {
            2.5 + row.iter().zip(planted).map(|(&high, elo)| if high { elo } else { -elo }).sum::<f64>()
        };
        let pairs: Vec<Pairs> = design.rows().iter().map(|row| exact(difference(row))).collect();
        let effects = Effects::of(&design, &pairs).expect("there are pairs");
        for (effect, elo) in effects.factors.iter().zip(planted).chain([(&effects.constant, 2.5)]) {
            assert!((effect.elo - elo).abs() < 1e-3, "{effect:?} is not {elo}");
        }
        assert!((effects.total.elo - 32.5).abs() < 1e-3);
        assert_eq!(effects.freedom, 2);
        assert!(effects.misfit < 1.0, "{}", effects.misfit);
        // One row that does not fit the others cannot be explained by effects that add up.
        let mut pairs = pairs;
        pairs[3] = exact(difference(&design.rows()[3]) + 8.0);
        let misfit = Effects::of(&design, &pairs).expect("there are pairs").misfit;
        assert!(misfit > 1_000.0, "{misfit}");
    }

    /// With n pairs in all the standard error of an effect is that of a match of n pairs: each pair counts for every factor.
    #[test]
    fn every_pair_counts_for_every_factor() {
        let design = Design::new(11, 5).expect("the number is in range");
        let row = Pairs([10, 40, 100, 40, 10]);
        let effects = Effects::of(&design, &[row; 12]).expect("there are pairs");
        let all = Pairs(row.0.map(|count| 12 * count));
        let error =
            super::super::elo::Estimate::of(&all).and_then(|estimate| estimate.error()).expect("finite");
        for effect in &effects.factors {
            assert!((effect.error() / error - 1.0).abs() < 0.01, "{} is not {error}", effect.error());
        }
    }

    #[test]
    fn few_pairs_have_wide_and_finite_errors() {
        let design = Design::new(3, 5).expect("the number is in range");
        let mut pairs = [Pairs::default(); 4];
        assert_eq!(Effects::of(&design, &pairs), None);
        for half_points in [4, 4, 0, 2] {
            pairs[0].add(half_points);
            pairs[2].add(4);
            let effects = Effects::of(&design, &pairs).expect("there are pairs");
            for effect in effects.factors.iter().chain([&effects.constant, &effects.total]) {
                assert!(effect.elo.is_finite() && effect.deviation > 50.0, "{effect:?}");
                assert!(effect.deviation < 2.0 * PRIOR, "{effect:?}");
            }
        }
    }
}
