//! Dense layers: from the accumulators of both perspectives to internal units, in integers.
//!
//! It knows rows and numbers, not the board.

use super::activation::Activation;
use super::description::{self, Architecture, HIDDEN_MAX};
use super::simd::{Instructions, Row};

/// The dense layers of a network.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum DenseLayers<R> {
    /// The output straight after SCReLU: activation and layer are one kernel.
    Screlu(ScreluOutput<R>),
    /// Any other layers, from below.
    Stack(Box<[DenseLayer]>),
}

impl<R: Row> DenseLayers<R> {
    /// Layers from the sections of their weights and biases, which have the lengths that the architecture says.
    pub(super) fn new(architecture: &Architecture, sections: &[Vec<i32>]) -> Self {
        if architecture.dense.len() == 1 && architecture.transformer.activation == Activation::Screlu {
            return Self::Screlu(ScreluOutput::new(&sections[0], &sections[1]));
        }
        let layers = architecture.dense.iter().zip(sections.chunks(2)).enumerate();
        let layer = |(at, (layer, sections)): (usize, (&description::Layer, &[Vec<i32>]))| {
            DenseLayer::new(architecture.inputs_of(at), layer, &sections[0], &sections[1])
        };
        Self::Stack(layers.map(layer).collect())
    }

    /// The sections that [`Self::new`] takes.
    pub(super) fn sections(&self) -> Vec<Vec<i32>> {
        match self {
            Self::Screlu(output) => {
                let rows = output.weights.iter().flatten();
                let weights =
                    rows.flat_map(|row| row.numbers().iter().map(|&weight| weight.into())).collect();
                vec![weights, output.bias.to_vec()]
            }
            Self::Stack(layers) => layers
                .iter()
                .flat_map(|layer| {
                    [layer.weights.iter().map(|&weight| weight.into()).collect(), layer.bias.to_vec()]
                })
                .collect(),
        }
    }

    /// Internal units for the side to move, by the layers of one output bucket.
    #[inline]
    pub(super) fn forward(
        &self,
        architecture: &Architecture,
        with: Instructions,
        accumulators: [&R; 2],
        bucket: usize,
    ) -> i32 {
        let one = architecture.one();
        let sum = match self {
            Self::Screlu(output) => output.forward(with, one as i16, accumulators, bucket),
            Self::Stack(layers) => {
                let activation = architecture.transformer.activation;
                stack(layers, with, activation, one as i16, accumulators, bucket)
            }
        };
        let output_one = one * architecture.output().weights.one;
        (sum * i64::from(architecture.scale) / i64::from(output_one)) as i32
    }
}

/// The output layer after SCReLU.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct ScreluOutput<R> {
    /// For each output bucket the weights for the side to move and for the other side.
    weights: Box<[[R; 2]]>,
    bias: Box<[i32]>,
}

impl<R: Row> ScreluOutput<R> {
    fn new(weights: &[i32], bias: &[i32]) -> Self {
        let row = |numbers: &[i32]| {
            let mut row = R::ZERO;
            row.numbers_mut().iter_mut().zip(numbers).for_each(|(to, &weight)| *to = weight as i16);
            row
        };
        let bucket = |weights: &[i32]| [row(&weights[..R::WIDTH]), row(&weights[R::WIDTH..])];
        Self { weights: weights.chunks(2 * R::WIDTH).map(bucket).collect(), bias: bias.into() }
    }

    #[inline]
    fn forward(&self, with: Instructions, one: i16, [own, theirs]: [&R; 2], bucket: usize) -> i64 {
        let [own_weights, their_weights] = &self.weights[bucket];
        let sum = own.screlu_dot(with, own_weights, one) + theirs.screlu_dot(with, their_weights, one);
        // The squares have the unit of the accumulator twice.
        sum / i64::from(one) + i64::from(self.bias[bucket])
    }
}

/// One dense layer, with weights for every output bucket.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct DenseLayer {
    inputs: usize,
    width: usize,
    activation: Activation,
    /// The integer that stands for 1 in the weights.
    one: i32,
    /// Output bucket by output bucket, neuron by neuron.
    weights: Box<[i16]>,
    bias: Box<[i32]>,
}

impl DenseLayer {
    fn new(inputs: usize, layer: &description::Layer, weights: &[i32], bias: &[i32]) -> Self {
        Self {
            inputs,
            width: layer.width,
            activation: layer.activation,
            one: layer.weights.one,
            weights: weights.iter().map(|&weight| weight as i16).collect(),
            bias: bias.into(),
        }
    }

    fn forward(&self, with: Instructions, inputs: [&[i16]; 2], bucket: usize, sums: &mut [i32]) {
        let neurons = bucket * self.width..(bucket + 1) * self.width;
        let weights = &self.weights[neurons.start * self.inputs..neurons.end * self.inputs];
        with.dense(inputs, weights, &self.bias[neurons], &mut sums[..self.width]);
    }
}

/// The sum of the output layer, in its unit, after all layers before it.
fn stack<R: Row>(
    layers: &[DenseLayer],
    with: Instructions,
    activation: Activation,
    one: i16,
    accumulators: [&R; 2],
    bucket: usize,
) -> i64 {
    let mut activated = [R::ZERO; 2];
    for (to, row) in activated.iter_mut().zip(accumulators) {
        with.activate(activation, row.numbers(), one, to.numbers_mut());
    }
    let outputs = activation.outputs(R::WIDTH);
    let [own, theirs] = activated.each_ref().map(|row| &row.numbers()[..outputs]);
    let mut sums = [0; HIDDEN_MAX];
    layers[0].forward(with, [own, theirs], bucket, &mut sums);
    for pair in layers.windows(2) {
        let (below, layer) = (&pair[0], &pair[1]);
        let (mut numbers, mut activated) = ([0; HIDDEN_MAX], [0; HIDDEN_MAX]);
        for (number, sum) in numbers.iter_mut().zip(&sums[..below.width]) {
            // Back from the unit of sums to that of activations, which clip all that 16 bits do not hold.
            *number = (sum / below.one).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        }
        with.activate(below.activation, &numbers[..below.width], one, &mut activated);
        layer.forward(with, [&activated[..layer.inputs], &[]], bucket, &mut sums);
    }
    i64::from(sums[0])
}
