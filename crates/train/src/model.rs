//! The network in floating point.

use burn::tensor::activation::sigmoid;
use burn::tensor::backend::{AutodiffBackend, Backend};
use burn::tensor::{ElementConversion, Int, Tensor, TensorData};
use rukh_chess::random::SplitMix64;
use rukh_eval::nnue::arch::{HIDDEN, INPUTS, OUTPUTS};

use crate::batch::Batch;
use crate::sample::WORDS;

/// The weights: of the inputs, of the first layer itself, of the outputs, of the outputs themselves.
#[derive(Clone, Debug)]
pub struct Weights<B: Backend>(pub [Tensor<B, 2>; 4]);

/// The sizes of the weights.
pub const SHAPES: [[usize; 2]; 4] = [[INPUTS, HIDDEN], [1, HIDDEN], [2 * HIDDEN, OUTPUTS], [1, OUTPUTS]];

/// The first layer is summed up in so many parts of a batch: its slopes then come from as many products side by side, where
/// one product of few rows and columns would leave most of a GPU idle.
const PARTS: usize = 8;

impl<B: Backend> Weights<B> {
    /// Small weights by lot.
    pub fn random(seed: u64, device: &B::Device) -> Self {
        let mut random = SplitMix64::new(seed);
        let numbers = SHAPES.map(|[rows, columns]| {
            // A board has about 32 men: so many inputs are on.
            let spread = match rows {
                INPUTS => (1.0 / 32.0_f64).sqrt(),
                1 => 0.0,
                rows => (1.0 / rows as f64).sqrt(),
            };
            let mut lot = || (2.0 * random.share() - 1.0) * spread;
            (0..rows * columns).map(|_| lot() as f32).collect()
        });
        Self::from_numbers(numbers, device)
    }

    /// Weights of these numbers.
    pub fn from_numbers(numbers: [Vec<f32>; 4], device: &B::Device) -> Self {
        let mut shapes = SHAPES.into_iter();
        Self(numbers.map(|numbers| {
            let shape = shapes.next().expect("there are as many shapes");
            Tensor::from_data(TensorData::new(numbers, shape), device)
        }))
    }

    /// Their numbers.
    pub fn to_numbers(&self) -> [Vec<f32>; 4] {
        self.0.clone().map(|tensor| tensor.into_data().iter::<f32>().collect())
    }

    /// All of them in a row.
    pub fn to_row(&self) -> Tensor<B, 1> {
        Tensor::cat(self.0.iter().map(|tensor| tensor.clone().flatten(0, 1)).collect(), 0)
    }

    /// What [`Self::to_row`] gave.
    pub fn from_row(row: &Tensor<B, 1>) -> Self {
        let mut start = 0;
        Self(SHAPES.map(|[rows, columns]| {
            let part = start..start + rows * columns;
            start = part.end;
            row.clone().slice([part]).reshape([rows, columns])
        }))
    }

    /// What the network thinks of each sample, before it becomes a chance.
    pub fn forward(&self, inputs: &Inputs<B>) -> Tensor<B, 2> {
        let [features, bias, outputs, output_bias] = &self.0;
        let (count, rows) = (inputs.count, 2 * inputs.count);
        let parts = if rows.is_multiple_of(PARTS) { PARTS } else { 1 };
        let bits = inputs.bits.clone().reshape([parts, rows / parts, INPUTS]);
        let hidden = bits.matmul(features.clone().unsqueeze::<3>()).reshape([rows, HIDDEN]) + bias.clone();
        let clipped = hidden.clamp(0.0, 1.0);
        let squared = clipped.clone() * clipped;
        // Both views have the same place in their halves of the batch: each half times its half of the outputs, summed up.
        let halves =
            squared.reshape([2, count, HIDDEN]).matmul(outputs.clone().reshape([2, HIDDEN, OUTPUTS]));
        let all = halves.sum_dim(0).reshape([count, OUTPUTS]) + output_bias.clone();
        all.gather(1, inputs.outputs.clone())
    }

    /// The mean squared error of the chances.
    pub fn loss(&self, inputs: &Inputs<B>) -> Tensor<B, 1> {
        let error = sigmoid(self.forward(inputs)) - inputs.targets.clone();
        (error.clone() * error).mean()
    }
}

impl<B: AutodiffBackend> Weights<B> {
    /// The loss of a batch and the slope of each weight.
    pub fn slope(
        weights: Weights<B::InnerBackend>,
        inputs: &Inputs<B>,
    ) -> (Tensor<B::InnerBackend, 1>, Weights<B::InnerBackend>) {
        let tracked = Self(weights.0.map(|tensor| Tensor::from_inner(tensor).require_grad()));
        let loss = tracked.loss(inputs);
        let slopes = loss.backward();
        let slopes = tracked.0.map(|tensor| tensor.grad(&slopes).expect("every weight counts"));
        (loss.inner(), Weights(slopes))
    }
}

/// A batch on the device.
#[derive(Clone, Debug)]
pub struct Inputs<B: Backend> {
    count: usize,
    bits: Tensor<B, 2>,
    outputs: Tensor<B, 2, Int>,
    targets: Tensor<B, 2>,
}

impl<B: Backend> Inputs<B> {
    /// Brings a batch to the device; bits become numbers there.
    pub fn new(batch: Batch, device: &B::Device) -> Self {
        const BITS: usize = 32;
        let count = batch.len();
        let all = [2 * count, WORDS, BITS];
        let words = TensorData::new(batch.words, [2 * count, WORDS, 1]);
        let words = Tensor::<B, 3, Int>::from_data(words, device).expand(all);
        let places = Tensor::arange(0..BITS as i64, device).reshape([1, 1, BITS]).expand(all);
        let bits = words.bitwise_right_shift(places).bitwise_and_scalar(1.elem());
        let bits = bits.reshape([2 * count, INPUTS]).float();
        Self {
            count,
            bits,
            outputs: Tensor::from_data(TensorData::new(batch.outputs, [count, 1]), device),
            targets: Tensor::from_data(TensorData::new(batch.targets, [count, 1]), device),
        }
    }
}
