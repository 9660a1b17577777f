//! AdamW, with weights kept within what whole numbers can hold.

use burn::tensor::backend::Backend;
use burn::tensor::{Tensor, TensorData};

use rukh_eval::nnue::arch::QB;
use rukh_eval::nnue::simd::WEIGHT_MAX;

use crate::model::{SHAPES, Weights};

/// What is cached of the slopes. All weights are one row here: a GPU is told as much for a few as for many.
#[derive(Clone, Debug)]
pub struct Adam<B: Backend> {
    first: Tensor<B, 1>,
    second: Tensor<B, 1>,
    steps: u64,
    /// No weight is greater.
    greatest: Tensor<B, 1>,
}

const FIRST_DECAY: f32 = 0.9;
const SECOND_DECAY: f32 = 0.999;
const TINY: f32 = 1e-8;
const WEIGHT_DECAY: f32 = 0.01;
/// The greatest weights of each part: those of the outputs must fit in eight bits with their sign, and sums of the others in
/// sixteen.
const GREATEST: [f32; SHAPES.len()] = [1.98, 1.98, WEIGHT_MAX as f32 / QB as f32, f32::MAX];

impl<B: Backend> Adam<B> {
    /// Nothing is cached yet.
    pub fn new(device: &B::Device) -> Self {
        let zeros = || SHAPES.map(|[rows, columns]| vec![0.0; rows * columns]);
        Self::from_numbers(0, zeros(), zeros(), device)
    }

    /// Moves the weights down their slopes.
    pub fn step(&mut self, weights: Tensor<B, 1>, slopes: Tensor<B, 1>, rate: f64) -> Tensor<B, 1> {
        self.steps += 1;
        let steps = self.steps.min(i32::MAX as u64) as i32;
        // The means begin at zero: early on they are too small by this.
        let first_part = 1.0 - FIRST_DECAY.powi(steps);
        let second_part = 1.0 - SECOND_DECAY.powi(steps);
        let rate = rate as f32;
        self.first = self.first.clone() * FIRST_DECAY + slopes.clone() * (1.0 - FIRST_DECAY);
        self.second = self.second.clone() * SECOND_DECAY + slopes.clone() * slopes * (1.0 - SECOND_DECAY);
        let step = self.first.clone() / first_part / ((self.second.clone() / second_part).sqrt() + TINY);
        let moved = weights * (1.0 - rate * WEIGHT_DECAY) - step * rate;
        moved.min_pair(self.greatest.clone()).max_pair(self.greatest.clone().neg())
    }

    /// All that is cached, as numbers.
    pub fn to_numbers(&self) -> (u64, [Vec<f32>; 4], [Vec<f32>; 4]) {
        let numbers = |row| Weights::from_row(row).to_numbers();
        (self.steps, numbers(&self.first), numbers(&self.second))
    }

    /// What [`Self::to_numbers`] gave.
    pub fn from_numbers(steps: u64, first: [Vec<f32>; 4], second: [Vec<f32>; 4], device: &B::Device) -> Self {
        let row = |numbers| Weights::from_numbers(numbers, device).to_row();
        let greatest =
            SHAPES.iter().zip(GREATEST).flat_map(|([rows, columns], most)| vec![most; rows * columns]);
        let greatest: Vec<f32> = greatest.collect();
        let count = greatest.len();
        Self {
            first: row(first),
            second: row(second),
            steps,
            greatest: Tensor::from_data(TensorData::new(greatest, [count]), device),
        }
    }
}
