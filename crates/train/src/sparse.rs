//! The first layer: of its many inputs few are on, so it is a sum of a few rows of weights.
//!
//! Written as a product with a table of zeros and ones it would be 25 times the work. A GPU has these two functions as kernels,
//! and autodiff does the rest; a CPU has [loops of its own](crate::cpu).

use burn::tensor::backend::Backend;
use burn::tensor::{Int, Tensor};

/// A backend that can sum up rows.
pub trait Rows: Backend {
    /// For each row of `places` the sum of the rows of `weights` that it names.
    fn sum_rows(weights: Tensor<Self, 2>, places: Tensor<Self, 2, Int>) -> Tensor<Self, 2>;

    /// The other way round: a table of `height` rows in which each is the sum of the rows of `slopes` whose places name it.
    fn spread_rows(slopes: Tensor<Self, 2>, places: Tensor<Self, 2, Int>, height: usize) -> Tensor<Self, 2>;
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::sample::NOBODY;
    use burn::backend::Flex;
    use burn::tensor::TensorData;
    use rukh_eval::nnue::arch::MAX_PIECES;

    /// In so many words, for the tests: on a CPU nothing else asks for it.
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

        fn spread_rows(
            slopes: Tensor<Self, 2>,
            places: Tensor<Self, 2, Int>,
            height: usize,
        ) -> Tensor<Self, 2> {
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
        named.map(|(at, place)| (at / MAX_PIECES, place as usize)).collect()
    }

    /// What every backend must do.
    pub(crate) fn sums_and_spreads<B: Rows>() {
        let device = Default::default();
        let table = |numbers: &[f32], shape: [usize; 2]| {
            Tensor::<B, 2>::from_data(TensorData::new(numbers.to_vec(), shape), &device)
        };
        let mut named = [[NOBODY; MAX_PIECES]; 3];
        named[0][..2].copy_from_slice(&[2, 0]);
        named[2][..3].copy_from_slice(&[1, 2, 3]);
        let places = TensorData::new(named.concat(), [3, MAX_PIECES]);
        let places = Tensor::<B, 2, Int>::from_data(places, &device);
        let weights = table(&[1.0, 10.0, 2.0, 20.0, 4.0, 40.0, 8.0, 80.0], [4, 2]);
        let sums = B::sum_rows(weights, places.clone());
        assert_eq!(numbers(sums), [5.0, 50.0, 0.0, 0.0, 14.0, 140.0]);
        let slopes = table(&[1.0, 0.5, 100.0, 100.0, 3.0, 7.0], [3, 2]);
        let spread = B::spread_rows(slopes, places, 4);
        assert_eq!(numbers(spread), [1.0, 0.5, 3.0, 7.0, 4.0, 7.5, 3.0, 7.0]);
    }

    #[test]
    fn rows_are_summed_up_and_spread() {
        sums_and_spreads::<Flex>();
    }
}
