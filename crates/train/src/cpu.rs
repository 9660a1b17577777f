//! The first layer on a CPU, in so many words.

use burn::backend::{Autodiff, Flex};
use burn::tensor::backend::Backend;
use burn::tensor::{Int, Tensor, TensorData};
use rukh_eval::nnue::arch::MEN_MAX;

use crate::model::{Inputs, Learn, Weights};
use crate::rows::Rows;
use crate::sample::NOBODY;

impl Learn for Flex {
    fn forward(weights: &Weights<Self>, inputs: &Inputs<Self>) -> Tensor<Self, 2> {
        weights.forward_by_rows(inputs)
    }

    fn slope(weights: &Weights<Self>, inputs: &Inputs<Self>) -> (Tensor<Self, 1>, Weights<Self>) {
        weights.slope_by_rows::<Autodiff<Self>>(inputs)
    }
}

impl Rows for Flex {
    fn sum_rows(weights: Tensor<Self, 2>, places: Tensor<Self, 2, Int>) -> Tensor<Self, 2> {
        let ([_, width], [count, _]) = (weights.dims(), places.dims());
        let (device, weights) = (weights.device(), numbers(weights));
        let mut sums = vec![0.0; count * width];
        for (sum, row) in pairs(places) {
            (0..width).for_each(|at| sums[sum * width + at] += weights[row * width + at]);
        }
        Tensor::from_data(TensorData::new(sums, [count, width]), &device)
    }

    fn spread_rows(slopes: Tensor<Self, 2>, places: Tensor<Self, 2, Int>, height: usize) -> Tensor<Self, 2> {
        let [_, width] = slopes.dims();
        let (device, slopes) = (slopes.device(), numbers(slopes));
        let mut spread = vec![0.0; height * width];
        for (slope, row) in pairs(places) {
            (0..width).for_each(|at| spread[row * width + at] += slopes[slope * width + at]);
        }
        Tensor::from_data(TensorData::new(spread, [height, width]), &device)
    }
}

fn numbers<B: Backend>(tensor: Tensor<B, 2>) -> Vec<f32> {
    tensor.into_data().iter::<f32>().collect()
}

/// Each row of places with each place that it names.
fn pairs(places: Tensor<Flex, 2, Int>) -> Vec<(usize, usize)> {
    let places = places.into_data();
    let named = places.iter::<i32>().enumerate().filter(|(_, place)| *place != NOBODY);
    named.map(|(at, place)| (at / MEN_MAX, place as usize)).collect()
}
