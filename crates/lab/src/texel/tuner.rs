//! The tuning itself.

use rukh_engine::threads;

use super::model::Weights;
use super::sample::Sample;
use crate::adam::{Adam, AdamW};

/// How to tune.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TunerSettings {
    /// How far a weight goes in one step at most, in internal units.
    pub rate: f64,
    /// Steps for each pass over the positions.
    pub batches: usize,
    /// Passes without progress after which it ends.
    pub patience: usize,
    /// Threads.
    pub threads: usize,
}

/// One pass over the positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: usize,
    /// The mean squared error where it was learnt.
    pub training: f64,
    /// The mean squared error where it was not.
    pub validation: f64,
    /// Whether no pass before was as good where it was not learnt.
    pub is_best: bool,
}

/// A tuning under way.
#[derive(Debug)]
pub struct Tuner {
    settings: TunerSettings,
    training: Vec<Sample>,
    validation: Vec<Sample>,
    scale: f64,
    weights: Weights,
    best: (f64, Weights),
    adam: Adam,
    epochs: usize,
    idle: usize,
}

impl Tuner {
    /// Learns from `training`; `validation` has other games and says when to stop.
    pub fn new(
        training: Vec<Sample>,
        validation: Vec<Sample>,
        weights: Weights,
        scale: f64,
        settings: TunerSettings,
    ) -> Self {
        let best = (error(&validation, &weights, scale, settings.threads), weights.clone());
        // Gradients are means over many positions: the usual epsilon is not small beside the least of them.
        let rule = AdamW { epsilon: 1e-12, ..AdamW::default() };
        let adam = Adam::new(rule, weights.numbers().count());
        Self { settings, training, validation, scale, weights, best, adam, epochs: 0, idle: 0 }
    }

    /// The best weights so far, and their error where they were not learnt.
    pub fn best(&self) -> (&Weights, f64) {
        (&self.best.1, self.best.0)
    }

    /// Whether it makes no progress any more.
    pub fn is_over(&self) -> bool {
        self.idle >= self.settings.patience
    }

    /// Goes once over the positions.
    pub fn epoch(&mut self) -> Epoch {
        let batches = self.settings.batches.clamp(1, self.training.len().max(1));
        for batch in 0..batches {
            // Each batch has positions from all games.
            let positions = || self.training.iter().skip(batch).step_by(batches);
            let gradient = gradient(positions, &self.weights, self.scale, self.settings.threads);
            self.adam.step(self.settings.rate, self.weights.numbers_mut(), gradient.numbers());
        }
        self.epochs += 1;
        let of = |samples: &[Sample]| error(samples, &self.weights, self.scale, self.settings.threads);
        let (training, validation) = (of(&self.training), of(&self.validation));
        let is_best = validation < self.best.0;
        if is_best {
            self.best = (validation, self.weights.clone());
            self.idle = 0;
        } else {
            self.idle += 1;
        }
        Epoch { number: self.epochs, training, validation, is_best }
    }
}

/// The win probability of a score in internal units.
pub fn chance(value: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-scale * value).exp())
}

/// The mean squared error.
fn error(samples: &[Sample], weights: &Weights, scale: f64, threads: usize) -> f64 {
    let share = samples.len().div_ceil(threads.max(1)).max(1);
    let part = |samples: &[Sample]| -> f64 {
        samples
            .iter()
            .map(|sample| (chance(weights.value(sample, None), scale) - f64::from(sample.label)).powi(2))
            .sum()
    };
    let sum: f64 = threads::share(threads, samples.chunks(share), part).into_iter().sum();
    sum / samples.len().max(1) as f64
}

/// The slope of the squared error, summed.
fn gradient<'s, I: Iterator<Item = &'s Sample>>(
    samples: impl Fn() -> I + Sync,
    weights: &Weights,
    scale: f64,
    threads: usize,
) -> Weights {
    let threads = threads.max(1);
    let part = |thread: usize| {
        let mut gradient = Weights::zero();
        for sample in samples().skip(thread).step_by(threads) {
            let label = f64::from(sample.label);
            let factor = |value: f64| {
                let chance = chance(value, scale);
                (chance - label) * chance * (1.0 - chance)
            };
            weights.value(sample, Some((&mut gradient, &factor)));
        }
        gradient
    };
    let mut sum = Weights::zero();
    for part in threads::share(threads, 0..threads, part) {
        sum.numbers_mut().zip(part.numbers()).for_each(|(sum, more)| *sum += more);
    }
    sum
}

/// The scale from internal units to win probability with the least error against the results: by ternary search, since the error
/// has one valley.
pub(super) fn fit_scale(samples: &[Sample], weights: &Weights, threads: usize) -> f64 {
    const ROUNDS: usize = 40;
    let (mut low, mut high) = (1e-4, 3e-2);
    for _ in 0..ROUNDS {
        let third = (high - low) / 3.0;
        let (left, right) = (low + third, high - third);
        if error(samples, weights, left, threads) < error(samples, weights, right, threads) {
            high = right;
        } else {
            low = left;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::super::model::tests::samples;
    use super::*;

    /// The slope of the error itself, against small steps.
    #[test]
    fn the_slope_of_the_error_is_what_small_steps_show() {
        const STEP: f64 = 1e-3;
        let (samples, weights, scale) = (samples(), Weights::of_play(), 0.004);
        let gradient = gradient(|| samples.iter(), &weights, scale, 2);
        let slopes: Vec<f64> = gradient.numbers().collect();
        for (number, slope) in slopes.iter().enumerate().filter(|(_, slope)| **slope != 0.0) {
            let moved = |step: f64| {
                let mut moved = weights.clone();
                *moved.numbers_mut().nth(number).expect("there are as many") += step;
                error(&samples, &moved, scale, 1) * samples.len() as f64
            };
            // The squared error has twice the slope that is summed, times the scale; both are left to the rate.
            let seen = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
            assert!((seen - 2.0 * scale * slope).abs() < 1e-8, "number {number}: {slope} is not {seen}");
        }
    }

    /// The positions with results that `weights` validate exactly.
    fn validated(weights: &Weights, scale: f64) -> Vec<Sample> {
        let label = |mut sample: Sample| {
            sample.label = chance(weights.value(&sample, None), scale) as f32;
            sample
        };
        samples().into_iter().map(label).collect()
    }

    #[test]
    fn the_scale_of_the_results_is_found() {
        let weights = Weights::of_play();
        for scale in [0.002, 0.004, 0.01] {
            let found = fit_scale(&validated(&weights, scale), &weights, 2);
            assert!((found - scale).abs() < 1e-4 * scale.max(1.0), "{found} is not {scale}");
        }
    }

    #[test]
    fn the_error_falls_and_the_best_is_kept() {
        const SCALE: f64 = 0.004;
        let mut hidden = Weights::of_play();
        hidden
            .numbers_mut()
            .enumerate()
            .for_each(|(at, number)| *number += f64::from(at as u32 % 7) * 5.0 - 15.0);
        let all = validated(&hidden, SCALE);
        let training = all.iter().cloned().cycle().take(400).collect();
        let settings = TunerSettings { rate: 1.0, batches: 16, patience: 3, threads: 2 };
        let mut tuner = Tuner::new(training, all, Weights::of_play(), SCALE, settings);
        let start = tuner.best().1;
        let mut best = start;
        while !tuner.is_over() && tuner.epochs < 30 {
            let epoch = tuner.epoch();
            assert_eq!(epoch.is_best, epoch.validation < best);
            best = best.min(epoch.validation);
            assert_eq!(tuner.best().1, best);
        }
        assert!(best < start / 20.0, "{start} became {best}");
    }
}
