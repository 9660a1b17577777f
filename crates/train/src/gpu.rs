//! The first layer on a GPU: a block of threads for each perspective of a position, a thread for each number of the layer.

use burn::backend::Autodiff;
use burn::tensor::{Int, Shape, Tensor, TensorPrimitive};
use burn_cubecl::CubeBackend;
use burn_cubecl::kernel::into_contiguous;
use burn_cubecl::ops::numeric::{empty_device_dtype, zeros_client};
use cubecl::cuda::CudaRuntime;
use cubecl::prelude::*;
use rukh_eval::nnue::arch::MAX_PIECES;

use crate::model::{Inputs, Learn, Weights};
use crate::rows::Rows;

/// A GPU of NVIDIA.
pub type Gpu = CubeBackend<CudaRuntime, f32, i32, u8>;

impl Learn for Gpu {
    fn forward(weights: &Weights<Self>, inputs: &Inputs<Self>) -> Tensor<Self, 2> {
        weights.forward_by_rows(inputs)
    }

    fn slope(weights: &Weights<Self>, inputs: &Inputs<Self>) -> (Tensor<Self, 1>, Weights<Self>) {
        weights.slope_by_rows::<Autodiff<Self>>(inputs)
    }
}

impl Rows for Gpu {
    fn sum_rows(weights: Tensor<Self, 2>, places: Tensor<Self, 2, Int>) -> Tensor<Self, 2> {
        let ([_, width], [count, _]) = (weights.dims(), places.dims());
        let weights = into_contiguous(weights.into_primitive().tensor());
        let places = into_contiguous(places.into_primitive());
        let sums = empty_device_dtype(
            weights.client.clone(),
            weights.device.clone(),
            Shape::from([count, width]),
            weights.dtype,
        );
        sum_up::launch::<CudaRuntime>(
            &weights.client.clone(),
            CubeCount::new_1d(count as u32),
            block(width),
            weights.into_array_arg(),
            places.into_array_arg(),
            sums.clone().into_array_arg(),
            width,
        );
        Tensor::from_primitive(TensorPrimitive::Float(sums))
    }

    fn spread_rows(slopes: Tensor<Self, 2>, places: Tensor<Self, 2, Int>, height: usize) -> Tensor<Self, 2> {
        let [count, width] = slopes.dims();
        let slopes = into_contiguous(slopes.into_primitive().tensor());
        let places = into_contiguous(places.into_primitive());
        let spread = zeros_client(
            slopes.client.clone(),
            slopes.device.clone(),
            Shape::from([height, width]),
            slopes.dtype,
        );
        spread_out::launch::<CudaRuntime>(
            &slopes.client.clone(),
            CubeCount::new_1d(count as u32),
            block(width),
            slopes.into_array_arg(),
            places.into_array_arg(),
            spread.clone().into_array_arg(),
            width,
        );
        Tensor::from_primitive(TensorPrimitive::Float(spread))
    }
}

/// A thread for each number, as far as a block may have so many.
fn block(width: usize) -> CubeDim {
    const MOST: usize = 1_024;
    CubeDim::new_1d(width.min(MOST) as u32)
}

#[cube(launch)]
fn sum_up(weights: &Array<f32>, places: &Array<i32>, sums: &mut Array<f32>, #[comptime] width: usize) {
    let row = CUBE_POS_X as usize;
    let mut column = UNIT_POS_X as usize;
    while column < width {
        let mut sum = 0.0f32;
        for at in 0..MAX_PIECES {
            let place = places[row * MAX_PIECES + at];
            if place >= 0 {
                sum += weights[place as usize * width + column];
            }
        }
        sums[row * width + column] = sum;
        column += CUBE_DIM_X as usize;
    }
}

#[cube(launch)]
fn spread_out(
    slopes: &Array<f32>,
    places: &Array<i32>,
    spread: &mut Array<Atomic<f32>>,
    #[comptime] width: usize,
) {
    let row = CUBE_POS_X as usize;
    let mut column = UNIT_POS_X as usize;
    while column < width {
        let slope = slopes[row * width + column];
        // Many numbers are clipped: nothing flows through them.
        if slope != 0.0 {
            for at in 0..MAX_PIECES {
                let place = places[row * MAX_PIECES + at];
                if place >= 0 {
                    spread[place as usize * width + column].fetch_add(slope);
                }
            }
        }
        column += CUBE_DIM_X as usize;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Needs a GPU, as all of this does.
    #[test]
    fn rows_are_summed_up_and_spread() {
        crate::rows::tests::sums_and_spreads::<Gpu>();
    }
}
