//! The feature transformer on a GPU: a block of threads for each perspective, a thread for each neuron.

use burn::backend::Autodiff;
use burn::tensor::{Int, Shape, Tensor, TensorPrimitive};
use burn_cubecl::CubeBackend;
use burn_cubecl::kernel::into_contiguous;
use burn_cubecl::ops::numeric::{empty_device_dtype, zeros_client};
use cubecl::cuda::CudaRuntime;
use cubecl::prelude::*;
use rukh_eval::nnue::features::MAX_PIECES;

use crate::model::{Inputs, TrainingBackend, Weights};
use crate::sparse::SparseBackend;

/// The backend for NVIDIA GPUs.
pub type Gpu = CubeBackend<CudaRuntime, f32, i32, u8>;

impl TrainingBackend for Gpu {
    fn forward(weights: &Weights<Self>, inputs: &Inputs<Self>) -> Tensor<Self, 2> {
        weights.forward_by_autodiff(inputs)
    }

    fn gradients(weights: &Weights<Self>, inputs: &Inputs<Self>) -> (Tensor<Self, 1>, Weights<Self>) {
        weights.gradients_by_autodiff::<Autodiff<Self>>(inputs)
    }
}

impl SparseBackend for Gpu {
    fn gather_sum(weights: Tensor<Self, 2>, features: Tensor<Self, 2, Int>) -> Tensor<Self, 2> {
        let ([_, width], [count, _]) = (weights.dims(), features.dims());
        let weights = into_contiguous(weights.into_primitive().tensor());
        let features = into_contiguous(features.into_primitive());
        let sums = empty_device_dtype(
            weights.client.clone(),
            weights.device.clone(),
            Shape::from([count, width]),
            weights.dtype,
        );
        gather_sum::launch::<CudaRuntime>(
            &weights.client.clone(),
            CubeCount::new_1d(count as u32),
            block(width),
            weights.into_array_arg(),
            features.into_array_arg(),
            sums.clone().into_array_arg(),
            width,
        );
        Tensor::from_primitive(TensorPrimitive::Float(sums))
    }

    fn scatter_add(
        gradients: Tensor<Self, 2>,
        features: Tensor<Self, 2, Int>,
        height: usize,
    ) -> Tensor<Self, 2> {
        let [count, width] = gradients.dims();
        let gradients = into_contiguous(gradients.into_primitive().tensor());
        let features = into_contiguous(features.into_primitive());
        let sums = zeros_client(
            gradients.client.clone(),
            gradients.device.clone(),
            Shape::from([height, width]),
            gradients.dtype,
        );
        scatter_add::launch::<CudaRuntime>(
            &gradients.client.clone(),
            CubeCount::new_1d(count as u32),
            block(width),
            gradients.into_array_arg(),
            features.into_array_arg(),
            sums.clone().into_array_arg(),
            width,
        );
        Tensor::from_primitive(TensorPrimitive::Float(sums))
    }
}

/// A thread for each neuron, up to the size of a block.
fn block(width: usize) -> CubeDim {
    const MOST: usize = 1_024;
    CubeDim::new_1d(width.min(MOST) as u32)
}

#[cube(launch)]
fn gather_sum(weights: &Array<f32>, features: &Array<i32>, sums: &mut Array<f32>, #[comptime] width: usize) {
    let row = CUBE_POS_X as usize;
    let mut column = UNIT_POS_X as usize;
    while column < width {
        let mut sum = 0.0f32;
        for at in 0..MAX_PIECES {
            let feature = features[row * MAX_PIECES + at];
            if feature >= 0 {
                sum += weights[feature as usize * width + column];
            }
        }
        sums[row * width + column] = sum;
        column += CUBE_DIM_X as usize;
    }
}

#[cube(launch)]
fn scatter_add(
    gradients: &Array<f32>,
    features: &Array<i32>,
    sums: &mut Array<Atomic<f32>>,
    #[comptime] width: usize,
) {
    let row = CUBE_POS_X as usize;
    let mut column = UNIT_POS_X as usize;
    while column < width {
        let gradient = gradients[row * width + column];
        // Many neurons are clipped and have no gradient.
        if gradient != 0.0 {
            for at in 0..MAX_PIECES {
                let feature = features[row * MAX_PIECES + at];
                if feature >= 0 {
                    sums[feature as usize * width + column].fetch_add(gradient);
                }
            }
        }
        column += CUBE_DIM_X as usize;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Needs a GPU.
    #[test]
    fn rows_are_gathered_and_scattered() {
        crate::sparse::tests::gathers_and_scatters::<Gpu>();
    }
}
