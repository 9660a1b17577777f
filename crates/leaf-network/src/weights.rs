//! Weights: what the file has, made ready for inference. Batch norms are folded into the convolutions before them.
//!
//! It knows the order of the parts in the file, not the tensors that are made from them.

use crate::encoding::{PLANES, SQUARES};
use crate::file::{NARROW, NetworkFile, POLICY_WIDTH, SQUEEZE, Size, VALUE_NEURONS, VALUES};

/// What PyTorch adds to a variance before the root.
const EPSILON: f64 = 1e-5;
/// The policy is divided by the root of the width of its head.
const POLICY_SCALE: f32 = 8.0;

/// A convolution of 3 x 3 with a bias for each output channel.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Convolution {
    /// Outputs, inputs, rows, columns.
    pub(crate) weight: Vec<f32>,
    pub(crate) bias: Vec<f32>,
    pub(crate) inputs: usize,
}

/// A linear layer.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Linear {
    /// A row for each input.
    pub(crate) weight: Vec<f32>,
    pub(crate) bias: Vec<f32>,
    pub(crate) inputs: usize,
}

/// A residual block.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Block {
    pub(crate) first: Convolution,
    pub(crate) second: Convolution,
    pub(crate) squeeze: Linear,
    pub(crate) excite: Linear,
}

/// All weights.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Weights {
    pub(crate) size: Size,
    pub(crate) begin: Convolution,
    /// Added after the first convolution: a number for each channel and square.
    pub(crate) squares: Vec<f32>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) narrow: Linear,
    pub(crate) gather: Linear,
    pub(crate) value: Linear,
    pub(crate) source: Linear,
    pub(crate) target: Linear,
}

impl Weights {
    /// The weights of a file.
    pub(crate) fn new(file: NetworkFile) -> Self {
        let size = file.size;
        let width = size.width;
        let mut parts = file.weights.into_iter();
        let mut next = || parts.next().expect("the file has all parts of its size");
        let squares = next();
        let mut begin = Convolution { weight: next(), bias: vec![0.0; width], inputs: PLANES };
        let norm = Norm::read(&mut next);
        norm.fold(&mut begin);
        let squares = norm.scaled(squares);
        let blocks = (0..size.layers).map(|_| Block::read(&mut next, width)).collect();
        let narrow = Linear::read(&mut next, width, NARROW);
        let gather = Linear::read(&mut next, NARROW * SQUARES, VALUE_NEURONS);
        let value = Linear::read(&mut next, VALUE_NEURONS, VALUES);
        let mut source = Linear::read(&mut next, width, POLICY_WIDTH);
        let target = Linear::read(&mut next, width, POLICY_WIDTH);
        source.weight.iter_mut().chain(&mut source.bias).for_each(|weight| *weight /= POLICY_SCALE);
        Self { size, begin, squares, blocks, narrow, gather, value, source, target }
    }
}

impl Block {
    fn read(next: &mut impl FnMut() -> Vec<f32>, width: usize) -> Self {
        let mut convolution = || {
            let mut convolution = Convolution { weight: next(), bias: vec![0.0; width], inputs: width };
            Norm::read(&mut *next).fold(&mut convolution);
            convolution
        };
        let (first, second) = (convolution(), convolution());
        let squeeze = Linear::read(next, width, width / SQUEEZE);
        let excite = Linear::read(next, width / SQUEEZE, 2 * width);
        Self { first, second, squeeze, excite }
    }
}

impl Linear {
    /// PyTorch has a row for each output.
    fn read(next: &mut impl FnMut() -> Vec<f32>, inputs: usize, outputs: usize) -> Self {
        let (from, bias) = (next(), next());
        let mut weight = vec![0.0; from.len()];
        for (output, row) in from.chunks_exact(inputs).enumerate() {
            row.iter().enumerate().for_each(|(input, number)| weight[input * outputs + output] = *number);
        }
        Self { weight, bias, inputs }
    }
}

/// A batch norm as a factor and a summand for each channel.
struct Norm {
    factors: Vec<f64>,
    summands: Vec<f64>,
}

impl Norm {
    fn read(mut next: impl FnMut() -> Vec<f32>) -> Self {
        let (weight, bias, mean, variance) = (next(), next(), next(), next());
        let factor =
            |(weight, variance): (&f32, &f32)| f64::from(*weight) / (f64::from(*variance) + EPSILON).sqrt();
        let factors: Vec<f64> = weight.iter().zip(&variance).map(factor).collect();
        let summand =
            |((bias, mean), factor): ((&f32, &f32), &f64)| f64::from(*bias) - f64::from(*mean) * factor;
        let summands = bias.iter().zip(&mean).zip(&factors).map(summand).collect();
        Self { factors, summands }
    }

    /// Applies the norm to the output of a convolution without a bias.
    fn fold(&self, convolution: &mut Convolution) {
        convolution.weight = self.scaled(std::mem::take(&mut convolution.weight));
        convolution.bias = self.summands.iter().map(|summand| *summand as f32).collect();
    }

    /// Numbers of all channels, those of a channel side by side, times the factors.
    fn scaled(&self, mut numbers: Vec<f32>) -> Vec<f32> {
        let each = numbers.len() / self.factors.len();
        for (channel, factor) in numbers.chunks_exact_mut(each).zip(&self.factors) {
            channel.iter_mut().for_each(|number| *number = (f64::from(*number) * factor) as f32);
        }
        numbers
    }
}
