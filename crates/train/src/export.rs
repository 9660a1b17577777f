//! Quantisation: from trained weights to the integers of the engine and back, and what it costs in accuracy.

use std::fmt;

use rukh_eval::nnue::{BadWeights, NetworkKind, QuantisedNetwork};

use crate::model::Model;
use crate::parameters::{Numbers, Part, merged_features, parts};
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
            numbers.iter().map(|number| (number * one).round_ties_even() as i32).collect()
        })
        .collect();
    QuantisedNetwork::new(description, &sections)
}

/// The weights of a network as [`quantise`] takes them. A factoriser is the mean of the king buckets.
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
    if let Some(part) = parts(&K::ARCHITECTURE).get(sections.len()) {
        let factoriser = factorise(&mut numbers[0], part);
        numbers.push(factoriser);
    }
    numbers
}

/// Takes the mean of the king buckets, as far as `factoriser` can hold it, out of the weights of all of them.
fn factorise(features: &mut [f32], factoriser: &Part) -> Vec<f32> {
    let buckets = features.len() / factoriser.len();
    let mut mean = vec![0.0; factoriser.len()];
    for bucket in features.chunks(mean.len()) {
        mean.iter_mut().zip(bucket).for_each(|(mean, weight)| *mean += weight / buckets as f32);
    }
    mean.iter_mut().for_each(|mean| *mean = mean.clamp(-factoriser.max, factoriser.max));
    for bucket in features.chunks_mut(mean.len()) {
        bucket.iter_mut().zip(&mean).for_each(|(weight, mean)| *weight -= mean);
    }
    mean
}

/// The transposed matrix of one with so many columns.
fn transposed(numbers: &[f32], columns: usize) -> Vec<f32> {
    (0..columns).flat_map(|column| numbers.iter().skip(column).step_by(columns).copied()).collect()
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
    /// The error of these weights on some samples.
    pub fn of<K: NetworkKind>(
        numbers: &Numbers,
        samples: &[Sample],
        threads: usize,
    ) -> Result<Self, BadWeights> {
        let network = quantise::<K>(numbers, "")?;
        let model = Model::new(K::ARCHITECTURE, numbers);
        let outputs = model.outputs(&samples.iter().collect::<Vec<_>>(), threads);
        let trained = outputs.iter().map(|output| output * K::ARCHITECTURE.scale as f32);
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
