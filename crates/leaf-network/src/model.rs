//! The network in tensors, for any backend: residual blocks with squeeze and excitation, a value head and a policy head.
//!
//! It is the class `Residual` of `scripts/teacher` for inference. It knows nothing of chess.

use burn::tensor::activation::{relu, sigmoid};
use burn::tensor::backend::Backend;
use burn::tensor::module::conv2d;
use burn::tensor::ops::ConvOptions;
use burn::tensor::{Int, Tensor, TensorData};

use crate::encoding::{PAIRS, SQUARES};
use crate::file::{NARROW, VALUES};
use crate::weights::{self, Weights};

/// The network on a device.
#[derive(Debug)]
pub(crate) struct Model<B: Backend> {
    begin: Convolution<B>,
    squares: Tensor<B, 4>,
    blocks: Vec<Block<B>>,
    narrow: Linear<B>,
    gather: Linear<B>,
    value: Linear<B>,
    source: Linear<B>,
    target: Linear<B>,
}

impl<B: Backend> Model<B> {
    /// Brings weights to a device.
    pub(crate) fn new(weights: &Weights, device: &B::Device) -> Self {
        let linear = |from: &weights::Linear| Linear::new(from, device);
        let squares = TensorData::new(weights.squares.clone(), [1, weights.size.width, 8, 8]);
        Self {
            begin: Convolution::new(&weights.begin, device),
            squares: Tensor::from_data(squares, device),
            blocks: weights.blocks.iter().map(|block| Block::new(block, device)).collect(),
            narrow: linear(&weights.narrow),
            gather: linear(&weights.gather),
            value: linear(&weights.value),
            source: linear(&weights.source),
            target: linear(&weights.target),
        }
    }

    /// For each position the outputs of the value head, then those outputs of the policy head that `wanted` names.
    pub(crate) fn forward(&self, planes: Tensor<B, 4>, wanted: Tensor<B, 2, Int>) -> Tensor<B, 2> {
        let [count, ..] = planes.dims();
        let mut x = relu(self.begin.forward(planes) + self.squares.clone());
        for block in &self.blocks {
            x = block.forward(x);
        }
        let [_, width, ..] = x.dims();
        let squares = x.reshape([count, width, SQUARES]).swap_dims(1, 2);
        let flat = squares.reshape([count * SQUARES, width]);
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

impl<B: Backend> Convolution<B> {
    fn new(from: &weights::Convolution, device: &B::Device) -> Self {
        let outputs = from.bias.len();
        let weight = TensorData::new(from.weight.clone(), [outputs, from.inputs, 3, 3]);
        let bias = TensorData::new(from.bias.clone(), [outputs]);
        Self { weight: Tensor::from_data(weight, device), bias: Tensor::from_data(bias, device) }
    }

    fn forward(&self, x: Tensor<B, 4>) -> Tensor<B, 4> {
        let same = ConvOptions::new([1, 1], [1, 1], [1, 1], 1);
        conv2d(x, self.weight.clone(), Some(self.bias.clone()), same)
    }
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

impl<B: Backend> Block<B> {
    fn new(from: &weights::Block, device: &B::Device) -> Self {
        Self {
            first: Convolution::new(&from.first, device),
            second: Convolution::new(&from.second, device),
            squeeze: Linear::new(&from.squeeze, device),
            excite: Linear::new(&from.excite, device),
        }
    }

    fn forward(&self, x: Tensor<B, 4>) -> Tensor<B, 4> {
        let [count, width, ..] = x.dims();
        let y = self.second.forward(relu(self.first.forward(x.clone())));
        let means = y.clone().reshape([count, width, SQUARES]).mean_dim(2).reshape([count, width]);
        let excited = self.excite.forward(relu(self.squeeze.forward(means)));
        let part = |start: usize| excited.clone().narrow(1, start, width).reshape([count, width, 1, 1]);
        relu(x + y * sigmoid(part(0)) + part(width))
    }
}
