//! AdamW: gradient descent with momentum, a step size of its own for each value, and decoupled weight decay.
//!
//! It knows neither what the values mean nor where the gradients come from.

/// The constants of the rule.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AdamW {
    /// The decay of the mean of the gradients.
    pub first_decay: f64,
    /// The decay of the mean of their squares.
    pub second_decay: f64,
    /// What is added to the root of the mean square, so that nothing is divided by zero.
    pub epsilon: f64,
    /// The part of each value that is taken off, times the rate.
    pub weight_decay: f64,
}

/// The usual constants, without weight decay.
impl Default for AdamW {
    fn default() -> Self {
        Self { first_decay: 0.9, second_decay: 0.999, epsilon: 1e-8, weight_decay: 0.0 }
    }
}

/// The moments of a gradient: what the rule remembers of a value.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Moments {
    /// The decaying mean of the gradients.
    pub first: f64,
    /// The decaying mean of their squares.
    pub second: f64,
}

/// One step of the rule, for any number of values.
#[derive(Clone, Copy, PartialEq, Debug)]
struct AdamStep {
    rule: AdamW,
    rate: f64,
    /// Corrections of the means, which start at zero and are too small at first.
    first_correction: f64,
    second_correction: f64,
}

impl AdamW {
    /// The step with this number, from 1, at a learning rate.
    fn step(&self, number: u64, rate: f64) -> AdamStep {
        let number = number.min(i32::MAX as u64) as i32;
        AdamStep {
            rule: *self,
            rate,
            first_correction: 1.0 / (1.0 - self.first_decay.powi(number)),
            second_correction: 1.0 / (1.0 - self.second_decay.powi(number)),
        }
    }
}

impl AdamStep {
    /// The value after the step; the moments take in the gradient.
    #[inline]
    fn apply(&self, value: f64, gradient: f64, moments: &mut Moments) -> f64 {
        let AdamW { first_decay, second_decay, epsilon, weight_decay } = self.rule;
        moments.first = moments.first * first_decay + gradient * (1.0 - first_decay);
        moments.second = moments.second * second_decay + gradient * gradient * (1.0 - second_decay);
        let spread = (moments.second * self.second_correction).sqrt() + epsilon;
        let change = moments.first * self.first_correction / spread;
        value * (1.0 - self.rate * weight_decay) - change * self.rate
    }
}

/// The rule at work on a list of numbers.
#[derive(Clone, Debug)]
pub struct Adam {
    rule: AdamW,
    steps: u64,
    moments: Vec<Moments>,
}

impl Adam {
    /// For so many numbers.
    pub fn new(rule: AdamW, count: usize) -> Self {
        Self::resume(rule, 0, vec![Moments::default(); count])
    }

    /// After so many steps, with what they have left in [`Self::moments`].
    pub fn resume(rule: AdamW, steps: u64, moments: Vec<Moments>) -> Self {
        Self { rule, steps, moments }
    }

    /// The moments of each number.
    pub fn moments(&self) -> &[Moments] {
        &self.moments
    }

    /// Moves the numbers against their gradients, at a learning rate.
    pub fn step<'n>(
        &mut self,
        rate: f64,
        numbers: impl Iterator<Item = &'n mut f64>,
        gradients: impl Iterator<Item = f64>,
    ) {
        self.steps += 1;
        let step = self.rule.step(self.steps, rate);
        for ((number, gradient), moments) in numbers.zip(gradients).zip(&mut self.moments) {
            *number = step.apply(*number, gradient, moments);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_minimum_of_a_valley_with_unequal_slopes() {
        let mut numbers = [40.0, -3.0];
        let mut adam = Adam::new(AdamW { epsilon: 1e-12, ..AdamW::default() }, 2);
        for _ in 0..2_000 {
            let gradients = [1e-6 * 2.0 * (numbers[0] - 7.0), 1e3 * 2.0 * (numbers[1] - 5.0)];
            adam.step(0.5, numbers.iter_mut(), gradients.into_iter());
        }
        assert!((numbers[0] - 7.0).abs() < 0.1 && (numbers[1] - 5.0).abs() < 0.1, "{numbers:?}");
    }

    /// The first step goes by the rate against the gradient, whatever its size, and decay takes its part off.
    #[test]
    fn the_first_step_is_the_rate() {
        let rule = AdamW { weight_decay: 0.5, epsilon: 0.0, ..AdamW::default() };
        for gradient in [3.0, 1e-3, -200.0_f64] {
            let moved = rule.step(1, 0.01).apply(2.0, gradient, &mut Moments::default());
            let expected = 2.0 * (1.0 - 0.01 * 0.5) - 0.01 * gradient.signum();
            assert!((moved - expected).abs() < 1e-9, "{moved} is not {expected}");
        }
    }
}
