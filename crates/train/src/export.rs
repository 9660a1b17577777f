//! Quantisation: from trained weights to the integers of the engine and back, and what it costs in accuracy.

use std::fmt;

use rukh_eval::nnue::{BadWeights, NetworkKind, QuantisedNetwork};

use crate::batch::{Batch, Target};
use crate::model::{Inputs, TrainingBackend, Weights};
use crate::parameters::{Numbers, merged_features, parts};
use crate::sample::Sample;

/// Rounds trained weights to a quantised network.
pub fn quantise<K: NetworkKind>(
    numbers: &Numbers,
    description: &str,
) -> Result<QuantisedNetwork<K>, BadWeights> {
    let sections: Vec<Vec<i32>> = K::ARCHITECTURE
        .sections()
        .iter()
        .enumerate()
        .map(|(at, section)| {
            let numbers = match at {
                0 => merged_features(&K::ARCHITECTURE, numbers),
                _ if section.rows > 1 => transposed(&numbers[at], section.rows),
                _ => numbers[at].clone(),
            };
            let one = section.quantisation.one as f32;
            numbers.iter().map(|number| (number * one).round() as i32).collect()
        })
        .collect();
    QuantisedNetwork::new(description, &sections)
}

/// The weights of a network as [`quantise`] takes them; a factoriser is zero.
pub fn restore<K: NetworkKind>(network: &QuantisedNetwork<K>) -> Numbers {
    let sections = K::ARCHITECTURE.sections();
    let mut numbers: Numbers = network
        .sections()
        .iter()
        .zip(&sections)
        .enumerate()
        .map(|(at, (integers, section))| {
            let one = section.quantisation.one as f32;
            let numbers: Vec<f32> = integers.iter().map(|integer| *integer as f32 / one).collect();
            if at > 0 && section.rows > 1 { transposed(&numbers, section.columns) } else { numbers }
        })
        .collect();
    numbers.extend(parts(&K::ARCHITECTURE)[sections.len()..].iter().map(|part| vec![0.0; part.len()]));
    numbers
}

/// The transposed matrix of one with so many columns.
fn transposed(numbers: &[f32], columns: usize) -> Vec<f32> {
    (0..columns).flat_map(|column| numbers.iter().skip(column).step_by(columns).copied()).collect()
}

/// The evaluations of samples by the trained network, in internal units.
pub fn evaluations<B: TrainingBackend>(
    weights: &Weights<B>,
    samples: &[Sample],
    device: &B::Device,
) -> Vec<f32> {
    let target = Target { scale: 1.0, result_share: 0.0 };
    let inputs = Inputs::new(Batch::new(samples.iter(), target, weights.architecture()), device);
    let scale = weights.architecture().scale as f32;
    B::forward(weights, &inputs).into_data().iter::<f32>().map(|output| output * scale).collect()
}

/// The quantisation error: how far the quantised network is from the trained one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct QuantisationError {
    /// Positions that were compared.
    pub positions: usize,
    /// The mean difference, in internal units.
    pub mean: f64,
    /// The greatest difference, in internal units.
    pub max: f64,
}

impl QuantisationError {
    /// The error on these samples.
    pub fn of<K: NetworkKind, B: TrainingBackend>(
        weights: &Weights<B>,
        samples: &[Sample],
        device: &B::Device,
    ) -> Result<Self, BadWeights> {
        let network = quantise::<K>(&weights.to_numbers(), "")?;
        let trained = evaluations(weights, samples, device);
        let differences: Vec<f64> = samples
            .iter()
            .zip(trained)
            .map(|(sample, trained)| (f64::from(sample.evaluate(&network)) - f64::from(trained)).abs())
            .collect();
        let mean = differences.iter().sum::<f64>() / differences.len().max(1) as f64;
        let max = differences.iter().copied().fold(0.0, f64::max);
        Ok(Self { positions: samples.len(), mean, max })
    }
}

impl fmt::Display for QuantisationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { positions, mean, max } = self;
        write!(
            f,
            "quantisation changes {positions} positions by {mean:.2} internal units on average, {max:.0} at most"
        )
    }
}
