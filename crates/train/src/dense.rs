//! Dense layers on a CPU: forward and backward for one sample at a time, in plain loops.
//!
//! It knows the layers above the feature transformer, not what feeds them.

use rukh_eval::nnue::{Activation, Architecture};

/// The dense layers, or their gradients.
#[derive(Clone, Debug)]
pub(crate) struct DenseLayers {
    /// The activation of the feature transformer.
    activation: Activation,
    layers: Vec<DenseLayer>,
}

/// One dense layer for all output buckets.
#[derive(Clone, Debug)]
struct DenseLayer {
    inputs: usize,
    width: usize,
    activation: Activation,
    /// Output bucket by output bucket, neuron by neuron.
    weights: Vec<f32>,
    bias: Vec<f32>,
}

/// The numbers of one sample on its way up, and the gradients on the way down.
#[derive(Clone, Debug)]
pub(crate) struct Scratch {
    /// The inputs of each layer, then those of none: they are activations of what is below.
    activated: Vec<Vec<f32>>,
    /// The sums of each layer before the activation.
    sums: Vec<Vec<f32>>,
    gradients: Vec<f32>,
}

impl DenseLayers {
    /// Layers of zeros.
    pub(crate) fn zero(architecture: &Architecture) -> Self {
        let layer = |(at, layer): (usize, &rukh_eval::nnue::description::Layer)| {
            let (inputs, neurons) = (architecture.inputs_of(at), architecture.output_buckets * layer.width);
            DenseLayer {
                inputs,
                width: layer.width,
                activation: layer.activation,
                weights: vec![0.0; neurons * inputs],
                bias: vec![0.0; neurons],
            }
        };
        Self {
            activation: architecture.transformer.activation,
            layers: architecture.dense.iter().enumerate().map(layer).collect(),
        }
    }

    /// Layers from their parts: weights and biases in turn.
    pub(crate) fn new(architecture: &Architecture, parts: &[Vec<f32>]) -> Self {
        let mut layers = Self::zero(architecture);
        for (layer, parts) in layers.layers.iter_mut().zip(parts.chunks(2)) {
            transpose(&parts[0], layer.bias.len(), &mut layer.weights);
            layer.bias.clone_from(&parts[1]);
        }
        layers
    }

    /// The parts that [`Self::new`] takes.
    pub(crate) fn into_parts(self) -> impl Iterator<Item = Vec<f32>> {
        self.layers.into_iter().flat_map(|layer| {
            let mut weights = vec![0.0; layer.weights.len()];
            transpose(&layer.weights, layer.inputs, &mut weights);
            [weights, layer.bias]
        })
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (layer, other) in self.layers.iter_mut().zip(&other.layers) {
            add(&mut layer.weights, &other.weights);
            add(&mut layer.bias, &other.bias);
        }
    }

    pub(crate) fn scratch(&self) -> Scratch {
        let widest = self.layers.iter().map(|layer| layer.inputs.max(layer.width)).max().unwrap_or(0);
        Scratch {
            activated: self.layers.iter().map(|layer| vec![0.0; layer.inputs]).collect(),
            sums: self.layers.iter().map(|layer| vec![0.0; layer.width]).collect(),
            gradients: vec![0.0; widest],
        }
    }

    /// The output for the accumulators of both perspectives, side by side.
    pub(crate) fn forward(&self, accumulators: &[f32], bucket: usize, scratch: &mut Scratch) -> f32 {
        let (own, theirs) = accumulators.split_at(accumulators.len() / 2);
        let (to_own, to_theirs) = {
            let first = &mut scratch.activated[0];
            let half = first.len() / 2;
            first.split_at_mut(half)
        };
        activate(self.activation, own, to_own);
        activate(self.activation, theirs, to_theirs);
        for (at, layer) in self.layers.iter().enumerate() {
            let (inputs, above) = scratch.activated.split_at_mut(at + 1);
            layer.forward(&inputs[at], bucket, &mut scratch.sums[at]);
            if let Some(above) = above.first_mut() {
                activate(layer.activation, &scratch.sums[at], above);
            }
        }
        scratch.sums[self.layers.len() - 1][0]
    }

    /// After [`Self::forward`]: adds the gradients of all weights to `gradients`, given that of the output and that of each
    /// activation of the feature transformer by the L1 penalty. The accumulators are replaced by their gradients.
    pub(crate) fn backward(
        &self,
        accumulators: &mut [f32],
        bucket: usize,
        (gradient, penalty): (f32, f32),
        scratch: &mut Scratch,
        gradients: &mut Self,
    ) {
        let Scratch { activated, sums, gradients: input_gradients } = scratch;
        sums[self.layers.len() - 1][0] = gradient;
        for at in (0..self.layers.len()).rev() {
            let layer = &self.layers[at];
            let input_gradients = &mut input_gradients[..layer.inputs];
            layer.backward(&activated[at], bucket, &sums[at], input_gradients, &mut gradients.layers[at]);
            if at > 0 {
                activate_backward(self.layers[at - 1].activation, &mut sums[at - 1], input_gradients);
            }
        }
        // No activation is negative.
        input_gradients[..self.layers[0].inputs].iter_mut().for_each(|gradient| *gradient += penalty);
        let (own, theirs) = accumulators.split_at_mut(accumulators.len() / 2);
        let (own_gradients, their_gradients) = {
            let first = &input_gradients[..self.layers[0].inputs];
            first.split_at(first.len() / 2)
        };
        activate_backward(self.activation, own, own_gradients);
        activate_backward(self.activation, theirs, their_gradients);
    }
}

impl DenseLayer {
    /// The weights of a neuron of an output bucket, as a range.
    fn row(&self, neuron: usize) -> std::ops::Range<usize> {
        neuron * self.inputs..(neuron + 1) * self.inputs
    }

    fn forward(&self, inputs: &[f32], bucket: usize, sums: &mut [f32]) {
        for (at, sum) in sums.iter_mut().enumerate() {
            let neuron = bucket * self.width + at;
            *sum = dot(inputs, &self.weights[self.row(neuron)]) + self.bias[neuron];
        }
    }

    fn backward(
        &self,
        inputs: &[f32],
        bucket: usize,
        sum_gradients: &[f32],
        input_gradients: &mut [f32],
        gradients: &mut Self,
    ) {
        input_gradients.fill(0.0);
        for (at, &gradient) in sum_gradients.iter().enumerate().filter(|(_, gradient)| **gradient != 0.0) {
            let neuron = bucket * self.width + at;
            let row = self.row(neuron);
            gradients.bias[neuron] += gradient;
            add_scaled(&mut gradients.weights[row.clone()], gradient, inputs);
            add_scaled(input_gradients, gradient, &self.weights[row]);
        }
    }
}

/// The activations of `crates/eval/src/nnue/activation.rs`, in floating point.
fn activate(activation: Activation, numbers: &[f32], to: &mut [f32]) {
    let clip = |number: f32| number.clamp(0.0, 1.0);
    let pairs = to.iter_mut().zip(numbers);
    match activation {
        Activation::Linear => pairs.for_each(|(to, number)| *to = *number),
        Activation::Crelu => pairs.for_each(|(to, number)| *to = clip(*number)),
        Activation::Screlu => pairs.for_each(|(to, number)| *to = clip(*number) * clip(*number)),
        Activation::Pairwise => {
            let (first, second) = numbers.split_at(numbers.len() / 2);
            let pairs = first.iter().zip(second);
            to.iter_mut().zip(pairs).for_each(|(to, (a, b))| *to = clip(*a) * clip(*b));
        }
    }
}

/// Replaces numbers by their gradients, given those of their activations.
fn activate_backward(activation: Activation, numbers: &mut [f32], gradients: &[f32]) {
    let is_inside = |number: f32| number > 0.0 && number < 1.0;
    let through = |number: f32, gradient: f32| if is_inside(number) { gradient } else { 0.0 };
    let pairs = numbers.iter_mut().zip(gradients);
    match activation {
        Activation::Linear => pairs.for_each(|(number, gradient)| *number = *gradient),
        Activation::Crelu => pairs.for_each(|(number, gradient)| *number = through(*number, *gradient)),
        Activation::Screlu => {
            pairs.for_each(|(number, gradient)| *number = through(*number, 2.0 * *number * gradient));
        }
        Activation::Pairwise => {
            let (first, second) = numbers.split_at_mut(gradients.len());
            for ((a, b), gradient) in first.iter_mut().zip(second).zip(gradients) {
                let (a_clipped, b_clipped) = (a.clamp(0.0, 1.0), b.clamp(0.0, 1.0));
                (*a, *b) = (through(*a, gradient * b_clipped), through(*b, gradient * a_clipped));
            }
        }
    }
}

/// The dot product, in several sums so that the compiler can use vector registers.
fn dot(numbers: &[f32], weights: &[f32]) -> f32 {
    const SUMS: usize = 32;
    let mut sums = [0.0; SUMS];
    let (numbers, weights) = (numbers.chunks_exact(SUMS), weights.chunks_exact(SUMS));
    let rest = numbers.remainder().iter().zip(weights.remainder()).map(|(number, weight)| number * weight);
    let rest: f32 = rest.sum();
    for (numbers, weights) in numbers.zip(weights) {
        for ((sum, number), weight) in sums.iter_mut().zip(numbers).zip(weights) {
            *sum += number * weight;
        }
    }
    sums.iter().sum::<f32>() + rest
}

#[inline]
pub(crate) fn add(to: &mut [f32], from: &[f32]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
}

#[inline]
fn add_scaled(to: &mut [f32], factor: f32, from: &[f32]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += factor * from);
}

/// Writes a matrix with so many columns column by column.
fn transpose(from: &[f32], columns: usize, to: &mut [f32]) {
    let rows = from.len() / columns;
    for (row, numbers) in from.chunks(columns).enumerate() {
        numbers.iter().enumerate().for_each(|(column, number)| to[column * rows + row] = *number);
    }
}
