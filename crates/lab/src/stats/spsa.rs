//! Tuning many parameters at once by games: simultaneous perturbation stochastic approximation.
//!
//! Each iteration moves all parameters a little, each up or down at random, lets the two opposite settings play each other, and
//! moves the parameters towards the winner. How far they are moved for the game (c) and afterwards (a) shrinks with the
//! iterations: c(k) = c / k^γ and a(k) = a / (A + k)^α. What c and the step a/c² are to be in the end is given for each
//! parameter, as fishtest and OpenBench do.

use std::fmt;
use std::str::FromStr;

use rukh_chess::random::SplitMix64;

/// A parameter to tune.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Whether only whole numbers can be played with.
    pub is_whole: bool,
    /// Where it stands.
    pub value: f64,
    /// The least it may be.
    pub min: f64,
    /// The most it may be.
    pub max: f64,
    /// How far it is moved for a game in the end.
    pub c_end: f64,
    /// The learning rate in the end.
    pub r_end: f64,
}

/// A line that describes no parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadParameter(String);

impl fmt::Display for BadParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no parameter; it is to be: name, int|float, value, min, max, c_end, r_end", self.0)
    }
}

impl std::error::Error for BadParameter {}

impl FromStr for Parameter {
    type Err = BadParameter;

    fn from_str(line: &str) -> Result<Self, BadParameter> {
        let bad = || BadParameter(line.to_owned());
        let words: Vec<&str> = line.split(',').map(str::trim).collect();
        let [name, kind, numbers @ ..] = words.as_slice() else { return Err(bad()) };
        let is_whole = match *kind {
            "int" => true,
            "float" => false,
            _ => return Err(bad()),
        };
        let numbers: Option<Vec<f64>> = numbers.iter().map(|word| word.parse().ok()).collect();
        let Some([value, min, max, c_end, r_end]) = numbers.as_deref().and_then(<[f64]>::as_array).copied()
        else {
            return Err(bad());
        };
        let is_sound = !name.is_empty()
            && [value, min, max, c_end, r_end].iter().all(|number| number.is_finite())
            && min < max
            && (min..=max).contains(&value)
            && c_end > 0.0
            && r_end > 0.0;
        let parameter = Self { name: (*name).to_owned(), is_whole, value, min, max, c_end, r_end };
        if is_sound { Ok(parameter) } else { Err(bad()) }
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_whole { "int" } else { "float" };
        let Self { name, value, min, max, c_end, r_end, .. } = self;
        match self.is_whole {
            true => write!(f, "{name}, {kind}, {}, {min}, {max}, {c_end}, {r_end}", value.round()),
            false => write!(f, "{name}, {kind}, {value}, {min}, {max}, {c_end}, {r_end}"),
        }
    }
}

/// A tuning under way.
#[derive(Clone, PartialEq, Debug)]
pub struct Spsa {
    /// The parameters where they stand.
    pub parameters: Vec<Parameter>,
    /// Iterations done.
    pub iteration: u64,
    /// Iterations in all.
    pub iterations: u64,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// Two opposite settings that are to play each other.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Perturbation {
    /// The values of the one side.
    pub plus: Vec<f64>,
    /// The values of the other.
    pub minus: Vec<f64>,
    /// How far each parameter was moved, with its sign.
    steps: Vec<f64>,
}

const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// Part of the iterations that are taken as done before the first, so that it does not jump.
const STABILITY: f64 = 0.1;

impl Spsa {
    /// A tuning of so many iterations.
    pub fn new(parameters: Vec<Parameter>, iterations: u64, seed: u64) -> Self {
        Self { parameters, iteration: 0, iterations, seed }
    }

    /// Whether all iterations are done.
    pub fn is_over(&self) -> bool {
        self.iteration >= self.iterations
    }

    // ANCHOR: perturb
    /// What plays in an iteration; it depends on the seed, the iteration and where the parameters stand. An iteration may begin
    /// before others have ended.
    pub(crate) fn perturb(&self, iteration: u64) -> Perturbation {
        let mut random = SplitMix64::new(SplitMix64::new(self.seed).next() ^ iteration);
        let mut perturbation = Perturbation { plus: Vec::new(), minus: Vec::new(), steps: Vec::new() };
        for parameter in &self.parameters {
            let sign = if random.next() >> 63 == 0 { 1.0 } else { -1.0 };
            let step = sign * self.perturbation(parameter, iteration);
            let mut played = |value: f64| {
                let value = value.clamp(parameter.min, parameter.max);
                if parameter.is_whole { round_at_random(value, &mut random) } else { value }
            };
            perturbation.plus.push(played(parameter.value + step));
            perturbation.minus.push(played(parameter.value - step));
            perturbation.steps.push(step);
        }
        perturbation
    }
    // ANCHOR_END: perturb

    // ANCHOR: learn
    /// The settings have played each other: `result` is won less lost games of the plus side.
    pub(crate) fn learn(&mut self, perturbation: &Perturbation, result: f64) {
        let k = self.iteration as f64 + 1.0;
        let n = self.iterations as f64;
        let stability = STABILITY * n;
        for (parameter, step) in self.parameters.iter_mut().zip(&perturbation.steps) {
            // a(k) / c(k)², from what it is to be in the end.
            let a_end = parameter.r_end * parameter.c_end * parameter.c_end;
            let a = a_end * ((stability + n) / (stability + k)).powf(ALPHA);
            let rate = a / (step * step);
            parameter.value = (parameter.value + rate * step * result).clamp(parameter.min, parameter.max);
        }
        self.iteration += 1;
    }
    // ANCHOR_END: learn

    /// How far a parameter is moved for the games of an iteration.
    fn perturbation(&self, parameter: &Parameter, iteration: u64) -> f64 {
        parameter.c_end * (self.iterations as f64 / (iteration as f64 + 1.0)).powf(GAMMA)
    }
}

/// A whole number beside `value`, the nearer one more likely, so that it is right in the mean.
fn round_at_random(value: f64, random: &mut SplitMix64) -> f64 {
    let floor = value.floor();
    let draw = random.share();
    if draw < value - floor { floor + 1.0 } else { floor }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(line: &str) -> Parameter {
        line.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn parameters_are_read_and_written() {
        let line = "rfp_margin, int, 78, 20, 200, 8, 0.002";
        assert_eq!(parameter(line).to_string(), line);
        assert_eq!(parameter("x,float,0.5,0,1,0.1,0.002").to_string(), "x, float, 0.5, 0, 1, 0.1, 0.002");
        for bad in [
            "",
            "x",
            "x, int, 1, 0, 2, 1",
            "x, int, 1, 0, 2, 1, 0.002, 9",
            "x, bool, 1, 0, 2, 1, 0.002",
            "x, int, 3, 0, 2, 1, 0.002",
            "x, int, 1, 2, 0, 1, 0.002",
            "x, int, 1, 0, 2, 0, 0.002",
            "x, int, 1, 0, nan, 1, 0.002",
            ", int, 1, 0, 2, 1, 0.002",
        ] {
            assert!(bad.parse::<Parameter>().is_err(), "{bad:?}");
        }
    }

    /// Games whose result depends on how far each side is from an optimum, and on luck.
    #[test]
    fn the_optimum_of_a_noisy_function_is_found() {
        const OPTIMUM: [f64; 4] = [120.0, 30.0, -40.0, 700.0];
        let parameters = vec![
            parameter("a, int, 60, 0, 200, 10, 0.02"),
            parameter("b, int, 80, 0, 100, 6, 0.02"),
            parameter("c, float, 0, -100, 100, 10, 0.02"),
            parameter("d, int, 400, 0, 1000, 50, 0.02"),
        ];
        let scales = [100.0, 50.0, 100.0, 500.0];
        let loss = |values: &[f64]| -> f64 {
            values
                .iter()
                .zip(OPTIMUM)
                .zip(scales)
                .map(|((value, best), scale)| ((value - best) / scale).powi(2))
                .sum()
        };
        let mut spsa = Spsa::new(parameters, 20_000, 3);
        let before = loss(&spsa.parameters.iter().map(|parameter| parameter.value).collect::<Vec<_>>());
        let mut luck = SplitMix64::new(5);
        while !spsa.is_over() {
            let perturbation = spsa.perturb(spsa.iteration);
            let advantage = loss(&perturbation.minus) - loss(&perturbation.plus);
            let probability = 1.0 / (1.0 + (-advantage).exp());
            let draw = luck.share();
            spsa.learn(&perturbation, if draw < probability { 1.0 } else { -1.0 });
        }
        let after = loss(&spsa.parameters.iter().map(|parameter| parameter.value).collect::<Vec<_>>());
        assert!(after < before / 20.0, "{before} became {after}: {:?}", spsa.parameters);
    }

    /// The random numbers of different iterations are independent.
    #[test]
    fn iterations_have_lots_of_their_own() {
        let line = |name: usize| parameter(&format!("p{name}, int, 50, 0, 100, 5, 0.002"));
        for seed in [0, 1, 2] {
            let spsa = Spsa::new((0..40).map(line).collect(), 1_000, seed);
            let signs: Vec<Vec<bool>> = (0..200)
                .map(|iteration| spsa.perturb(iteration).steps.iter().map(|step| *step > 0.0).collect())
                .collect();
            for (later, shift) in (1..12).flat_map(|later| (0..6).map(move |shift| (later, shift))) {
                let pairs = signs.iter().zip(&signs[later..]);
                let same = pairs.flat_map(|(one, other)| one[shift..].iter().zip(other).map(|(a, b)| a == b));
                let (equal, all) = same.fold((0, 0), |(equal, all), same| (equal + i32::from(same), all + 1));
                let share = f64::from(equal) / f64::from(all);
                assert!(
                    (0.45..0.55).contains(&share),
                    "seed {seed}, {later} later, shifted {shift}: {share}"
                );
            }
        }
    }

    #[test]
    fn a_perturbation_is_symmetric_in_range_and_repeats() {
        let spsa = Spsa::new(
            vec![parameter("a, float, 50, 0, 100, 5, 0.002"), parameter("b, int, 1, 0, 2, 9, 0.002")],
            100,
            1,
        );
        let perturbation = spsa.perturb(0);
        assert_eq!(perturbation, spsa.perturb(0));
        assert_eq!(perturbation.plus[0] + perturbation.minus[0], 100.0);
        assert!((perturbation.plus[0] - 50.0).abs() > 5.0, "it is wider at the start");
        assert!([perturbation.plus[1], perturbation.minus[1]].iter().all(|value| [0.0, 2.0].contains(value)));
        let mut later = spsa.clone();
        later.learn(&perturbation, 0.0);
        assert_eq!(later.parameters, spsa.parameters, "a draw teaches nothing");
        later.learn(&perturbation, 2.0);
        assert!((later.parameters[0].value - 50.0).signum() == (perturbation.plus[0] - 50.0).signum());
    }
}
