//! The network in whole numbers, and how far it is from the one that was trained.

use rukh_eval::nnue::arch::{HIDDEN, INPUTS, OUTPUTS, QA, QB, SCALE, SECOND, THIRD};
use rukh_eval::nnue::simd::Lane;
use rukh_eval::nnue::stack::Stack;
use rukh_eval::nnue::{BadNetwork, Network};

use crate::batch::{Batch, Target};
use crate::model::{Inputs, Learn, Numbers, SHAPES, Weights};
use crate::sample::Sample;

/// Rounds the weights of the first two layers to whole numbers.
pub fn quantise(numbers: &Numbers, description: &str) -> Result<Network, BadNetwork> {
    let [features, bias, second, second_bias, third, third_bias, last, last_bias] = numbers;
    let whole = |number: f32, unit: i32| (number * unit as f32).round() as i16;
    let lane = |numbers: &[f32]| {
        let mut lane = Lane::ZERO;
        lane.0.iter_mut().zip(numbers).for_each(|(to, number)| *to = whole(*number, QA));
        lane
    };
    let stack = |output: usize| {
        let mut stack = Stack::zero();
        for (row, numbers) in second.chunks(OUTPUTS * SECOND).enumerate() {
            let group = &mut stack.second[row / 4].0;
            let numbers = &numbers[output * SECOND..][..SECOND];
            group.iter_mut().zip(numbers).for_each(|(to, number)| to[row % 4] = whole(*number, QB) as i8);
        }
        stack.second_bias.copy_from_slice(&second_bias[output * SECOND..][..SECOND]);
        for (to, numbers) in stack.third.iter_mut().zip(third.chunks(OUTPUTS * THIRD)) {
            to.copy_from_slice(&numbers[output * THIRD..][..THIRD]);
        }
        stack.third_bias.copy_from_slice(&third_bias[output * THIRD..][..THIRD]);
        stack.last.iter_mut().zip(last.chunks(OUTPUTS)).for_each(|(to, numbers)| *to = numbers[output]);
        stack.last_bias = last_bias[output];
        stack
    };
    let features = features.chunks(HIDDEN).take(INPUTS).map(lane).collect();
    Network::new(description, features, lane(bias), (0..OUTPUTS).map(stack).collect())
}

/// The weights of a network as [`quantise`] takes them.
pub fn restore(network: &Network) -> Numbers {
    let lane = |lane: &Lane| lane.0.map(|number| f32::from(number) / QA as f32);
    let mut numbers = SHAPES.map(|[rows, columns]| vec![0.0; rows * columns]);
    let [features, bias, second, second_bias, third, third_bias, last, last_bias] = &mut numbers;
    *features = (0..INPUTS).flat_map(|at| lane(network.feature(at))).collect();
    *bias = lane(network.bias()).to_vec();
    for output in 0..OUTPUTS {
        let stack = network.stack(output);
        for (row, numbers) in second.chunks_mut(OUTPUTS * SECOND).enumerate() {
            let group = stack.second[row / 4].0;
            let numbers = &mut numbers[output * SECOND..][..SECOND];
            numbers.iter_mut().zip(group).for_each(|(to, from)| *to = f32::from(from[row % 4]) / QB as f32);
        }
        second_bias[output * SECOND..][..SECOND].copy_from_slice(&stack.second_bias);
        for (from, numbers) in stack.third.iter().zip(third.chunks_mut(OUTPUTS * THIRD)) {
            numbers[output * THIRD..][..THIRD].copy_from_slice(from);
        }
        third_bias[output * THIRD..][..THIRD].copy_from_slice(&stack.third_bias);
        last.chunks_mut(OUTPUTS).zip(stack.last).for_each(|(numbers, from)| numbers[output] = from);
        last_bias[output] = stack.last_bias;
    }
    numbers
}

/// What the trained network thinks of samples, in centipawns.
pub fn centipawns<B: Learn>(weights: &Weights<B>, samples: &[Sample], device: &B::Device) -> Vec<f32> {
    let target = Target { scale: 1.0, result_share: 0.0 };
    let inputs = Inputs::new(Batch::new(samples.iter(), target), device);
    let told = B::forward(weights, &inputs).into_data();
    told.iter::<f32>().map(|number| number * SCALE as f32).collect()
}

/// How far the network in whole numbers is from the one that was trained.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Agreement {
    /// Positions looked at.
    pub positions: usize,
    /// The mean difference, in centipawns.
    pub mean: f64,
    /// The greatest difference, in centipawns.
    pub most: f64,
}

impl Agreement {
    /// Looks at these samples.
    pub fn of<B: Learn>(
        weights: &Weights<B>,
        samples: &[Sample],
        device: &B::Device,
    ) -> Result<Self, BadNetwork> {
        let network = quantise(&weights.to_numbers(), "")?;
        let trained = centipawns(weights, samples, device);
        let differences: Vec<f64> = samples
            .iter()
            .zip(trained)
            .map(|(sample, trained)| (f64::from(sample.judge(&network)) - f64::from(trained)).abs())
            .collect();
        let mean = differences.iter().sum::<f64>() / differences.len().max(1) as f64;
        let most = differences.iter().copied().fold(0.0, f64::max);
        Ok(Self { positions: samples.len(), mean, most })
    }
}

impl std::fmt::Display for Agreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { positions, mean, most } = self;
        write!(
            f,
            "in whole numbers {positions} positions differ by {mean:.2} centipawns in the mean, {most:.0} at most"
        )
    }
}
