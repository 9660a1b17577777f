//! Dense layers: from the accumulators of both perspectives to internal units, in integers.
//!
//! It knows rows and numbers, not the board.

use super::activation::HIDDEN_ONE;
use super::description::{Architecture, Layer};
use super::simd::{
    AlignedBytes, AlignedRow, BLOCK, BlockTile, GROUP, HIDDEN_MAX, HiddenRow, Instructions, PAIR, PairTile,
    Row,
};

/// The dense layers of a network.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum DenseLayers<R> {
    /// The output straight after SCReLU: activation and layer are one kernel.
    Screlu(ScreluOutput<R>),
    /// Layers after pairwise products.
    Stack(Stack),
}

impl<R: Row> DenseLayers<R> {
    /// Layers from the sections of their weights and biases, which have the lengths that the architecture says.
    pub(super) fn new(architecture: &Architecture, sections: &[Vec<i32>]) -> Self {
        if architecture.is_pairwise() {
            Self::Stack(Stack::new(architecture, sections))
        } else {
            Self::Screlu(ScreluOutput::new(&sections[0], &sections[1]))
        }
    }

    /// The sections that [`Self::new`] takes.
    pub(super) fn sections(&self, architecture: &Architecture) -> Vec<Vec<i32>> {
        match self {
            Self::Screlu(output) => {
                let rows = output.weights.iter().flatten();
                let weights =
                    rows.flat_map(|row| row.numbers().iter().map(|&weight| weight.into())).collect();
                vec![weights, output.bias.to_vec()]
            }
            Self::Stack(stack) => stack.sections(architecture),
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
        let sum = match self {
            Self::Screlu(output) => output.forward(with, architecture.one() as i16, accumulators, bucket),
            Self::Stack(stack) => i64::from(stack.forward(architecture, with, accumulators, bucket)),
        };
        (sum * i64::from(architecture.scale) / i64::from(architecture.output().bias.one)) as i32
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

/// Dense layers after pairwise products. The weights of hidden layers are in tiles: those of a few inputs for a group of neurons.
/// Each hidden layer is filled up to whole groups with neurons of zero weights.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Stack {
    /// The first hidden layer, whose inputs are bytes of which most are zero: tiles of four inputs.
    first: DenseLayer<BlockTile>,
    /// The hidden layers above, whose inputs have 16 bits: tiles of two inputs.
    above: Box<[DenseLayer<PairTile>]>,
    /// The output layer: weights and bias for each output bucket.
    output: Box<[(HiddenRow, i32)]>,
}

/// One hidden layer: output bucket by output bucket, group by group.
#[derive(Clone, PartialEq, Eq)]
struct DenseLayer<T> {
    /// Groups of an output bucket.
    groups: usize,
    /// Tiles of a group.
    tiles: usize,
    weights: Box<[T]>,
    bias: Box<[i32]>,
}

impl<T> DenseLayer<T> {
    /// A layer from its sections. `tile` makes a tile, which has so many inputs, from the weights by neuron and input.
    fn new(
        architecture: &Architecture,
        at: usize,
        sections: &[Vec<i32>],
        tile_inputs: usize,
        tile: impl Fn(&dyn Fn(usize, usize) -> i32) -> T,
    ) -> Self {
        let (inputs, width) = (architecture.inputs_of(at), architecture.dense[at].width);
        let (groups, tiles) = (width.div_ceil(GROUP), inputs.next_multiple_of(GROUP) / tile_inputs);
        let (mut weights, mut bias) = (Vec::new(), Vec::new());
        for bucket in 0..architecture.output_buckets {
            for (group, at) in (0..groups).flat_map(|group| (0..tiles).map(move |at| (group, at))) {
                weights.push(tile(&|neuron, input| {
                    let (neuron, input) = (group * GROUP + neuron, at * tile_inputs + input);
                    let is_padding = neuron >= width || input >= inputs;
                    if is_padding { 0 } else { sections[0][(bucket * width + neuron) * inputs + input] }
                }));
            }
            bias.extend_from_slice(&sections[1][bucket * width..][..width]);
            bias.resize((bucket + 1) * groups * GROUP, 0);
        }
        Self { groups, tiles, weights: weights.into(), bias: bias.into() }
    }

    /// The sections that [`Self::new`] takes; `weight` reads a weight by neuron and input from a tile.
    fn sections(
        &self,
        architecture: &Architecture,
        at: usize,
        tile_inputs: usize,
        weight: impl Fn(&T, usize, usize) -> i32,
    ) -> [Vec<i32>; 2] {
        let (inputs, width) = (architecture.inputs_of(at), architecture.dense[at].width);
        let (mut weights, mut bias) = (Vec::new(), Vec::new());
        for bucket in 0..architecture.output_buckets {
            let (tiles, biases) = self.of_bucket(bucket);
            bias.extend_from_slice(&biases[..width]);
            for (neuron, input) in (0..width).flat_map(|neuron| (0..inputs).map(move |input| (neuron, input)))
            {
                let tile = &tiles[neuron / GROUP * self.tiles + input / tile_inputs];
                weights.push(weight(tile, neuron % GROUP, input % tile_inputs));
            }
        }
        [weights, bias]
    }

    /// The tiles and the biases of an output bucket.
    #[inline]
    fn of_bucket(&self, bucket: usize) -> (&[T], &[i32]) {
        let (tiles, sums) = (self.groups * self.tiles, self.groups * GROUP);
        (&self.weights[bucket * tiles..][..tiles], &self.bias[bucket * sums..][..sums])
    }
}

impl Stack {
    fn new(architecture: &Architecture, sections: &[Vec<i32>]) -> Self {
        let block = |weight: &dyn Fn(usize, usize) -> i32| {
            AlignedBytes(std::array::from_fn(|at| weight(at / BLOCK, at % BLOCK) as i8))
        };
        let pair = |weight: &dyn Fn(usize, usize) -> i32| {
            AlignedRow(std::array::from_fn(|at| weight(at / PAIR, at % PAIR) as i16))
        };
        let (first, above) = sections.split_at(2);
        let (above, output) = above.split_at(above.len() - 2);
        let above = above.chunks(2).enumerate();
        let output_row = |weights: &[i32]| {
            let mut row = AlignedRow([0; HIDDEN_MAX]);
            row.0.iter_mut().zip(weights).for_each(|(to, &weight)| *to = weight as i16);
            row
        };
        let inputs = architecture.inputs_of(architecture.dense.len() - 1);
        Self {
            first: DenseLayer::new(architecture, 0, first, BLOCK, block),
            above: above
                .map(|(at, sections)| DenseLayer::new(architecture, at + 1, sections, PAIR, pair))
                .collect(),
            output: output[0].chunks(inputs).map(output_row).zip(output[1].iter().copied()).collect(),
        }
    }

    fn sections(&self, architecture: &Architecture) -> Vec<Vec<i32>> {
        let block = |tile: &BlockTile, neuron: usize, input: usize| tile.0[neuron * BLOCK + input].into();
        let pair = |tile: &PairTile, neuron: usize, input: usize| tile.0[neuron * PAIR + input].into();
        let mut sections = Vec::from(self.first.sections(architecture, 0, BLOCK, block));
        for (at, layer) in self.above.iter().enumerate() {
            sections.extend(layer.sections(architecture, at + 1, PAIR, pair));
        }
        let inputs = architecture.inputs_of(architecture.dense.len() - 1);
        let weights = self.output.iter().flat_map(|(weights, _)| weights.0[..inputs].iter().copied());
        sections.push(weights.map(i32::from).collect());
        sections.push(self.output.iter().map(|&(_, bias)| bias).collect());
        sections
    }

    /// The sum of the output layer, in its unit.
    #[inline]
    fn forward<R: Row>(
        &self,
        architecture: &Architecture,
        with: Instructions,
        accumulators: [&R; 2],
        bucket: usize,
    ) -> i32 {
        let (tiles, bias) = self.first.of_bucket(bucket);
        let (mut sums, mut width) = ([0; HIDDEN_MAX], bias.len());
        R::pairwise_layer(accumulators, with, tiles, bias, &mut sums);
        let mut numbers = AlignedRow([0; HIDDEN_MAX]);
        let (hidden, _) = architecture.dense.split_at(architecture.dense.len() - 1);
        let activate = |layer: &Layer, sums: &[i32], numbers: &mut HiddenRow| {
            let shift = (layer.bias.one / HIDDEN_ONE).trailing_zeros();
            with.activate(layer.activation, shift, sums, numbers);
        };
        activate(&hidden[0], &sums[..width], &mut numbers);
        for (layer, weights) in hidden[1..].iter().zip(&self.above) {
            let (tiles, bias) = weights.of_bucket(bucket);
            with.dense_layer(&numbers, tiles, bias, &mut sums);
            width = bias.len();
            activate(layer, &sums[..width], &mut numbers);
        }
        let (weights, bias) = &self.output[bucket];
        with.hidden_dot(&numbers, weights) + bias
    }
}
