//! AdamW on a device: the rule of the laboratory for all parameters at once, clipped to what quantisation allows.

use burn::tensor::backend::Backend;
use burn::tensor::{Tensor, TensorData};
use rukh_eval::nnue::Architecture;
use rukh_lab::adam::{AdamW, Moments, Values};

use crate::model::Weights;
use crate::parameters::{self, Numbers, Part};

/// The rule.
pub const RULE: AdamW = AdamW { first_decay: 0.9, second_decay: 0.999, epsilon: 1e-8, weight_decay: 0.01 };

/// The state of the optimiser. All parameters are one vector: a GPU takes as long for few as for many.
#[derive(Clone, Debug)]
pub struct Adam<B: Backend> {
    architecture: Architecture,
    moments: Moments<Vector<B>>,
    steps: u64,
    /// The greatest magnitude of each parameter.
    max: Tensor<B, 1>,
}

/// The values of a vector on a device.
#[derive(Clone, Debug)]
struct Vector<B: Backend>(Tensor<B, 1>);

impl<B: Backend> Values for Vector<B> {
    fn scaled(self, factor: f64) -> Self {
        Self(self.0 * factor as f32)
    }

    fn shifted(self, term: f64) -> Self {
        Self(self.0 + term as f32)
    }

    fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    fn times(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }

    fn over(self, other: Self) -> Self {
        Self(self.0 / other.0)
    }

    fn square_root(self) -> Self {
        Self(self.0.sqrt())
    }
}

impl<B: Backend> Adam<B> {
    /// The state before the first step.
    pub fn new(architecture: Architecture, device: &B::Device) -> Self {
        let zeros = || parameters::zeros(&architecture);
        Self::from_numbers(architecture, 0, Moments { first: zeros(), second: zeros() }, device)
    }

    /// The parameters after a step against their gradients.
    pub fn step(&mut self, values: Tensor<B, 1>, gradients: Tensor<B, 1>, rate: f64) -> Tensor<B, 1> {
        self.steps += 1;
        let step = RULE.step(self.steps, rate);
        let moved = step.apply(Vector(values), Vector(gradients), &mut self.moments);
        moved.0.min_pair(self.max.clone()).max_pair(self.max.clone().neg())
    }

    /// The steps done, and the moments part by part.
    pub fn to_numbers(&self) -> (u64, Moments<Numbers>) {
        let numbers = |vector: &Vector<B>| Weights::from_vector(self.architecture, &vector.0).to_numbers();
        let Moments { first, second } = &self.moments;
        (self.steps, Moments { first: numbers(first), second: numbers(second) })
    }

    /// The state that [`Self::to_numbers`] gave.
    pub fn from_numbers(
        architecture: Architecture,
        steps: u64,
        moments: Moments<Numbers>,
        device: &B::Device,
    ) -> Self {
        let vector = |numbers| Vector(Weights::from_numbers(architecture, numbers, device).to_vector());
        let parts = parameters::parts(&architecture);
        let max: Vec<f32> = parts.iter().flat_map(|part: &Part| vec![part.max; part.len()]).collect();
        let count = max.len();
        Self {
            architecture,
            moments: Moments { first: vector(moments.first), second: vector(moments.second) },
            steps,
            max: Tensor::from_data(TensorData::new(max, [count]), device),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::backend::Flex;
    use rukh_chess::random::SplitMix64;

    /// Tensors and single numbers follow the same rule.
    #[test]
    fn tensors_step_as_numbers_do() {
        const COUNT: usize = 50;
        let mut random = SplitMix64::new(8);
        let mut some =
            |most: f64| -> Vec<f64> { (0..COUNT).map(|_| (2.0 * random.share() - 1.0) * most).collect() };
        let tensor = |numbers: &[f64]| {
            let numbers: Vec<f32> = numbers.iter().map(|number| *number as f32).collect();
            Vector::<Flex>(Tensor::from_data(TensorData::new(numbers, [COUNT]), &Default::default()))
        };
        let mut numbers = some(1.0);
        let mut values = tensor(&numbers);
        let mut number_moments = vec![Moments::default(); COUNT];
        let mut moments = Moments { first: tensor(&[0.0; COUNT]), second: tensor(&[0.0; COUNT]) };
        for at in 1..=20 {
            let (step, gradients) = (RULE.step(at, 0.01), some(0.1));
            values = step.apply(values, tensor(&gradients), &mut moments);
            for ((number, gradient), moments) in numbers.iter_mut().zip(gradients).zip(&mut number_moments) {
                *number = step.apply(*number, gradient, moments);
            }
        }
        let values: Vec<f32> = values.0.into_data().iter::<f32>().collect();
        for (value, number) in values.iter().zip(&numbers) {
            assert!((f64::from(*value) - number).abs() < 1e-5, "{value} is not {number}");
        }
    }
}
