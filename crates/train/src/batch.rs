//! Batches: the features of samples, what is learnt from them, and the order in which they are drawn.

use rukh_chess::random::SplitMix64;
use rukh_eval::nnue::Architecture;
use rukh_eval::nnue::features::MAX_PIECES;

use crate::sample::{NO_RESULT, Sample};

/// The inputs of a few samples.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Batch {
    /// The active features of each sample: those of the side to move, then those of the other side.
    features: Vec<[[i32; MAX_PIECES]; 2]>,
    /// The output bucket of each sample.
    pub(crate) buckets: Vec<usize>,
}

impl Batch {
    pub(crate) fn new(samples: &[&Sample], architecture: &Architecture) -> Self {
        Self {
            features: samples.iter().map(|sample| sample.features(&architecture.inputs)).collect(),
            buckets: samples.iter().map(|sample| sample.output_bucket(architecture)).collect(),
        }
    }

    /// Both perspectives of each sample, the side to move first.
    pub(crate) fn perspectives(&self) -> impl Iterator<Item = &[i32; MAX_PIECES]> {
        self.features.iter().flatten()
    }
}

/// How scores and results become targets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    /// The scale of the logistic curve from scores to win probabilities, in internal units.
    pub scale: f32,
    /// The weight of the result beside the score.
    pub result_share: f32,
}

// ANCHOR: target
impl Target {
    /// The target of a sample for the side to move, from 0 to 1.
    pub fn of(&self, sample: &Sample) -> f32 {
        let by_score = 1.0 / (1.0 + (-f32::from(sample.score) / self.scale).exp());
        if sample.result == NO_RESULT {
            return by_score;
        }
        let result = f32::from(sample.result) / 2.0;
        self.result_share * result + (1.0 - self.result_share) * by_score
    }
}
// ANCHOR_END: target

/// A random order over all samples, drawn again for each epoch. It follows from the seed and the number of steps.
#[derive(Clone, Debug)]
pub struct Shuffle {
    order: Vec<u32>,
    at: usize,
    random: SplitMix64,
}

impl Shuffle {
    /// The order that follows from `seed`.
    pub fn new(seed: u64) -> Self {
        Self { order: Vec::new(), at: 0, random: SplitMix64::new(seed) }
    }

    /// The indices of the next samples among `count`, which may have grown since the last call.
    pub fn next(&mut self, wanted: usize, count: usize) -> Vec<u32> {
        let mut indices = Vec::with_capacity(wanted);
        while indices.len() < wanted && count > 0 {
            if self.at == self.order.len() {
                self.order = (0..count as u32).collect();
                self.random.shuffle(&mut self.order);
                self.at = 0;
            }
            let taken = (self.order.len() - self.at).min(wanted - indices.len());
            indices.extend_from_slice(&self.order[self.at..self.at + taken]);
            self.at += taken;
        }
        indices
    }
}
