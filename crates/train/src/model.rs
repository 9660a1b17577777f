//! The network in floating point: its parameters as tensors, its loss, and its gradients by automatic differentiation.
//!
//! It follows the architecture layer by layer and knows nothing of chess.

use burn::tensor::activation::sigmoid;
use burn::tensor::backend::{AutodiffBackend, Backend};
use burn::tensor::{Int, Tensor, TensorData};
use rukh_eval::nnue::features::{MAX_PIECES, PIECE_SQUARES};
use rukh_eval::nnue::{Activation, Architecture};

use crate::batch::Batch;
use crate::parameters::{self, Numbers, has_factoriser};
use crate::sparse::SparseBackend;

/// The [parts](parameters::Part) of the parameters on a device.
#[derive(Clone, Debug)]
pub struct Weights<B: Backend> {
    architecture: Architecture,
    parts: Vec<Tensor<B, 2>>,
}

impl<B: Backend> Weights<B> {
    /// Small random weights.
    pub fn random(architecture: Architecture, seed: u64, device: &B::Device) -> Self {
        Self::from_numbers(architecture, parameters::random(&architecture, seed), device)
    }

    /// Weights of these numbers.
    pub fn from_numbers(architecture: Architecture, numbers: Numbers, device: &B::Device) -> Self {
        let tensor = |(numbers, part): (Vec<f32>, parameters::Part)| {
            Tensor::from_data(TensorData::new(numbers, part.shape), device)
        };
        let parts = numbers.into_iter().zip(parameters::parts(&architecture)).map(tensor).collect();
        Self { architecture, parts }
    }

    /// Their numbers.
    pub fn to_numbers(&self) -> Numbers {
        self.parts.iter().map(|tensor| tensor.to_data().iter::<f32>().collect()).collect()
    }

    /// All of them in one vector.
    pub fn to_vector(&self) -> Tensor<B, 1> {
        Tensor::cat(self.parts.iter().map(|tensor| tensor.clone().flatten(0, 1)).collect(), 0)
    }

    /// The weights that [`Self::to_vector`] gave.
    pub fn from_vector(architecture: Architecture, vector: &Tensor<B, 1>) -> Self {
        let mut start = 0;
        let part = |part: &parameters::Part| {
            let range = start..start + part.len();
            start = range.end;
            vector.clone().slice([range]).reshape(part.shape)
        };
        Self { architecture, parts: parameters::parts(&architecture).iter().map(part).collect() }
    }

    /// The weights as the quantised network will have them. Weights of king buckets are rounded together with the factoriser,
    /// which is added to them.
    #[must_use]
    pub fn rounded(&self) -> Self {
        let layouts = parameters::parts(&self.architecture);
        let round = |weights: Tensor<B, 2>, one: f32| (weights * one).round() / one;
        let mut parts: Vec<_> =
            self.parts.iter().zip(&layouts).map(|(weights, part)| round(weights.clone(), part.one)).collect();
        if has_factoriser(&self.architecture) {
            // The rounded sum less the factoriser, which is not rounded.
            let last = parts.len() - 1;
            parts[last] = self.parts[last].clone();
            let merged = self.merged_features();
            parts[0] = self.parts[0].clone() + (round(merged.clone(), layouts[0].one) - merged);
        }
        Self { architecture: self.architecture, parts }
    }

    /// The weights of the feature transformer with the factoriser added.
    fn merged_features(&self) -> Tensor<B, 2> {
        let features = self.parts[0].clone();
        if !has_factoriser(&self.architecture) {
            return features;
        }
        let [height, width] = features.dims();
        let buckets = features.reshape([height / PIECE_SQUARES, PIECE_SQUARES, width]);
        let factoriser = self.parts[self.parts.len() - 1].clone();
        (buckets + factoriser.reshape([1, PIECE_SQUARES, width])).reshape([height, width])
    }

    /// The architecture.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }
}

/// A backend that can train the network.
pub trait TrainingBackend: Backend {
    /// The output of the network for each sample, before the logistic function.
    fn forward(weights: &Weights<Self>, inputs: &Inputs<Self>) -> Tensor<Self, 2>;

    /// The mean squared error of the win probabilities, and for each weight the gradient of it and of the L1 penalty.
    fn gradients(weights: &Weights<Self>, inputs: &Inputs<Self>) -> (Tensor<Self, 1>, Weights<Self>);
}

impl<B: TrainingBackend> Weights<B> {
    /// The mean squared error of the win probabilities.
    pub fn loss(&self, inputs: &Inputs<B>) -> Tensor<B, 1> {
        error(B::forward(self, inputs), inputs.targets.clone())
    }
}

/// Training with kernels for sparse products and automatic differentiation.
impl<B: SparseBackend> Weights<B> {
    /// The output of the network for each sample, before the logistic function.
    pub fn forward_by_autodiff(&self, inputs: &Inputs<B>) -> Tensor<B, 2> {
        let sums = B::gather_sum(self.merged_features(), inputs.features.clone()) + self.parts[1].clone();
        let activated = activate(self.architecture.transformer.activation, sums);
        forward(&self.architecture, activated, &self.parts[2..], &inputs.buckets)
    }

    /// The loss of a batch and its gradients. The feature transformer is outside of automatic differentiation: its
    /// gradients are those of the accumulators, scattered to the active features.
    pub fn gradients_by_autodiff<A>(&self, inputs: &Inputs<B>) -> (Tensor<B, 1>, Self)
    where
        A: AutodiffBackend<InnerBackend = B>,
    {
        let tracked = |tensor| Tensor::<A, 2>::from_inner(tensor).require_grad();
        let sums = tracked(B::gather_sum(self.merged_features(), inputs.features.clone()));
        let used = if has_factoriser(&self.architecture) { self.parts.len() - 1 } else { self.parts.len() };
        let rest: Vec<_> = self.parts[1..used].iter().cloned().map(tracked).collect();
        let activated = activate(self.architecture.transformer.activation, sums.clone() + rest[0].clone());
        let buckets = Tensor::from_inner(inputs.buckets.clone());
        let outputs = forward(&self.architecture, activated.clone(), &rest[1..], &buckets);
        let loss = error(outputs, Tensor::from_inner(inputs.targets.clone()));
        let gradients = (loss.clone() + activated.mean() * inputs.sparsity).backward();
        let of = |tensor: &Tensor<A, 2>| tensor.grad(&gradients).expect("the loss depends on every part");
        let height = self.architecture.inputs.features();
        let features = B::scatter_add(of(&sums), inputs.features.clone(), height);
        let factoriser = has_factoriser(&self.architecture).then(|| self.sum_of_buckets(features.clone()));
        let parts = [features].into_iter().chain(rest.iter().map(of)).chain(factoriser).collect();
        (loss.inner(), Self { architecture: self.architecture, parts })
    }

    fn sum_of_buckets(&self, features: Tensor<B, 2>) -> Tensor<B, 2> {
        let [height, width] = features.dims();
        let buckets = features.reshape([height / PIECE_SQUARES, PIECE_SQUARES, width]);
        buckets.sum_dim(0).reshape([PIECE_SQUARES, width])
    }
}

/// The dense layers: all activated perspectives of the sides to move, then all of the other sides.
fn forward<B: Backend>(
    architecture: &Architecture,
    activated: Tensor<B, 2>,
    parts: &[Tensor<B, 2>],
    buckets: &Tensor<B, 2, Int>,
) -> Tensor<B, 2> {
    let count = buckets.dims()[0];
    let mut numbers = activated;
    for (at, (layer, parts)) in architecture.dense.iter().zip(parts.chunks(2)).enumerate() {
        let [inputs, neurons] = parts[0].dims();
        let products = if at == 0 {
            // A sample has the same place in both halves of the batch: each half times its half of the weights.
            let weights = parts[0].clone().reshape([2, inputs / 2, neurons]);
            let halves = numbers.reshape([2, count, inputs / 2]).matmul(weights);
            halves.sum_dim(0).reshape([count, neurons])
        } else {
            numbers.matmul(parts[0].clone())
        };
        let all = products + parts[1].clone();
        numbers = activate(layer.activation, choose(all, buckets.clone(), layer.width));
    }
    numbers
}

/// Of the neurons of all output buckets, side by side, those of the bucket of each sample.
fn choose<B: Backend>(all: Tensor<B, 2>, buckets: Tensor<B, 2, Int>, width: usize) -> Tensor<B, 2> {
    if width == 1 {
        return all.gather(1, buckets);
    }
    let [count, neurons] = all.dims();
    let chosen = buckets.reshape([count, 1, 1]).repeat_dim(2, width);
    all.reshape([count, neurons / width, width]).gather(1, chosen).reshape([count, width])
}

/// The activations of `crates/eval/src/nnue/activation.rs`, in floating point.
fn activate<B: Backend>(activation: Activation, numbers: Tensor<B, 2>) -> Tensor<B, 2> {
    let [count, width] = numbers.dims();
    match activation {
        Activation::Linear => numbers,
        Activation::Crelu => numbers.clamp(0.0, 1.0),
        Activation::Screlu => {
            let clipped = numbers.clamp(0.0, 1.0);
            clipped.clone() * clipped
        }
        Activation::Pairwise => {
            let clipped = numbers.clamp(0.0, 1.0);
            clipped.clone().slice([0..count, 0..width / 2]) * clipped.slice([0..count, width / 2..width])
        }
    }
}

/// The mean squared error of the win probabilities.
fn error<B: Backend>(outputs: Tensor<B, 2>, targets: Tensor<B, 2>) -> Tensor<B, 1> {
    let error = sigmoid(outputs) - targets;
    (error.clone() * error).mean()
}

/// A batch on a device.
#[derive(Clone, Debug)]
pub struct Inputs<B: Backend> {
    pub(crate) features: Tensor<B, 2, Int>,
    pub(crate) buckets: Tensor<B, 2, Int>,
    pub(crate) targets: Tensor<B, 2>,
    /// The weight of the L1 penalty.
    pub(crate) sparsity: f32,
}

impl<B: Backend> Inputs<B> {
    /// Brings a batch to the device.
    pub fn new(batch: Batch, device: &B::Device) -> Self {
        let count = batch.len();
        Self {
            features: Tensor::from_data(TensorData::new(batch.features, [2 * count, MAX_PIECES]), device),
            buckets: Tensor::from_data(TensorData::new(batch.buckets, [count, 1]), device),
            targets: Tensor::from_data(TensorData::new(batch.targets, [count, 1]), device),
            sparsity: 0.0,
        }
    }

    /// The same batch with an L1 penalty: so many times the mean activation of the feature transformer is added to the loss of
    /// which the gradients are taken. It makes activations zero, which a kernel can skip.
    #[must_use]
    pub fn with_sparsity(self, sparsity: f32) -> Self {
        Self { sparsity, ..self }
    }
}
