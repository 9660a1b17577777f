//! The network in floating point: its outputs and the gradients of its loss, in plain loops in an order that keeps to the
//! caches.
//!
//! A few samples at a time go forward and backward, and the feature transformer, whose weights are read at random, is
//! computed in strips of columns that stay in the cache. It follows the architecture layer by layer and knows nothing of
//! chess.

use std::thread;

use rukh_eval::nnue::Architecture;
use rukh_eval::nnue::features::MAX_PIECES;

use crate::batch::{Batch, Target};
use crate::dense::{DenseLayers, add};
use crate::parameters::{Numbers, factoriser_gradient, has_factoriser, merged_features};
use crate::sample::{NO_FEATURE, Sample};

/// Columns of a strip: with one king bucket all rows of weights and gradients fit in a second-level cache.
const STRIP: usize = 128;
/// Samples that go forward and backward together.
const TOGETHER: usize = 128;

/// What is learnt.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Objective {
    /// The win probabilities.
    pub target: Target,
    /// The weight of the L1 penalty: so many times the mean activation of the feature transformer is added to the loss. It
    /// makes activations zero, which a kernel can skip.
    pub sparsity: f32,
}

/// The network of an architecture, or the gradients of its weights.
#[derive(Clone, Debug)]
pub struct Model {
    architecture: Architecture,
    /// The feature transformer strip by strip, in each row by row.
    features: Vec<f32>,
    bias: Vec<f32>,
    dense: DenseLayers,
}

impl Model {
    /// The network of these weights.
    pub fn new(architecture: Architecture, numbers: &Numbers) -> Self {
        let bias = numbers[1].clone();
        let dense = DenseLayers::new(&architecture, &numbers[2..]);
        let mut model = Self { bias, dense, ..Self::zero(architecture) };
        let features = merged_features(&architecture, numbers);
        let (width, strip, size) = (model.width(), model.strip(), model.strip_size());
        for (at, rows) in model.features.chunks_mut(size).enumerate() {
            for (row, from) in rows.chunks_mut(strip).zip(features.chunks(width)) {
                row.copy_from_slice(&from[at * strip..][..strip]);
            }
        }
        model
    }

    /// The output for each sample, before the logistic function.
    pub fn outputs(&self, samples: &[&Sample], threads: usize) -> Vec<f32> {
        on_threads(samples, threads, |samples| self.outputs_of(samples)).into_iter().flatten().collect()
    }

    /// The loss: the mean squared error of the win probabilities.
    pub fn loss(&self, samples: &[&Sample], target: Target, threads: usize) -> f64 {
        let outputs = self.outputs(samples, threads);
        let errors =
            outputs.iter().zip(samples).map(|(output, sample)| logistic(*output) - target.of(sample));
        errors.map(|error| f64::from(error * error)).sum::<f64>() / samples.len().max(1) as f64
    }

    /// The loss, and the gradients of it and of the L1 penalty.
    pub fn gradients(&self, samples: &[&Sample], objective: Objective, threads: usize) -> (f64, Numbers) {
        let count = samples.len();
        let (mut loss, mut gradients) = (0.0, Self::zero(self.architecture));
        for (part_loss, part) in
            on_threads(samples, threads, |part| self.gradients_of(part, count, objective))
        {
            loss += part_loss;
            gradients.add(&part);
        }
        (loss / count.max(1) as f64, gradients.into_numbers())
    }

    fn zero(architecture: Architecture) -> Self {
        let width = architecture.transformer.width;
        Self {
            architecture,
            features: vec![0.0; architecture.inputs.features() * width],
            bias: vec![0.0; width],
            dense: DenseLayers::zero(&architecture),
        }
    }

    fn width(&self) -> usize {
        self.architecture.transformer.width
    }

    /// Columns of a strip.
    fn strip(&self) -> usize {
        if self.width().is_multiple_of(STRIP) { STRIP } else { self.width() }
    }

    /// Numbers of a strip.
    fn strip_size(&self) -> usize {
        self.strip() * self.architecture.inputs.features()
    }

    fn into_numbers(self) -> Numbers {
        let (width, strip, size) = (self.width(), self.strip(), self.strip_size());
        let mut features = vec![0.0; self.features.len()];
        for (at, rows) in self.features.chunks(size).enumerate() {
            for (row, to) in rows.chunks(strip).zip(features.chunks_mut(width)) {
                to[at * strip..][..strip].copy_from_slice(row);
            }
        }
        let factoriser =
            has_factoriser(&self.architecture).then(|| factoriser_gradient(&self.architecture, &features));
        [features, self.bias].into_iter().chain(self.dense.into_parts()).chain(factoriser).collect()
    }

    fn add(&mut self, other: &Self) {
        add(&mut self.features, &other.features);
        add(&mut self.bias, &other.bias);
        self.dense.add(&other.dense);
    }

    /// Room for the accumulators of the samples that go together.
    fn accumulators(&self) -> Vec<f32> {
        vec![0.0; 2 * TOGETHER * self.width()]
    }

    fn outputs_of(&self, samples: &[&Sample]) -> Vec<f32> {
        let (mut accumulators, mut scratch) = (self.accumulators(), self.dense.scratch());
        let mut outputs = Vec::with_capacity(samples.len());
        for few in samples.chunks(TOGETHER) {
            let batch = Batch::new(few, &self.architecture);
            self.transform(&batch, &mut accumulators);
            let positions = accumulators.chunks(2 * self.width()).zip(&batch.buckets);
            outputs.extend(
                positions
                    .map(|(accumulators, &bucket)| self.dense.forward(accumulators, bucket, &mut scratch)),
            );
        }
        outputs
    }

    /// The sum of the losses of some samples of a batch of `count`, and their share of the gradients.
    fn gradients_of(&self, samples: &[&Sample], count: usize, objective: Objective) -> (f64, Self) {
        let mut gradients = Self::zero(self.architecture);
        let (mut accumulators, mut scratch) = (self.accumulators(), self.dense.scratch());
        let mut loss = 0.0;
        // The mean is over all activations of the batch.
        let penalty = objective.sparsity / (count * self.architecture.inputs_of(0)) as f32;
        for few in samples.chunks(TOGETHER) {
            let batch = Batch::new(few, &self.architecture);
            self.transform(&batch, &mut accumulators);
            let answers = batch.buckets.iter().zip(few);
            for (accumulators, (&bucket, sample)) in accumulators.chunks_mut(2 * self.width()).zip(answers) {
                let probability = logistic(self.dense.forward(accumulators, bucket, &mut scratch));
                let error = probability - objective.target.of(sample);
                loss += f64::from(error * error);
                let gradient = 2.0 * error * probability * (1.0 - probability) / count as f32;
                let above = (gradient, penalty);
                self.dense.backward(accumulators, bucket, above, &mut scratch, &mut gradients.dense);
            }
            gradients.scatter(&batch, &accumulators);
        }
        (loss, gradients)
    }

    /// The feature transformer: the accumulators of both perspectives of each sample, side by side.
    fn transform(&self, batch: &Batch, accumulators: &mut [f32]) {
        let strip = self.strip();
        let strips = self.features.chunks(self.strip_size()).zip(self.bias.chunks(strip)).enumerate();
        for (at, (rows, bias)) in strips {
            for (features, sums) in batch.perspectives().zip(accumulators.chunks_mut(self.width())) {
                let sums = &mut sums[at * strip..][..strip];
                sums.copy_from_slice(bias);
                for feature in active(features) {
                    add(sums, &rows[feature * strip..][..strip]);
                }
            }
        }
    }

    /// Adds the gradients of the accumulators to the rows of all active features.
    fn scatter(&mut self, batch: &Batch, accumulators: &[f32]) {
        let (width, strip, size) = (self.width(), self.strip(), self.strip_size());
        let strips = self.features.chunks_mut(size).zip(self.bias.chunks_mut(strip)).enumerate();
        for (at, (rows, bias)) in strips {
            for (features, gradients) in batch.perspectives().zip(accumulators.chunks(width)) {
                let gradients = &gradients[at * strip..][..strip];
                add(bias, gradients);
                for feature in active(features) {
                    add(&mut rows[feature * strip..][..strip], gradients);
                }
            }
        }
    }
}

/// The results of `work` on parts of the samples, one for each thread.
fn on_threads<R: Send>(samples: &[&Sample], threads: usize, work: impl Fn(&[&Sample]) -> R + Sync) -> Vec<R> {
    let work = &work;
    thread::scope(|scope| {
        let parts = samples.chunks(samples.len().div_ceil(threads.max(1)).max(1));
        let workers: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
        workers.into_iter().map(|worker| worker.join().expect("sums do not panic")).collect()
    })
}

/// The active features of a perspective.
fn active(features: &[i32; MAX_PIECES]) -> impl Iterator<Item = usize> {
    features.iter().take_while(|feature| **feature != NO_FEATURE).map(|feature| *feature as usize)
}

/// The win probability of an output.
fn logistic(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}
