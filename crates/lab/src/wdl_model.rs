//! The WDL model: how often games are won, drawn and lost from a score, by the number of the move.
//!
//! At each move the win probability is a logistic curve over the score, with two numbers: the score at which half the games are
//! won, and how fast the probability changes around it. The probability of a loss is its mirror image. The two numbers are
//! fitted move by move, and then smoothed by polynomials over the number of the move.

use rukh_chess::Color;
use rukh_chess::game::Outcome;

use crate::packed::PackedGame;
use crate::plot::{Chart, Series, Shape};

/// Positions counted by move, score and result.
#[derive(Clone, Debug)]
pub struct WdlSamples {
    /// For each move from [`Self::FIRST_MOVE`], for each step of the score: won, drawn, lost.
    counts: Vec<Vec<[u64; 3]>>,
}

impl Default for WdlSamples {
    fn default() -> Self {
        let moves = Self::LAST_MOVE - Self::FIRST_MOVE + 1;
        Self { counts: vec![vec![[0; 3]; 2 * Self::STEPS + 1]; moves as usize] }
    }
}

/// The two numbers of a curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Curve {
    /// The score at which half the games are won, in internal units.
    pub half: f64,
    /// The spread of the curve, in internal units.
    pub spread: f64,
}

impl Curve {
    /// The win probability of a score.
    pub(crate) fn win(&self, score: f64) -> f64 {
        1.0 / (1.0 + ((self.half - score) / self.spread).exp())
    }
}

/// The WDL model by score and move number.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// The polynomials over the number of the move divided by 32, the cube first: of [`Curve::half`] and of
    /// [`Curve::spread`].
    pub polynomials: [[f64; 4]; 2],
    /// What was fitted at each move, with the number of positions.
    pub fitted: Vec<(u32, Curve, u64)>,
}

impl WdlSamples {
    /// Moves before this one are of the opening, and not counted.
    pub(crate) const FIRST_MOVE: u32 = 8;
    /// Moves after this one are rare, and not counted: the model stays constant after it.
    pub(crate) const LAST_MOVE: u32 = 64;
    /// Scores this near each other are counted together, in internal units.
    const STEP: i32 = 10;
    /// Steps to either side; scores beyond are not counted.
    const STEPS: usize = 100;

    /// Counts the positions of a game.
    pub fn add(&mut self, game: &PackedGame) {
        for (position, _, score) in game.positions() {
            let number = position.fullmove_number();
            let side = position.side_to_move();
            let own = i32::from(if side == Color::White { score } else { -score });
            let step = (own as f64 / f64::from(Self::STEP)).round() as i32 + Self::STEPS as i32;
            let row = number.checked_sub(Self::FIRST_MOVE).and_then(|row| self.counts.get_mut(row as usize));
            let cell = usize::try_from(step).ok().zip(row).and_then(|(step, row)| row.get_mut(step));
            if let Some(cell) = cell {
                cell[match game.outcome {
                    Outcome::Win(winner) if winner == side => 0,
                    Outcome::Draw => 1,
                    Outcome::Win(_) => 2,
                }] += 1;
            }
        }
    }

    /// All positions counted.
    pub fn positions(&self) -> u64 {
        self.counts.iter().flatten().flatten().sum()
    }

    fn score(step: usize) -> f64 {
        f64::from((step as i32 - Self::STEPS as i32) * Self::STEP)
    }

    /// The curve at one move: logistic regression over all positions, each seen from both sides.
    fn curve(row: &[[u64; 3]]) -> Option<Curve> {
        const ROUNDS: usize = 40;
        /// Far from the peak a step would be too long.
        const LONGEST: f64 = 0.3;
        let (mut slope, mut offset) = (1.0 / 60.0, -1.5);
        for _ in 0..ROUNDS {
            // A step of Newton's method on the likelihood, which has one peak.
            let (mut gradient, mut curvature) = ([0.0; 2], [[0.0; 2]; 2]);
            for (step, [won, drawn, lost]) in row.iter().enumerate() {
                let all = (won + drawn + lost) as f64;
                for (score, happened) in
                    [(Self::score(step), *won as f64), (-Self::score(step), *lost as f64)]
                {
                    // Hundreds of internal units are near enough to 1 for the arithmetic.
                    let x = [score / 100.0, 1.0];
                    let probability = 1.0 / (1.0 + (-(100.0 * slope * x[0] + offset)).exp());
                    for i in 0..2 {
                        gradient[i] += (happened - all * probability) * x[i];
                        for j in 0..2 {
                            curvature[i][j] += all * probability * (1.0 - probability) * x[i] * x[j];
                        }
                    }
                }
            }
            let change = solve(curvature.map(Vec::from).to_vec(), gradient.to_vec())?;
            slope += change[0].clamp(-LONGEST, LONGEST) / 100.0;
            offset += change[1].clamp(-LONGEST, LONGEST);
        }
        let curve = Curve { half: -offset / slope, spread: 1.0 / slope };
        (slope > 0.0 && curve.half.is_finite()).then_some(curve)
    }

    /// Fits the model; none if there is too little to fit it to.
    pub fn fit(&self) -> Option<Model> {
        /// A move with fewer positions says too little.
        const ENOUGH: u64 = 1_000;
        let rows = (Self::FIRST_MOVE..).zip(&self.counts);
        let fitted: Vec<_> = rows
            .filter_map(|(number, row)| {
                let positions = row.iter().flatten().sum();
                let curve = (positions >= ENOUGH).then(|| Self::curve(row)).flatten()?;
                Some((number, curve, positions))
            })
            .collect();
        let polynomial = |value: fn(&Curve) -> f64| {
            let mut products = vec![vec![0.0; 4]; 4];
            let mut sums = vec![0.0; 4];
            for (number, curve, positions) in &fitted {
                let powers = powers(*number);
                for i in 0..4 {
                    sums[i] += *positions as f64 * powers[i] * value(curve);
                    for j in 0..4 {
                        products[i][j] += *positions as f64 * powers[i] * powers[j];
                    }
                }
            }
            solve(products, sums)?.try_into().ok()
        };
        let polynomials = [polynomial(|curve| curve.half)?, polynomial(|curve| curve.spread)?];
        Some(Model { polynomials, fitted })
    }

    /// Pictures: the numbers of the curves by move, and what was counted around move 32 beside the model.
    pub fn charts(&self, model: &Model) -> Vec<Chart> {
        let by_move = |title: &str, value: fn(&Curve) -> f64| {
            let fitted = model.fitted.iter().map(|(number, curve, _)| (f64::from(*number), value(curve)));
            let smooth =
                model.fitted.iter().map(|(number, ..)| (f64::from(*number), value(&model.at(*number))));
            Chart {
                title: title.to_owned(),
                shape: Shape::Line,
                series: vec![
                    Series { name: "at each move".to_owned(), points: fitted.collect() },
                    Series { name: "model".to_owned(), points: smooth.collect() },
                ],
            }
        };
        const AROUND: u32 = 4;
        let first = (Model::UNIT - Self::FIRST_MOVE - AROUND) as usize;
        let rows = &self.counts[first..=first + 2 * AROUND as usize];
        let mut counted = [Vec::new(), Vec::new(), Vec::new()];
        let mut expected = counted.clone();
        for step in (0..=2 * Self::STEPS).filter(|step| Self::score(*step).abs() <= 400.0) {
            let sums: [u64; 3] = std::array::from_fn(|result| rows.iter().map(|row| row[step][result]).sum());
            let (all, score) = (sums.iter().sum::<u64>().max(1) as f64, Self::score(step));
            let curve = model.at(Model::UNIT);
            let (win, loss) = (curve.win(score), curve.win(-score));
            for (result, probability) in [win, 1.0 - win - loss, loss].into_iter().enumerate() {
                counted[result].push((score, sums[result] as f64 / all));
                expected[result].push((score, probability));
            }
        }
        let mut charts = vec![
            by_move("half the games won at, by move", |curve| curve.half),
            by_move("spread, by move", |curve| curve.spread),
        ];
        for (name, (counted, expected)) in ["won", "drawn"].into_iter().zip(counted.into_iter().zip(expected))
        {
            charts.push(Chart {
                title: format!("{name} around move {}, by score", Model::UNIT),
                shape: Shape::Line,
                series: vec![
                    Series { name: "counted".to_owned(), points: counted },
                    Series { name: "model".to_owned(), points: expected },
                ],
            });
        }
        charts
    }
}

impl Model {
    /// The move that is 1 in the polynomials.
    pub(crate) const UNIT: u32 = 32;

    /// The curve at a move.
    pub fn at(&self, number: u32) -> Curve {
        let powers = powers(number.clamp(WdlSamples::FIRST_MOVE, WdlSamples::LAST_MOVE));
        let [half, spread] = self
            .polynomials
            .map(|polynomial| polynomial.iter().zip(powers).map(|(a, power)| a * power).sum());
        Curve { half, spread }
    }
}

/// The powers of the number of a move, the cube first.
fn powers(number: u32) -> [f64; 4] {
    let x = f64::from(number) / f64::from(Model::UNIT);
    [x * x * x, x * x, x, 1.0]
}

/// Solves equations by elimination; none if they have no single solution.
fn solve(mut rows: Vec<Vec<f64>>, mut sums: Vec<f64>) -> Option<Vec<f64>> {
    let count = sums.len();
    for column in 0..count {
        let pivot =
            (column..count).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        rows.swap(column, pivot);
        sums.swap(column, pivot);
        if rows[column][column].abs() < 1e-12 {
            return None;
        }
        let (pivot, sum) = (rows[column].clone(), sums[column]);
        for row in (0..count).filter(|&row| row != column) {
            let factor = rows[row][column] / pivot[column];
            rows[row].iter_mut().zip(&pivot).for_each(|(number, pivot)| *number -= factor * pivot);
            sums[row] -= factor * sum;
        }
    }
    Some((0..count).map(|row| sums[row] / rows[row][row]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::random::SplitMix64;

    /// Results drawn at random from known curves lead back to them.
    #[test]
    fn what_made_the_results_is_found_again() {
        let known =
            |number: u32| Curve { half: 90.0 + f64::from(number), spread: 40.0 + 0.2 * f64::from(number) };
        let mut samples = WdlSamples::default();
        let mut random = SplitMix64::new(4);
        let mut draw = || random.share();
        for (number, row) in (WdlSamples::FIRST_MOVE..).zip(&mut samples.counts) {
            for _ in 0..20_000 {
                let step = (draw() * (2 * WdlSamples::STEPS + 1) as f64) as usize;
                let (score, curve) = (WdlSamples::score(step), known(number));
                let (win, loss) = (curve.win(score), curve.win(-score));
                let result = match draw() {
                    draw if draw < win => 0,
                    draw if draw < win + loss => 2,
                    _ => 1,
                };
                row[step][result] += 1;
            }
        }
        assert_eq!(samples.positions(), 20_000 * 57);
        let model = samples.fit().expect("there is enough");
        for number in [10, 32, 48, 60] {
            let (found, expected) = (model.at(number), known(number));
            assert!((found.half - expected.half).abs() < 3.0, "{number}: {found:?} is not {expected:?}");
            assert!((found.spread - expected.spread).abs() < 3.0, "{number}: {found:?} is not {expected:?}");
        }
        assert_eq!(samples.charts(&model).len(), 4);
        assert_eq!(WdlSamples::default().fit(), None);
    }

    #[test]
    fn equations_are_solved() {
        let solved = solve(vec![vec![0.0, 2.0], vec![3.0, 1.0]], vec![4.0, 11.0]);
        assert_eq!(solved, Some(vec![3.0, 2.0]));
        assert_eq!(solve(vec![vec![1.0, 2.0], vec![2.0, 4.0]], vec![1.0, 2.0]), None);
    }
}
