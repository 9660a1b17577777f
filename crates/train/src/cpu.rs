//! Training on a CPU: the gradients of a batch in plain loops, in an order that keeps to the caches.
//!
//! Automatic differentiation stores every number of every layer for all samples of a batch before it goes back, far more
//! than a cache holds. Here a few samples at a time go forward and backward, and the feature transformer, whose weights
//! are read at random, is computed in strips of columns that stay in the cache.

use std::thread;

use burn::backend::Flex;
use burn::tensor::{Int, Tensor, TensorData};
use rukh_eval::nnue::Architecture;
use rukh_eval::nnue::features::MAX_PIECES;

use crate::dense::{DenseLayers, add};
use crate::model::{Inputs, TrainingBackend, Weights};
use crate::parameters::{Numbers, factoriser_gradient, has_factoriser, merged_features};
use crate::sample::NO_FEATURE;

/// Columns of a strip: with one king bucket all rows of weights and gradients fit in a second-level cache.
const STRIP: usize = 128;
/// Samples that go forward and backward together.
const TOGETHER: usize = 128;

impl TrainingBackend for Flex {
    fn forward(weights: &Weights<Self>, inputs: &Inputs<Self>) -> Tensor<Self, 2> {
        let layers = &Layers::new(*weights.architecture(), &weights.to_numbers());
        let batch = Samples::new(inputs);
        let outputs: Vec<f32> = batch.on_threads(|part| layers.forward(part)).into_iter().flatten().collect();
        let count = outputs.len();
        Tensor::from_data(TensorData::new(outputs, [count, 1]), &inputs.targets.device())
    }

    fn gradients(weights: &Weights<Self>, inputs: &Inputs<Self>) -> (Tensor<Self, 1>, Weights<Self>) {
        let architecture = *weights.architecture();
        let layers = &Layers::new(architecture, &weights.to_numbers());
        let batch = Samples::new(inputs);
        let (count, sparsity) = (batch.targets.len(), batch.sparsity);
        let (mut loss, mut gradients) = (0.0, Layers::zero(architecture));
        for (part_loss, part) in batch.on_threads(|part| layers.gradients(part, count, sparsity)) {
            loss += part_loss;
            gradients.add(&part);
        }
        let device = inputs.targets.device();
        let loss = Tensor::from_floats([(loss / count.max(1) as f64) as f32], &device);
        (loss, Weights::from_numbers(architecture, gradients.into_numbers(), &device))
    }
}

/// The numbers of a batch.
struct Samples {
    features: Vec<i32>,
    buckets: Vec<i32>,
    targets: Vec<f32>,
    sparsity: f32,
}

/// Some samples of a batch.
#[derive(Clone, Copy)]
struct Part<'b> {
    /// The active features of the sides to move and of the other sides.
    features: [&'b [i32]; 2],
    buckets: &'b [i32],
    targets: &'b [f32],
}

impl Samples {
    fn new(inputs: &Inputs<Flex>) -> Self {
        let integers = |tensor: &Tensor<Flex, 2, Int>| tensor.to_data().iter::<i32>().collect();
        Self {
            features: integers(&inputs.features),
            buckets: integers(&inputs.buckets),
            targets: inputs.targets.to_data().iter::<f32>().collect(),
            sparsity: inputs.sparsity,
        }
    }

    /// The results of `work` on parts of the batch, one for each thread.
    fn on_threads<R: Send>(&self, work: impl Fn(Part<'_>) -> R + Sync) -> Vec<R> {
        let (own, theirs) = self.features.split_at(self.features.len() / 2);
        let all = Part { features: [own, theirs], buckets: &self.buckets, targets: &self.targets };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let work = &work;
        thread::scope(|scope| {
            let parts = all.parts(self.targets.len().div_ceil(threads).max(1));
            let workers: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
            workers.into_iter().map(|worker| worker.join().expect("sums do not panic")).collect()
        })
    }
}

impl<'b> Part<'b> {
    /// Parts of so many samples.
    fn parts(self, size: usize) -> impl Iterator<Item = Self> + 'b {
        let [own, theirs] = self.features.map(|features| features.chunks(size * MAX_PIECES));
        let answers = self.buckets.chunks(size).zip(self.targets.chunks(size));
        own.zip(theirs).zip(answers).map(|((own, theirs), (buckets, targets))| Self {
            features: [own, theirs],
            buckets,
            targets,
        })
    }

    /// Both perspectives of each sample, the side to move first.
    fn perspectives(self) -> impl Iterator<Item = &'b [i32]> {
        let [own, theirs] = self.features.map(|features| features.chunks(MAX_PIECES));
        own.zip(theirs).flat_map(|(own, theirs)| [own, theirs])
    }
}

/// Weights or gradients in the layout of these loops.
#[derive(Clone, Debug)]
struct Layers {
    architecture: Architecture,
    /// The feature transformer strip by strip, in each row by row.
    features: Vec<f32>,
    bias: Vec<f32>,
    dense: DenseLayers,
}

impl Layers {
    fn zero(architecture: Architecture) -> Self {
        let width = architecture.transformer.width;
        Self {
            architecture,
            features: vec![0.0; architecture.inputs.features() * width],
            bias: vec![0.0; width],
            dense: DenseLayers::zero(&architecture),
        }
    }

    fn new(architecture: Architecture, numbers: &Numbers) -> Self {
        let bias = numbers[1].clone();
        let dense = DenseLayers::new(&architecture, &numbers[2..]);
        let mut layers = Self { bias, dense, ..Self::zero(architecture) };
        let features = merged_features(&architecture, numbers);
        let (width, strip, size) = (layers.width(), layers.strip(), layers.strip_size());
        for (at, rows) in layers.features.chunks_mut(size).enumerate() {
            for (row, from) in rows.chunks_mut(strip).zip(features.chunks(width)) {
                row.copy_from_slice(&from[at * strip..][..strip]);
            }
        }
        layers
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

    fn forward(&self, samples: Part<'_>) -> Vec<f32> {
        let (mut accumulators, mut scratch) = (self.accumulators(), self.dense.scratch());
        let mut outputs = Vec::with_capacity(samples.targets.len());
        for few in samples.parts(TOGETHER) {
            self.transform(few, &mut accumulators);
            let positions = accumulators.chunks(2 * self.width()).zip(few.buckets);
            outputs.extend(positions.map(|(accumulators, &bucket)| {
                self.dense.forward(accumulators, bucket as usize, &mut scratch)
            }));
        }
        outputs
    }

    /// The sum of the losses of some samples of a batch of `count`, and their share of the gradients.
    fn gradients(&self, samples: Part<'_>, count: usize, sparsity: f32) -> (f64, Self) {
        let mut gradients = Self::zero(self.architecture);
        let (mut accumulators, mut scratch) = (self.accumulators(), self.dense.scratch());
        let mut loss = 0.0;
        // The mean is over all activations of the batch.
        let penalty = sparsity / (count * self.architecture.inputs_of(0)) as f32;
        for few in samples.parts(TOGETHER) {
            self.transform(few, &mut accumulators);
            let answers = few.buckets.iter().zip(few.targets);
            for (accumulators, (&bucket, &target)) in accumulators.chunks_mut(2 * self.width()).zip(answers) {
                let bucket = bucket as usize;
                let output = self.dense.forward(accumulators, bucket, &mut scratch);
                let probability = 1.0 / (1.0 + (-output).exp());
                let error = probability - target;
                loss += f64::from(error * error);
                let gradient = 2.0 * error * probability * (1.0 - probability) / count as f32;
                let above = (gradient, penalty);
                self.dense.backward(accumulators, bucket, above, &mut scratch, &mut gradients.dense);
            }
            gradients.scatter(few, &accumulators);
        }
        (loss, gradients)
    }

    /// The feature transformer: the accumulators of both perspectives of each sample, side by side.
    fn transform(&self, samples: Part<'_>, accumulators: &mut [f32]) {
        let strip = self.strip();
        let strips = self.features.chunks(self.strip_size()).zip(self.bias.chunks(strip)).enumerate();
        for (at, (rows, bias)) in strips {
            for (features, sums) in samples.perspectives().zip(accumulators.chunks_mut(self.width())) {
                let sums = &mut sums[at * strip..][..strip];
                sums.copy_from_slice(bias);
                for feature in active(features) {
                    add(sums, &rows[feature * strip..][..strip]);
                }
            }
        }
    }

    /// Adds the gradients of the accumulators to the rows of all active features.
    fn scatter(&mut self, samples: Part<'_>, accumulators: &[f32]) {
        let (width, strip, size) = (self.width(), self.strip(), self.strip_size());
        let strips = self.features.chunks_mut(size).zip(self.bias.chunks_mut(strip)).enumerate();
        for (at, (rows, bias)) in strips {
            for (features, gradients) in samples.perspectives().zip(accumulators.chunks(width)) {
                let gradients = &gradients[at * strip..][..strip];
                add(bias, gradients);
                for feature in active(features) {
                    add(&mut rows[feature * strip..][..strip], gradients);
                }
            }
        }
    }
}

/// The active features of a perspective.
fn active(features: &[i32]) -> impl Iterator<Item = usize> {
    features.iter().take_while(|feature| **feature != NO_FEATURE).map(|feature| *feature as usize)
}
