//! The network in floating point.

use burn::tensor::activation::sigmoid;
use burn::tensor::backend::{AutodiffBackend, Backend};
use burn::tensor::{Int, Tensor, TensorData};
use rukh_chess::random::SplitMix64;
use rukh_eval::nnue::arch::{HIDDEN, INPUTS, MAX_PIECES, OUTPUT_BUCKETS};

use crate::batch::Batch;
use crate::rows::Rows;

/// The weights: of the inputs, of the first layer itself, of the outputs, of the outputs themselves.
#[derive(Clone, Debug)]
pub struct Weights<B: Backend>(pub [Tensor<B, 2>; 4]);

/// The sizes of the weights.
pub const SHAPES: [[usize; 2]; 4] =
    [[INPUTS, HIDDEN], [1, HIDDEN], [2 * HIDDEN, OUTPUT_BUCKETS], [1, OUTPUT_BUCKETS]];

impl<B: Backend> Weights<B> {
    /// Small random weights.
    pub fn random(seed: u64, device: &B::Device) -> Self {
        let mut random = SplitMix64::new(seed);
        let numbers = SHAPES.map(|[rows, columns]| {
            let spread = match rows {
                INPUTS => (1.0 / MAX_PIECES as f64).sqrt(),
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
}

/// A backend that the network can learn on.
pub trait Learn: Backend {
    /// What the network thinks of each sample, before it becomes a chance.
    fn forward(weights: &Weights<Self>, inputs: &Inputs<Self>) -> Tensor<Self, 2>;

    /// The mean squared error of the chances, and the slope of each weight.
    fn slope(weights: &Weights<Self>, inputs: &Inputs<Self>) -> (Tensor<Self, 1>, Weights<Self>);
}

impl<B: Learn> Weights<B> {
    /// The mean squared error of the chances.
    pub fn loss(&self, inputs: &Inputs<B>) -> Tensor<B, 1> {
        error(B::forward(self, inputs), inputs.targets.clone())
    }
}

/// How a backend with kernels for [`Rows`] learns.
impl<B: Rows> Weights<B> {
    /// What the network thinks of each sample, before it becomes a chance.
    pub fn forward_by_rows(&self, inputs: &Inputs<B>) -> Tensor<B, 2> {
        let [features, bias, outputs, output_bias] = self.0.clone();
        let sums = B::sum_rows(features, inputs.places.clone());
        judge(sums, [bias, outputs, output_bias], inputs.outputs.clone())
    }

    /// The loss of a batch and the slope of each weight. The first layer does without the machinery that finds slopes: they
    /// are those of its sums, given to every input that was on.
    pub fn slope_by_rows<A>(&self, inputs: &Inputs<B>) -> (Tensor<B, 1>, Self)
    where
        A: AutodiffBackend<InnerBackend = B>,
    {
        let [features, rest @ ..] = self.0.clone();
        let tracked = |tensor| Tensor::<A, 2>::from_inner(tensor).require_grad();
        let sums = tracked(B::sum_rows(features, inputs.places.clone()));
        let rest = rest.map(tracked);
        let outputs = Tensor::from_inner(inputs.outputs.clone());
        let judged = judge(sums.clone(), rest.clone(), outputs);
        let loss = error(judged, Tensor::from_inner(inputs.targets.clone()));
        let slopes = loss.backward();
        let of = |tensor: &Tensor<A, 2>| tensor.grad(&slopes).expect("every weight counts");
        let features = B::spread_rows(of(&sums), inputs.places.clone(), INPUTS);
        let [bias, outputs, output_bias] = rest.each_ref().map(of);
        (loss.inner(), Self([features, bias, outputs, output_bias]))
    }
}

/// What comes after the sums of the first layer: all perspectives of the sides to move, then all of the others.
fn judge<B: Backend>(
    sums: Tensor<B, 2>,
    [bias, outputs, output_bias]: [Tensor<B, 2>; 3],
    chosen: Tensor<B, 2, Int>,
) -> Tensor<B, 2> {
    let count = chosen.dims()[0];
    let clipped = (sums + bias).clamp(0.0, 1.0);
    let squared = clipped.clone() * clipped;
    // Both perspectives have the same place in their halves of the batch: each half times its half of the outputs, summed up.
    let halves = squared.reshape([2, count, HIDDEN]).matmul(outputs.reshape([2, HIDDEN, OUTPUT_BUCKETS]));
    let all = halves.sum_dim(0).reshape([count, OUTPUT_BUCKETS]) + output_bias;
    all.gather(1, chosen)
}

/// The mean squared error of the chances.
fn error<B: Backend>(judged: Tensor<B, 2>, targets: Tensor<B, 2>) -> Tensor<B, 1> {
    let error = sigmoid(judged) - targets;
    (error.clone() * error).mean()
}

/// A batch on the device.
#[derive(Clone, Debug)]
pub struct Inputs<B: Backend> {
    pub(crate) places: Tensor<B, 2, Int>,
    pub(crate) outputs: Tensor<B, 2, Int>,
    pub(crate) targets: Tensor<B, 2>,
}

impl<B: Backend> Inputs<B> {
    /// Brings a batch to the device.
    pub fn new(batch: Batch, device: &B::Device) -> Self {
        let count = batch.len();
        Self {
            places: Tensor::from_data(TensorData::new(batch.places, [2 * count, MAX_PIECES]), device),
            outputs: Tensor::from_data(TensorData::new(batch.outputs, [count, 1]), device),
            targets: Tensor::from_data(TensorData::new(batch.targets, [count, 1]), device),
        }
    }
}
