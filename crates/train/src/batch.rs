//! Batches: samples as the lists of numbers that tensors are made from, and the order in which samples are drawn.

use rukh_chess::random::SplitMix64;
use rukh_eval::nnue::Architecture;
use rukh_eval::nnue::features::MAX_PIECES;

use crate::sample::{NO_RESULT, Sample};

/// Samples of one training step.
#[derive(Clone, PartialEq, Debug)]
pub struct Batch {
    /// The active features: all perspectives of the sides to move, then all of the other sides.
    pub features: Vec<i32>,
    /// The output bucket of each sample.
    pub buckets: Vec<i32>,
    /// The win probability to be learnt, of each sample.
    pub targets: Vec<f32>,
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

impl Batch {
    /// A batch of these samples.
    pub fn new<'s>(
        samples: impl Iterator<Item = &'s Sample> + Clone,
        target: Target,
        architecture: &Architecture,
    ) -> Self {
        let count = samples.clone().count();
        let mut features = vec![0; 2 * count * MAX_PIECES];
        let (own, theirs) = features.split_at_mut(count * MAX_PIECES);
        let slots = own.chunks_mut(MAX_PIECES).zip(theirs.chunks_mut(MAX_PIECES));
        for (sample, (own, theirs)) in samples.clone().zip(slots) {
            let features = sample.features(&architecture.inputs);
            own.copy_from_slice(&features[0]);
            theirs.copy_from_slice(&features[1]);
        }
        Self {
            features,
            buckets: samples.clone().map(|sample| sample.output_bucket(architecture) as i32).collect(),
            targets: samples.map(|sample| target.of(sample)).collect(),
        }
    }

    /// How many samples there are.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }
}

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
