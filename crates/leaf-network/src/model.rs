//! The network in tensors, for any backend: residual blocks with squeeze and excitation, a value head and a policy head.
//!
//! It is the class `Residual` of `scripts/teacher` for inference. The channels of a square lie side by side, as GPUs want it. It
//! knows nothing of chess.

use burn::tensor::activation::{relu, sigmoid};
use burn::tensor::backend::Backend;
use burn::tensor::{Int, Tensor, TensorData};

use crate::encoding::{ONE_HOT_PLANES, PAIRS, PLANES, SQUARES};
use crate::file::{NARROW, VALUES};
use crate::weights::{self, Weights};

/// Channels of the input: the planes, and as many that are always 0 as matrix units want.
const CHANNELS: usize = PLANES.next_multiple_of(16);
/// Numbers that are the same on all squares, those that are always 0 included.
pub(crate) const UNIFORM: usize = CHANNELS - ONE_HOT_PLANES;

/// A backend with a convolution.
pub(crate) trait Convolve: Backend {
    /// A convolution of 3 x 3 with a border of zeros. `boards` are positions, rows, columns and inputs, `weight` outputs, rows,
    /// columns and inputs.
    fn convolve(boards: Tensor<Self, 4>, weight: Tensor<Self, 4>, bias: Tensor<Self, 1>) -> Tensor<Self, 4>;
}

/// The network on a device.
#[derive(Debug)]
pub(crate) struct Model<B: Backend> {
    planes: Tensor<B, 4, Int>,
    begin: Convolution<B>,
    squares: Tensor<B, 4>,
    blocks: Vec<Block<B>>,
    narrow: Linear<B>,
    gather: Linear<B>,
    value: Linear<B>,
    source: Linear<B>,
    target: Linear<B>,
}

impl<B: Convolve> Model<B> {
    /// Brings weights to a device.
    pub(crate) fn new(weights: &Weights, device: &B::Device) -> Self {
        let linear = |from: &weights::Linear| Linear::new(from, device);
        let squares = channels_last(&weights.squares, weights.size.width, SQUARES);
        let squares = TensorData::new(squares, [1, 8, 8, weights.size.width]);
        let planes = Tensor::arange(0..ONE_HOT_PLANES as i64, device);
        Self {
            planes: planes.reshape([1, 1, 1, ONE_HOT_PLANES]),
            begin: Convolution::new(&weights.begin, CHANNELS, device),
            squares: Tensor::from_data(squares, device),
            blocks: weights.blocks.iter().map(|block| Block::new(block, device)).collect(),
            narrow: linear(&weights.narrow),
            gather: linear(&weights.gather),
            value: linear(&weights.value),
            source: linear(&weights.source),
            target: linear(&weights.target),
        }
    }

    /// For each position the outputs of the value head, then those outputs of the policy head that `wanted` names. The planes of
    /// the input are made here, so that few numbers travel: `one_hot` says which of them is 1 on each square.
    pub(crate) fn forward(
        &self,
        one_hot: Tensor<B, 2, Int>,
        uniform: Tensor<B, 2>,
        wanted: Tensor<B, 2, Int>,
    ) -> Tensor<B, 2> {
        let [count, _] = one_hot.dims();
        let boards = [count, 8, 8, ONE_HOT_PLANES];
        let one_hot = one_hot.reshape([count, 8, 8, 1]).expand(boards);
        let one_hot = one_hot.equal(self.planes.clone().expand(boards)).float();
        let uniform = uniform.reshape([count, 1, 1, UNIFORM]).expand([count, 8, 8, UNIFORM]);
        let mut x = relu(self.begin.forward(Tensor::cat(vec![one_hot, uniform], 3)) + self.squares.clone());
        for block in &self.blocks {
            x = block.forward(x);
        }
        let [.., width] = x.dims();
        let flat = x.reshape([count * SQUARES, width]);
        let narrow = relu(self.narrow.forward(flat.clone())).reshape([count, SQUARES * NARROW]);
        let values = self.value.forward(relu(self.gather.forward(narrow)));
        let by_square =
            |layer: &Linear<B>| layer.forward(flat.clone()).reshape([count as i32, SQUARES as i32, -1]);
        let policy = by_square(&self.source).matmul(by_square(&self.target).swap_dims(1, 2));
        let policy = policy.reshape([count, PAIRS]).gather(1, wanted);
        Tensor::cat(vec![values.reshape([count, VALUES]), policy], 1)
    }
}

/// A convolution of 3 x 3.
#[derive(Debug)]
struct Convolution<B: Backend> {
    weight: Tensor<B, 4>,
    bias: Tensor<B, 1>,
}

impl<B: Convolve> Convolution<B> {
    /// Brings weights to a device. `inputs` are at least those that there are; the others have no weight.
    fn new(from: &weights::Convolution, inputs: usize, device: &B::Device) -> Self {
        let outputs = from.bias.len();
        let mut weight = Vec::with_capacity(outputs * 9 * inputs);
        for output in from.weight.chunks_exact(9 * from.inputs) {
            let output = channels_last(output, from.inputs, 9);
            for square in output.chunks_exact(from.inputs) {
                weight.extend_from_slice(square);
                weight.resize(weight.len() + inputs - from.inputs, 0.0);
            }
        }
        let weight = TensorData::new(weight, [outputs, 3, 3, inputs]);
        let bias = TensorData::new(from.bias.clone(), [outputs]);
        Self { weight: Tensor::from_data(weight, device), bias: Tensor::from_data(bias, device) }
    }

    fn forward(&self, x: Tensor<B, 4>) -> Tensor<B, 4> {
        B::convolve(x, self.weight.clone(), self.bias.clone())
    }
}

/// Numbers of channels and their squares, with the channels of a square side by side.
fn channels_last(numbers: &[f32], channels: usize, squares: usize) -> Vec<f32> {
    let number = |at: usize| numbers[at % channels * squares + at / channels];
    (0..channels * squares).map(number).collect()
}

/// A linear layer.
#[derive(Debug)]
struct Linear<B: Backend> {
    weight: Tensor<B, 2>,
    bias: Tensor<B, 2>,
}

impl<B: Backend> Linear<B> {
    fn new(from: &weights::Linear, device: &B::Device) -> Self {
        let outputs = from.bias.len();
        let weight = TensorData::new(from.weight.clone(), [from.inputs, outputs]);
        let bias = TensorData::new(from.bias.clone(), [1, outputs]);
        Self { weight: Tensor::from_data(weight, device), bias: Tensor::from_data(bias, device) }
    }

    fn forward(&self, x: Tensor<B, 2>) -> Tensor<B, 2> {
        x.matmul(self.weight.clone()) + self.bias.clone()
    }
}

/// A residual block: two convolutions, squeeze and excitation.
#[derive(Debug)]
struct Block<B: Backend> {
    first: Convolution<B>,
    second: Convolution<B>,
    squeeze: Linear<B>,
    excite: Linear<B>,
}

impl<B: Convolve> Block<B> {
    fn new(from: &weights::Block, device: &B::Device) -> Self {
        Self {
            first: Convolution::new(&from.first, from.first.inputs, device),
            second: Convolution::new(&from.second, from.second.inputs, device),
            squeeze: Linear::new(&from.squeeze, device),
            excite: Linear::new(&from.excite, device),
        }
    }

    fn forward(&self, x: Tensor<B, 4>) -> Tensor<B, 4> {
        let [count, .., width] = x.dims();
        let y = self.second.forward(relu(self.first.forward(x.clone())));
        let means = y.clone().reshape([count, SQUARES, width]).mean_dim(1).reshape([count, width]);
        let excited = self.excite.forward(relu(self.squeeze.forward(means)));
        let part = |start: usize| excited.clone().narrow(1, start, width).reshape([count, 1, 1, width]);
        relu(x + y * sigmoid(part(0)) + part(width))
    }
}
