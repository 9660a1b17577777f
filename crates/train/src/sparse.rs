//! The sparse matrix products of the feature transformer: few features are active, so it is a sum of a few rows.
//!
//! As a dense product with zeros and ones it would be 25 times the work. A GPU has the two functions as kernels, and
//! automatic differentiation does the rest; a CPU has [loops of its own](crate::cpu).

use burn::backend::Flex;
use burn::tensor::backend::Backend;
use burn::tensor::{Int, Tensor, TensorData};
use rukh_eval::nnue::features::MAX_PIECES;

use crate::sample::NO_FEATURE;

/// A backend with kernels for sparse products.
pub trait SparseBackend: Backend {
    /// For each row of `features` the sum of the rows of `weights` that it lists.
    fn gather_sum(weights: Tensor<Self, 2>, features: Tensor<Self, 2, Int>) -> Tensor<Self, 2>;

    /// The transposed product: a matrix of `height` rows, each the sum of the rows of `gradients` whose features list it.
    fn scatter_add(
        gradients: Tensor<Self, 2>,
        features: Tensor<Self, 2, Int>,
        height: usize,
    ) -> Tensor<Self, 2>;
}

/// Plain loops: the reference for the kernels of a GPU, and for the gradients that [`crate::cpu`] finds by itself.
impl SparseBackend for Flex {
    fn gather_sum(weights: Tensor<Self, 2>, features: Tensor<Self, 2, Int>) -> Tensor<Self, 2> {
        let ([_, width], [count, _]) = (weights.dims(), features.dims());
        let (device, weights) = (weights.device(), numbers(weights));
        let mut sums = vec![0.0; count * width];
        for (sum, row) in pairs(features) {
            (0..width).for_each(|at| sums[sum * width + at] += weights[row * width + at]);
        }
        Tensor::from_data(TensorData::new(sums, [count, width]), &device)
    }

    fn scatter_add(
        gradients: Tensor<Self, 2>,
        features: Tensor<Self, 2, Int>,
        height: usize,
    ) -> Tensor<Self, 2> {
        let [_, width] = gradients.dims();
        let (device, gradients) = (gradients.device(), numbers(gradients));
        let mut sums = vec![0.0; height * width];
        for (gradient, row) in pairs(features) {
            (0..width).for_each(|at| sums[row * width + at] += gradients[gradient * width + at]);
        }
        Tensor::from_data(TensorData::new(sums, [height, width]), &device)
    }
}

fn numbers<B: Backend>(tensor: Tensor<B, 2>) -> Vec<f32> {
    tensor.into_data().iter::<f32>().collect()
}

/// Each row of features with each feature that it lists.
fn pairs(features: Tensor<Flex, 2, Int>) -> Vec<(usize, usize)> {
    let features = features.into_data();
    let active = features.iter::<i32>().enumerate().filter(|(_, feature)| *feature != NO_FEATURE);
    active.map(|(at, feature)| (at / MAX_PIECES, feature as usize)).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// What every backend must do.
    pub(crate) fn gathers_and_scatters<B: SparseBackend>() {
        let device = Default::default();
        let matrix = |numbers: &[f32], shape: [usize; 2]| {
            Tensor::<B, 2>::from_data(TensorData::new(numbers.to_vec(), shape), &device)
        };
        let mut listed = [[NO_FEATURE; MAX_PIECES]; 3];
        listed[0][..2].copy_from_slice(&[2, 0]);
        listed[2][..3].copy_from_slice(&[1, 2, 3]);
        let features = TensorData::new(listed.concat(), [3, MAX_PIECES]);
        let features = Tensor::<B, 2, Int>::from_data(features, &device);
        let weights = matrix(&[1.0, 10.0, 2.0, 20.0, 4.0, 40.0, 8.0, 80.0], [4, 2]);
        let sums = B::gather_sum(weights, features.clone());
        assert_eq!(numbers(sums), [5.0, 50.0, 0.0, 0.0, 14.0, 140.0]);
        let gradients = matrix(&[1.0, 0.5, 100.0, 100.0, 3.0, 7.0], [3, 2]);
        let scattered = B::scatter_add(gradients, features, 4);
        assert_eq!(numbers(scattered), [1.0, 0.5, 3.0, 7.0, 4.0, 7.5, 3.0, 7.0]);
    }

    #[test]
    fn rows_are_gathered_and_scattered() {
        gathers_and_scatters::<Flex>();
    }
}
