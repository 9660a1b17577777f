//! Going downhill with a memory: Adam.

/// What is remembered of the slopes of each number.
#[derive(Clone, Debug)]
pub(super) struct Adam {
    /// The mean of the slopes.
    first: Vec<f64>,
    /// The mean of their squares.
    second: Vec<f64>,
    steps: i32,
    /// How far a number goes in one step at most.
    rate: f64,
}

const FIRST_DECAY: f64 = 0.9;
const SECOND_DECAY: f64 = 0.999;
const TINY: f64 = 1e-12;

impl Adam {
    pub(super) fn new(count: usize, rate: f64) -> Self {
        Self { first: vec![0.0; count], second: vec![0.0; count], steps: 0, rate }
    }

    /// Moves the numbers down their slopes.
    pub(super) fn step<'n>(
        &mut self,
        numbers: impl Iterator<Item = &'n mut f64>,
        slopes: impl Iterator<Item = f64>,
    ) {
        self.steps += 1;
        // The means begin at zero: early on they are too small by this.
        let first_part = 1.0 - FIRST_DECAY.powi(self.steps);
        let second_part = 1.0 - SECOND_DECAY.powi(self.steps);
        let memory = self.first.iter_mut().zip(&mut self.second);
        for ((number, slope), (first, second)) in numbers.zip(slopes).zip(memory) {
            *first = FIRST_DECAY * *first + (1.0 - FIRST_DECAY) * slope;
            *second = SECOND_DECAY * *second + (1.0 - SECOND_DECAY) * slope * slope;
            *number -= self.rate * (*first / first_part) / ((*second / second_part).sqrt() + TINY);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_bottom_of_a_valley_of_unequal_sides() {
        let mut numbers = [40.0, -3.0];
        let mut adam = Adam::new(2, 0.5);
        for _ in 0..2_000 {
            let slopes = [1e-6 * 2.0 * (numbers[0] - 7.0), 1e3 * 2.0 * (numbers[1] - 5.0)];
            adam.step(numbers.iter_mut(), slopes.into_iter());
        }
        assert!((numbers[0] - 7.0).abs() < 0.1 && (numbers[1] - 5.0).abs() < 0.1, "{numbers:?}");
    }
}
