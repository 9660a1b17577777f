//! The slope of a batch on a CPU: plain loops, in an order that the caches like.
//!
//! Autodiff writes down every number of every layer for all positions of a batch before it comes back to the first, far more than a cache
//! holds. Here a few positions at a time go up and down again, and the first layer, whose weights are read at random, is done
//! in strips of columns that stay near.

use std::thread;

use burn::backend::Flex;
use burn::tensor::{Int, Tensor, TensorData};
use rukh_eval::nnue::arch::{HIDDEN, INPUTS, MAX_PIECES, OUTPUT_BUCKETS};

use crate::model::{Inputs, Learn, Weights};
use crate::sample::NOBODY;

/// Columns of a strip: all rows of the weights and of their slopes fit in a cache of the second level.
const COLUMNS: usize = 128;
/// Positions that go up and down together.
const TOGETHER: usize = 128;

impl Learn for Flex {
    fn forward(weights: &Weights<Self>, inputs: &Inputs<Self>) -> Tensor<Self, 2> {
        let layers = &Layers::new(&weights.to_numbers());
        let batch = Samples::new(inputs);
        let told: Vec<f32> = batch.on_threads(|part| layers.forward(part)).into_iter().flatten().collect();
        let count = told.len();
        Tensor::from_data(TensorData::new(told, [count, 1]), &inputs.targets.device())
    }

    fn slope(weights: &Weights<Self>, inputs: &Inputs<Self>) -> (Tensor<Self, 1>, Weights<Self>) {
        let layers = &Layers::new(&weights.to_numbers());
        let batch = Samples::new(inputs);
        let count = batch.targets.len();
        let (mut loss, mut slopes) = (0.0, Layers::zero());
        for (part_loss, part) in batch.on_threads(|part| layers.slope(part, count)) {
            loss += part_loss;
            slopes.add(&part);
        }
        let device = inputs.targets.device();
        let loss = Tensor::from_floats([(loss / count.max(1) as f64) as f32], &device);
        (loss, Weights::from_numbers(slopes.into_numbers(), &device))
    }
}

/// The numbers of a batch.
struct Samples {
    places: Vec<i32>,
    outputs: Vec<i32>,
    targets: Vec<f32>,
}

/// Some samples of a batch.
#[derive(Clone, Copy)]
struct Part<'b> {
    /// The inputs that are on, of the sides to move and of the others.
    places: [&'b [i32]; 2],
    outputs: &'b [i32],
    targets: &'b [f32],
}

impl Samples {
    fn new(inputs: &Inputs<Flex>) -> Self {
        let whole = |tensor: &Tensor<Flex, 2, Int>| tensor.to_data().iter::<i32>().collect();
        Self {
            places: whole(&inputs.places),
            outputs: whole(&inputs.outputs),
            targets: inputs.targets.to_data().iter::<f32>().collect(),
        }
    }

    /// What `work` makes of the parts of the batch, one for each thread.
    fn on_threads<R: Send>(&self, work: impl Fn(Part<'_>) -> R + Sync) -> Vec<R> {
        let (own, theirs) = self.places.split_at(self.places.len() / 2);
        let all = Part { places: [own, theirs], outputs: &self.outputs, targets: &self.targets };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let work = &work;
        thread::scope(|scope| {
            let parts = all.parts(self.targets.len().div_ceil(threads).max(1));
            let workers: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
            workers.into_iter().map(|worker| worker.join().expect("sums are made without fail")).collect()
        })
    }
}

impl<'b> Part<'b> {
    /// Parts of so many samples.
    fn parts(self, size: usize) -> impl Iterator<Item = Self> + 'b {
        let [own, theirs] = self.places.map(|places| places.chunks(size * MAX_PIECES));
        let answers = self.outputs.chunks(size).zip(self.targets.chunks(size));
        own.zip(theirs).zip(answers).map(|((own, theirs), (outputs, targets))| Self {
            places: [own, theirs],
            outputs,
            targets,
        })
    }

    /// Both perspectives of each sample, the side to move first.
    fn perspectives(self) -> impl Iterator<Item = &'b [i32]> {
        let [own, theirs] = self.places.map(|places| places.chunks(MAX_PIECES));
        own.zip(theirs).flat_map(|(own, theirs)| [own, theirs])
    }
}

/// Weights or slopes, laid out for these loops.
#[derive(Clone, Debug)]
struct Layers {
    /// Strip by strip, in each row by row.
    features: Vec<f32>,
    bias: Vec<f32>,
    /// Output by output.
    outputs: Vec<f32>,
    output_bias: Vec<f32>,
}

impl Layers {
    fn zero() -> Self {
        Self {
            features: vec![0.0; INPUTS * HIDDEN],
            bias: vec![0.0; HIDDEN],
            outputs: vec![0.0; 2 * HIDDEN * OUTPUT_BUCKETS],
            output_bias: vec![0.0; OUTPUT_BUCKETS],
        }
    }

    fn new([features, bias, outputs, output_bias]: &[Vec<f32>; 4]) -> Self {
        let mut layers = Self { bias: bias.clone(), output_bias: output_bias.clone(), ..Self::zero() };
        for (strip, rows) in layers.features.chunks_mut(INPUTS * COLUMNS).enumerate() {
            for (row, from) in rows.chunks_mut(COLUMNS).zip(features.chunks(HIDDEN)) {
                row.copy_from_slice(&from[strip * COLUMNS..][..COLUMNS]);
            }
        }
        transpose(outputs, OUTPUT_BUCKETS, &mut layers.outputs);
        layers
    }

    fn into_numbers(self) -> [Vec<f32>; 4] {
        let mut features = vec![0.0; INPUTS * HIDDEN];
        for (strip, rows) in self.features.chunks(INPUTS * COLUMNS).enumerate() {
            for (row, to) in rows.chunks(COLUMNS).zip(features.chunks_mut(HIDDEN)) {
                to[strip * COLUMNS..][..COLUMNS].copy_from_slice(row);
            }
        }
        let mut outputs = vec![0.0; 2 * HIDDEN * OUTPUT_BUCKETS];
        transpose(&self.outputs, 2 * HIDDEN, &mut outputs);
        [features, self.bias, outputs, self.output_bias]
    }

    fn add(&mut self, other: &Self) {
        add(&mut self.features, &other.features);
        add(&mut self.bias, &other.bias);
        add(&mut self.outputs, &other.outputs);
        add(&mut self.output_bias, &other.output_bias);
    }

    fn forward(&self, samples: Part<'_>) -> Vec<f32> {
        let mut layer = vec![0.0; 2 * TOGETHER * HIDDEN];
        let mut told = Vec::with_capacity(samples.targets.len());
        for few in samples.parts(TOGETHER) {
            self.first(few, &mut layer);
            let positions = layer.chunks(2 * HIDDEN).zip(few.outputs);
            told.extend(positions.map(|(layer, &output)| self.judge(layer, output as usize)));
        }
        told
    }

    /// The sum of the losses of some positions of a batch of `count`, and their share of the slopes.
    fn slope(&self, samples: Part<'_>, count: usize) -> (f64, Self) {
        let mut slopes = Self::zero();
        let mut layer = vec![0.0; 2 * TOGETHER * HIDDEN];
        let mut loss = 0.0;
        for few in samples.parts(TOGETHER) {
            self.first(few, &mut layer);
            let answers = few.outputs.iter().zip(few.targets);
            for (layer, (&output, &target)) in layer.chunks_mut(2 * HIDDEN).zip(answers) {
                let output = output as usize;
                let chance = 1.0 / (1.0 + (-self.judge(layer, output)).exp());
                let error = chance - target;
                loss += f64::from(error * error);
                let steepness = 2.0 * error * chance * (1.0 - chance) / count as f32;
                self.come_back(layer, output, steepness, &mut slopes);
            }
            slopes.spread(few, &layer);
        }
        (loss, slopes)
    }

    /// The sums of the first layer, for both perspectives of each position side by side.
    fn first(&self, samples: Part<'_>, layer: &mut [f32]) {
        let strips = self.features.chunks(INPUTS * COLUMNS).zip(self.bias.chunks(COLUMNS)).enumerate();
        for (strip, (rows, bias)) in strips {
            for (perspective, sums) in samples.perspectives().zip(layer.chunks_mut(HIDDEN)) {
                let sums = &mut sums[strip * COLUMNS..][..COLUMNS];
                sums.copy_from_slice(bias);
                for place in on(perspective) {
                    add(sums, &rows[place * COLUMNS..][..COLUMNS]);
                }
            }
        }
    }

    /// What an output makes of the first layer.
    fn judge(&self, layer: &[f32], output: usize) -> f32 {
        const SUMS: usize = 32;
        let mut sums = [0.0; SUMS];
        let weights = &self.outputs[output * 2 * HIDDEN..][..2 * HIDDEN];
        for (numbers, weights) in layer.chunks_exact(SUMS).zip(weights.chunks_exact(SUMS)) {
            for ((sum, number), weight) in sums.iter_mut().zip(numbers).zip(weights) {
                let clipped = number.clamp(0.0, 1.0);
                *sum += clipped * clipped * weight;
            }
        }
        sums.iter().sum::<f32>() + self.output_bias[output]
    }

    /// From the slope of what was said to those of the output's weights; those of the first layer's sums take their place.
    fn come_back(&self, layer: &mut [f32], output: usize, steepness: f32, slopes: &mut Self) {
        let part = output * 2 * HIDDEN;
        let weights = self.outputs[part..][..2 * HIDDEN].iter();
        let outputs = slopes.outputs[part..][..2 * HIDDEN].iter_mut();
        for ((number, weight), slope) in layer.iter_mut().zip(weights).zip(outputs) {
            let clipped = number.clamp(0.0, 1.0);
            *slope += steepness * clipped * clipped;
            let is_inside = *number > 0.0 && *number < 1.0;
            *number = if is_inside { 2.0 * steepness * weight * clipped } else { 0.0 };
        }
        slopes.output_bias[output] += steepness;
    }

    /// Gives the slopes of the sums to every input that was on.
    fn spread(&mut self, samples: Part<'_>, layer: &[f32]) {
        let strips =
            self.features.chunks_mut(INPUTS * COLUMNS).zip(self.bias.chunks_mut(COLUMNS)).enumerate();
        for (strip, (rows, bias)) in strips {
            for (perspective, slopes) in samples.perspectives().zip(layer.chunks(HIDDEN)) {
                let slopes = &slopes[strip * COLUMNS..][..COLUMNS];
                add(bias, slopes);
                for place in on(perspective) {
                    add(&mut rows[place * COLUMNS..][..COLUMNS], slopes);
                }
            }
        }
    }
}

/// The inputs of a perspective that are on.
fn on(perspective: &[i32]) -> impl Iterator<Item = usize> {
    perspective.iter().take_while(|place| **place != NOBODY).map(|place| *place as usize)
}

#[inline]
fn add(to: &mut [f32], from: &[f32]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
}

/// Writes a table with so many columns column by column.
fn transpose(from: &[f32], columns: usize, to: &mut [f32]) {
    let rows = from.len() / columns;
    for (row, numbers) in from.chunks(columns).enumerate() {
        numbers.iter().enumerate().for_each(|(column, number)| to[column * rows + row] = *number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::{Batch, Target};
    use crate::sample::Sample;
    use burn::backend::Autodiff;
    use rukh_chess::Position;
    use rukh_chess::random::SplitMix64;

    /// What these loops make of a batch is what autodiff makes of it, as on a GPU.
    #[test]
    fn loops_and_autodiff_agree() {
        let mut random = SplitMix64::new(4);
        let mut position = Position::default();
        let mut samples = Vec::new();
        while samples.len() < 300 {
            let moves = position.legal_moves();
            position = match moves.len() as u64 {
                0 => Position::default(),
                many => position.after(moves[random.below(many) as usize]),
            };
            let score = random.below(2_000) as i16 - 1_000;
            samples.push(Sample::new(&position, score, random.below(3) as u8));
        }
        let batch = Batch::new(samples.iter(), Target { scale: 300.0, result_share: 0.5 });
        let device = Default::default();
        let inputs = Inputs::<Flex>::new(batch, &device);
        let weights = Weights::random(6, &device);
        let told = |tensor: Tensor<Flex, 2>| tensor.into_data().iter::<f32>().collect::<Vec<_>>();
        let is_near = |a: &[f32], b: &[f32]| {
            let most = b.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
            most > 0.0 && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4 * most)
        };
        assert!(is_near(&told(Flex::forward(&weights, &inputs)), &told(weights.forward_by_rows(&inputs))));
        let (loss, slopes) = Flex::slope(&weights, &inputs);
        let (expected_loss, expected) = weights.slope_by_rows::<Autodiff<Flex>>(&inputs);
        assert!((loss.into_scalar() - expected_loss.into_scalar()).abs() < 1e-6);
        for (slopes, expected) in slopes.to_numbers().iter().zip(&expected.to_numbers()) {
            assert!(is_near(slopes, expected));
        }
    }
}
