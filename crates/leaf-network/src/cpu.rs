//! The network on the CPU: plain loops in 32-bit floats, a position at a time, several positions on several threads.
//!
//! The result of a position depends neither on the batch nor on the number of threads. It knows nothing of chess.

use std::num::NonZeroUsize;
use std::thread;

use crate::encoding::{Encoded, PAIRS, PLANES, SQUARES};
use crate::file::{NARROW, POLICY_WIDTH, VALUES};
use crate::weights::{self, Weights};

/// Output channels that are computed together: a few vector registers for each square of a rank.
const LANES: usize = 16;
/// A board with a border of zeros, so that a convolution needs no bounds: ten squares a rank.
const PADDED: usize = 10;
const RANK: usize = 8;

/// What the network gives for a position.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Raw {
    /// The outputs of the value head.
    pub(crate) values: [f32; VALUES],
    /// The outputs of the policy head for the moves of the position.
    pub(crate) logits: Vec<f32>,
}

/// The network.
#[derive(Debug)]
pub(crate) struct CpuModel {
    begin: Convolution,
    /// Added after the first convolution, for each square a number for each channel.
    squares: Vec<f32>,
    blocks: Vec<Block>,
    narrow: weights::Linear,
    gather: weights::Linear,
    value: weights::Linear,
    source: weights::Linear,
    target: weights::Linear,
    width: usize,
}

#[derive(Debug)]
struct Block {
    first: Convolution,
    second: Convolution,
    squeeze: weights::Linear,
    excite: weights::Linear,
}

impl CpuModel {
    /// The network with these weights.
    pub(crate) fn new(weights: &Weights) -> Self {
        let width = weights.size.width;
        let mut squares = vec![0.0; width * SQUARES];
        for (channel, numbers) in weights.squares.chunks_exact(SQUARES).enumerate() {
            numbers
                .iter()
                .enumerate()
                .for_each(|(square, number)| squares[square * width + channel] = *number);
        }
        let block = |block: &weights::Block| Block {
            first: Convolution::new(&block.first),
            second: Convolution::new(&block.second),
            squeeze: block.squeeze.clone(),
            excite: block.excite.clone(),
        };
        Self {
            begin: Convolution::new(&weights.begin),
            squares,
            blocks: weights.blocks.iter().map(block).collect(),
            narrow: weights.narrow.clone(),
            gather: weights.gather.clone(),
            value: weights.value.clone(),
            source: weights.source.clone(),
            target: weights.target.clone(),
            width,
        }
    }

    /// The number of positions that are evaluated at once.
    pub(crate) fn threads() -> usize {
        thread::available_parallelism().map_or(1, NonZeroUsize::get)
    }

    /// Evaluates positions.
    pub(crate) fn evaluate(&self, positions: &[Encoded]) -> Vec<Raw> {
        let each = positions.len().div_ceil(Self::threads()).max(1);
        if positions.len() <= each {
            return positions.iter().map(|position| self.forward(position)).collect();
        }
        thread::scope(|scope| {
            let run = |part: &[Encoded]| part.iter().map(|one| self.forward(one)).collect::<Vec<_>>();
            let parts: Vec<_> = positions.chunks(each).map(|part| scope.spawn(move || run(part))).collect();
            parts.into_iter().flat_map(|part| part.join().expect("no loop here panics")).collect()
        })
    }

    fn forward(&self, position: &Encoded) -> Raw {
        let width = self.width;
        let mut planes = Board::new(PLANES);
        for (plane, numbers) in position.planes().chunks_exact(SQUARES).enumerate() {
            numbers
                .iter()
                .enumerate()
                .for_each(|(square, number)| planes.square_mut(square)[plane] = *number);
        }
        let (mut x, mut y, mut z) = (Board::new(width), Board::new(width), Board::new(width));
        self.begin.apply(&planes, &mut x);
        for (square, numbers) in self.squares.chunks_exact(width).enumerate() {
            let sums = x.square_mut(square).iter_mut().zip(numbers);
            sums.for_each(|(sum, number)| *sum = (*sum + number).max(0.0));
        }
        for block in &self.blocks {
            block.first.apply(&x, &mut y);
            y.clip();
            block.second.apply(&y, &mut z);
            block.add_excited(&mut x, &z);
        }
        let of_squares = |layer: &weights::Linear| -> Vec<f32> {
            (0..SQUARES).flat_map(|square| linear(layer, x.square(square))).collect()
        };
        let narrow = clipped(of_squares(&self.narrow));
        debug_assert_eq!(narrow.len(), NARROW * SQUARES);
        let values = linear(&self.value, &clipped(linear(&self.gather, &narrow)));
        let (source, target) = (of_squares(&self.source), of_squares(&self.target));
        let logit = |output: &u16| {
            debug_assert!(usize::from(*output) < PAIRS);
            let (from, to) = (usize::from(*output) / SQUARES, usize::from(*output) % SQUARES);
            let pairs = source[from * POLICY_WIDTH..].iter().zip(&target[to * POLICY_WIDTH..]);
            pairs.take(POLICY_WIDTH).map(|(one, other)| one * other).sum()
        };
        Raw {
            values: std::array::from_fn(|at| values[at]),
            logits: position.outputs.iter().map(logit).collect(),
        }
    }
}

impl Block {
    /// Squeeze and excitation of `y`, added to `x`.
    fn add_excited(&self, x: &mut Board, y: &Board) {
        let width = y.channels;
        let mut means = vec![0.0; width];
        for square in 0..SQUARES {
            means.iter_mut().zip(y.square(square)).for_each(|(mean, number)| *mean += number);
        }
        means.iter_mut().for_each(|mean| *mean /= SQUARES as f32);
        let excited = linear(&self.excite, &clipped(linear(&self.squeeze, &means)));
        let (weights, shifts) = excited.split_at(width);
        let weights: Vec<f32> = weights.iter().map(|weight| 1.0 / (1.0 + (-weight).exp())).collect();
        for square in 0..SQUARES {
            let numbers = y.square(square).iter().zip(&weights).zip(shifts);
            for (sum, ((number, weight), shift)) in x.square_mut(square).iter_mut().zip(numbers) {
                *sum = (*sum + number * weight + shift).max(0.0);
            }
        }
    }
}

/// Numbers for each square, those of a square side by side, with a border of zeros.
#[derive(Clone, Debug)]
struct Board {
    numbers: Vec<f32>,
    channels: usize,
}

impl Board {
    fn new(channels: usize) -> Self {
        Self { numbers: vec![0.0; PADDED * PADDED * channels], channels }
    }

    /// Where the numbers of a square begin.
    fn start(&self, square: usize) -> usize {
        ((square / RANK + 1) * PADDED + square % RANK + 1) * self.channels
    }

    fn square(&self, square: usize) -> &[f32] {
        &self.numbers[self.start(square)..][..self.channels]
    }

    fn square_mut(&mut self, square: usize) -> &mut [f32] {
        let start = self.start(square);
        &mut self.numbers[start..][..self.channels]
    }

    /// ReLU.
    fn clip(&mut self) {
        self.numbers.iter_mut().for_each(|number| *number = number.max(0.0));
    }
}

/// A convolution of 3 x 3, its weights in the order in which they are read: groups of output channels, then the nine
/// neighbours, then input channels.
#[derive(Debug)]
struct Convolution {
    weights: Vec<[f32; LANES]>,
    bias: Vec<[f32; LANES]>,
    inputs: usize,
    outputs: usize,
}

impl Convolution {
    fn new(from: &weights::Convolution) -> Self {
        let (inputs, outputs) = (from.inputs, from.bias.len());
        let groups = outputs.div_ceil(LANES);
        let mut weights = vec![[0.0; LANES]; groups * 9 * inputs];
        for (at, weight) in from.weight.iter().enumerate() {
            let (tap, input, output) = (at % 9, at / 9 % inputs, at / 9 / inputs);
            weights[(output / LANES * 9 + tap) * inputs + input][output % LANES] = *weight;
        }
        let mut bias = vec![[0.0; LANES]; groups];
        from.bias
            .iter()
            .enumerate()
            .for_each(|(output, number)| bias[output / LANES][output % LANES] = *number);
        Self { weights, bias, inputs, outputs }
    }

    fn apply(&self, from: &Board, to: &mut Board) {
        for (group, bias) in self.bias.iter().enumerate() {
            let weights = &self.weights[group * 9 * self.inputs..][..9 * self.inputs];
            let first = group * LANES;
            let count = LANES.min(self.outputs - first);
            for rank in 0..RANK {
                let sums = self.rank(from, weights, bias, rank);
                for (file, sums) in sums.iter().enumerate() {
                    to.square_mut(rank * RANK + file)[first..first + count].copy_from_slice(&sums[..count]);
                }
            }
        }
    }

    /// A group of output channels on the squares of a rank.
    fn rank(
        &self,
        from: &Board,
        weights: &[[f32; LANES]],
        bias: &[f32; LANES],
        rank: usize,
    ) -> [[f32; LANES]; RANK] {
        let mut sums = [*bias; RANK];
        for (tap, weights) in weights.chunks_exact(self.inputs).enumerate() {
            let start = ((rank + tap / 3) * PADDED + tap % 3) * self.inputs;
            let rows: [&[f32]; RANK] =
                std::array::from_fn(|file| &from.numbers[start + file * self.inputs..][..self.inputs]);
            for (input, weights) in weights.iter().enumerate() {
                for (sums, row) in sums.iter_mut().zip(rows) {
                    let number = row[input];
                    sums.iter_mut()
                        .zip(weights)
                        .for_each(|(sum, weight)| *sum = add_product(*sum, number, *weight));
                }
            }
        }
        sums
    }
}

/// A linear layer.
fn linear(layer: &weights::Linear, inputs: &[f32]) -> Vec<f32> {
    let mut sums = layer.bias.clone();
    for (number, row) in inputs.iter().zip(layer.weight.chunks_exact(layer.bias.len())) {
        // Half of what comes from a ReLU is zero.
        if *number != 0.0 {
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum = add_product(*sum, *number, *weight));
        }
    }
    sums
}

fn clipped(mut numbers: Vec<f32>) -> Vec<f32> {
    numbers.iter_mut().for_each(|number| *number = number.max(0.0));
    numbers
}

/// A multiplication and an addition, in one instruction where the processor has it.
fn add_product(sum: f32, one: f32, other: f32) -> f32 {
    if cfg!(target_feature = "fma") { one.mul_add(other, sum) } else { sum + one * other }
}
