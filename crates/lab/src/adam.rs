//! AdamW: gradient descent with momentum, a step size of its own for each value, and decoupled weight decay.
//!
//! The rule is written once, for single numbers and for tensors alike. It knows neither what the values mean nor where
//! the gradients come from.

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

/// Values that the rule can be applied to: a number, or many in a tensor.
pub trait Values: Clone {
    /// Each value times `factor`.
    #[must_use]
    fn scaled(self, factor: f64) -> Self;

    /// Each value and `term`.
    #[must_use]
    fn shifted(self, term: f64) -> Self;

    /// Sums, value by value.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// Products, value by value.
    #[must_use]
    fn times(self, other: Self) -> Self;

    /// Quotients, value by value.
    #[must_use]
    fn over(self, other: Self) -> Self;

    /// Square roots.
    #[must_use]
    fn square_root(self) -> Self;
}

impl Values for f64 {
    fn scaled(self, factor: f64) -> Self {
        self * factor
    }

    fn shifted(self, term: f64) -> Self {
        self + term
    }

    fn plus(self, other: Self) -> Self {
        self + other
    }

    fn times(self, other: Self) -> Self {
        self * other
    }

    fn over(self, other: Self) -> Self {
        self / other
    }

    fn square_root(self) -> Self {
        self.sqrt()
    }
}

/// The moments of the gradients: what the rule remembers.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Moments<V> {
    /// The decaying mean of the gradients.
    pub first: V,
    /// The decaying mean of their squares.
    pub second: V,
}

/// One step of the rule, for any number of values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AdamStep {
    rule: AdamW,
    rate: f64,
    /// Corrections of the means, which start at zero and are too small at first.
    first_correction: f64,
    second_correction: f64,
}

impl AdamW {
    /// The step with this number, from 1, at a learning rate.
    pub fn step(&self, number: u64, rate: f64) -> AdamStep {
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
    /// The values after the step; the moments take in the gradients.
    #[must_use]
    pub fn apply<V: Values>(&self, values: V, gradients: V, moments: &mut Moments<V>) -> V {
        let AdamW { first_decay, second_decay, epsilon, weight_decay } = self.rule;
        let squares = gradients.clone().times(gradients.clone());
        let Moments { first, second } = moments.clone();
        moments.first = first.scaled(first_decay).plus(gradients.scaled(1.0 - first_decay));
        moments.second = second.scaled(second_decay).plus(squares.scaled(1.0 - second_decay));
        let spread = moments.second.clone().scaled(self.second_correction).square_root().shifted(epsilon);
        let change = moments.first.clone().scaled(self.first_correction).over(spread);
        values.scaled(1.0 - self.rate * weight_decay).plus(change.scaled(-self.rate))
    }
}

/// The rule at work on a list of numbers.
#[derive(Clone, Debug)]
pub struct Adam {
    rule: AdamW,
    rate: f64,
    steps: u64,
    moments: Vec<Moments<f64>>,
}

impl Adam {
    /// For so many numbers, at a constant learning rate.
    pub fn new(rule: AdamW, count: usize, rate: f64) -> Self {
        Self { rule, rate, steps: 0, moments: vec![Moments::default(); count] }
    }

    /// Moves the numbers against their gradients.
    pub fn step<'n>(
        &mut self,
        numbers: impl Iterator<Item = &'n mut f64>,
        gradients: impl Iterator<Item = f64>,
    ) {
        self.steps += 1;
        let step = self.rule.step(self.steps, self.rate);
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
        let mut adam = Adam::new(AdamW { epsilon: 1e-12, ..AdamW::default() }, 2, 0.5);
        for _ in 0..2_000 {
            let gradients = [1e-6 * 2.0 * (numbers[0] - 7.0), 1e3 * 2.0 * (numbers[1] - 5.0)];
            adam.step(numbers.iter_mut(), gradients.into_iter());
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
