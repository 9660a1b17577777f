//! The first layer: of its many inputs few are on, so it is a sum of a few rows of weights.
//!
//! Written as a product with a table of zeros and ones it would be 25 times the work. These two functions are all that is not
//! written once for every backend.

use std::thread;

use burn::backend::Flex;
use burn::tensor::backend::Backend;
use burn::tensor::{Int, Tensor, TensorData};
use rukh_eval::nnue::arch::MEN_MAX;

use crate::sample::NOBODY;

/// A backend that can sum up rows.
pub trait Rows: Backend {
    /// For each row of `places` the sum of the rows of `weights` that it names.
    fn sum_rows(weights: Tensor<Self, 2>, places: Tensor<Self, 2, Int>) -> Tensor<Self, 2>;

    /// The other way round: a table of `height` rows in which each is the sum of the rows of `slopes` whose places name it.
    fn spread_rows(slopes: Tensor<Self, 2>, places: Tensor<Self, 2, Int>, height: usize) -> Tensor<Self, 2>;
}

impl Rows for Flex {
    fn sum_rows(weights: Tensor<Self, 2>, places: Tensor<Self, 2, Int>) -> Tensor<Self, 2> {
        let ([_, width], [count, _]) = (weights.dims(), places.dims());
        let device = weights.device();
        let (weights, places) = (floats(weights), named(places));
        let mut sums = vec![0.0; count * width];
        let rows = count.div_ceil(threads());
        thread::scope(|scope| {
            for (sums, places) in sums.chunks_mut(rows * width).zip(places.chunks(rows * MEN_MAX)) {
                let weights = &weights;
                scope.spawn(move || {
                    for (sum, places) in sums.chunks_mut(width).zip(places.chunks(MEN_MAX)) {
                        for row in places.iter().map_while(|place| *place) {
                            add(sum, &weights[row * width..][..width]);
                        }
                    }
                });
            }
        });
        Tensor::from_data(TensorData::new(sums, [count, width]), &device)
    }

    fn spread_rows(slopes: Tensor<Self, 2>, places: Tensor<Self, 2, Int>, height: usize) -> Tensor<Self, 2> {
        let [_, width] = slopes.dims();
        let device = slopes.device();
        let (slopes, places) = (floats(slopes), named(places));
        // Each thread has some columns of all rows: no two of them add to the same number, and the order is always the same.
        let columns = width.div_ceil(threads());
        let parts: Vec<Vec<f32>> = thread::scope(|scope| {
            let workers: Vec<_> = (0..width)
                .step_by(columns)
                .map(|first| {
                    let (slopes, places) = (&slopes, &places);
                    scope.spawn(move || {
                        let part = columns.min(width - first);
                        let mut spread = vec![0.0; height * part];
                        for (slope, places) in slopes.chunks(width).zip(places.chunks(MEN_MAX)) {
                            for row in places.iter().map_while(|place| *place) {
                                add(&mut spread[row * part..][..part], &slope[first..][..part]);
                            }
                        }
                        spread
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().expect("sums are made without fail")).collect()
        });
        let parts = parts.into_iter().map(|part| {
            let columns = part.len() / height;
            Tensor::from_data(TensorData::new(part, [height, columns]), &device)
        });
        Tensor::cat(parts.collect(), 1)
    }
}

fn add(to: &mut [f32], from: &[f32]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

fn floats(tensor: Tensor<Flex, 2>) -> Vec<f32> {
    tensor.into_data().into_vec().expect("the backend counts in these numbers")
}

/// The rows that are named; those of a position come first, then nobody.
fn named(places: Tensor<Flex, 2, Int>) -> Vec<Option<usize>> {
    places.into_data().iter::<i32>().map(|place| (place != NOBODY).then_some(place as usize)).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// What every backend must do.
    pub(crate) fn sums_and_spreads<B: Rows>() {
        let device = Default::default();
        let table = |numbers: &[f32], shape: [usize; 2]| {
            Tensor::<B, 2>::from_data(TensorData::new(numbers.to_vec(), shape), &device)
        };
        let numbers = |tensor: Tensor<B, 2>| tensor.into_data().iter::<f32>().collect::<Vec<_>>();
        let mut named = [[NOBODY; MEN_MAX]; 3];
        named[0][..2].copy_from_slice(&[2, 0]);
        named[2][..3].copy_from_slice(&[1, 2, 3]);
        let places = TensorData::new(named.concat(), [3, MEN_MAX]);
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
