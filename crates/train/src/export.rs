//! The network in whole numbers, and how far it is from the one that was trained.

use rukh_eval::nnue::arch::{HIDDEN, INPUTS, OUTPUT_BUCKETS, QA, QB, SCALE};
use rukh_eval::nnue::simd::HiddenVector;
use rukh_eval::nnue::{BadNetwork, Network};

use crate::batch::{Batch, Target};
use crate::model::{Inputs, Learn, Weights};
use crate::sample::Sample;

/// Rounds the weights to whole numbers.
pub fn quantise(numbers: &[Vec<f32>; 4], description: &str) -> Result<Network, BadNetwork> {
    let [features, bias, outputs, output_bias] = numbers;
    let whole = |number: f32, unit: i32| (number * unit as f32).round() as i16;
    let vector = |numbers: &[f32]| {
        let mut vector = HiddenVector::ZERO;
        vector.0.iter_mut().zip(numbers).for_each(|(to, number)| *to = whole(*number, QA));
        vector
    };
    let output = |output: usize, from: usize| {
        let mut vector = HiddenVector::ZERO;
        for (at, to) in vector.0.iter_mut().enumerate() {
            *to = whole(outputs[(from + at) * OUTPUT_BUCKETS + output], QB);
        }
        vector
    };
    let mut biases = [0; OUTPUT_BUCKETS];
    biases
        .iter_mut()
        .zip(output_bias)
        .for_each(|(to, number)| *to = (number * (QA * QB) as f32).round() as i32);
    Network::new(
        description,
        features.chunks(HIDDEN).take(INPUTS).map(vector).collect(),
        vector(bias),
        (0..OUTPUT_BUCKETS).map(|at| [output(at, 0), output(at, HIDDEN)]).collect(),
        biases,
    )
}

/// The weights of a network as [`quantise`] takes them.
pub fn restore(network: &Network) -> [Vec<f32>; 4] {
    let numbers = |vector: &HiddenVector, unit: i32| vector.0.map(|number| f32::from(number) / unit as f32);
    let mut outputs = vec![0.0; 2 * HIDDEN * OUTPUT_BUCKETS];
    for output in 0..OUTPUT_BUCKETS {
        let rows = network.output(output).iter().flat_map(|vector| numbers(vector, QB));
        rows.enumerate().for_each(|(at, number)| outputs[at * OUTPUT_BUCKETS + output] = number);
    }
    [
        (0..INPUTS).flat_map(|at| numbers(network.feature(at), QA)).collect(),
        numbers(network.bias(), QA).to_vec(),
        outputs,
        (0..OUTPUT_BUCKETS).map(|at| network.output_bias(at) as f32 / (QA * QB) as f32).collect(),
    ]
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
