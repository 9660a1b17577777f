//! The network in layers, for any device: residual blocks with squeeze and excitation, a value head and a policy head.
//!
//! It is the class `Residual` of `scripts/teacher` for inference. A [`Layers`] computes the layers in the memory of its device;
//! the model says which of them come after each other. Boards lie one after the other, square by square, the channels of a square
//! side by side.

use std::cell::RefCell;

use crate::cpu::Raw;
use crate::device::Device;
use crate::encoding::{Encoded, PLANES, SQUARES};
use crate::file::{NARROW, POLICY_WIDTH, VALUE_NEURONS, VALUES};
use crate::weights::{self, Weights};

/// Channels of the input: the planes, and as many that are always 0 as matrix units want.
pub(crate) const CHANNELS: usize = PLANES.next_multiple_of(8);
/// Squares that a convolution sees: 3 x 3.
pub(crate) const NEIGHBOURS: usize = 9;

/// The layers on a device. An error is a sentence that says why the device cannot.
pub(crate) trait Layers {
    /// Numbers in the memory of the device.
    type Numbers;

    /// Brings numbers to the device.
    fn upload(&self, numbers: &[f32]) -> Result<Self::Numbers, String>;

    /// Memory for so many numbers.
    fn allocate(&self, count: usize) -> Result<Self::Numbers, String>;

    /// Brings the first numbers back.
    fn download(&self, from: &Self::Numbers, count: usize) -> Result<Vec<f32>, String>;

    /// The planes of positions, [`CHANNELS`] on each square.
    fn planes(&self, positions: &[Encoded], to: &mut Self::Numbers) -> Result<(), String>;

    /// For each square of so many boards the [`NEIGHBOURS`] around it side by side, zeros beyond the border (im2col).
    fn neighbours(
        &self,
        boards: usize,
        channels: usize,
        from: &Self::Numbers,
        to: &mut Self::Numbers,
    ) -> Result<(), String>;

    /// A linear layer for each of so many rows. It ends with a ReLU if `is_clipped`.
    fn linear(
        &self,
        rows: usize,
        layer: &Linear<Self::Numbers>,
        is_clipped: bool,
        from: &Self::Numbers,
        to: &mut Self::Numbers,
    ) -> Result<(), String>;

    /// Adds the same board to each of so many boards, then a ReLU.
    fn add_board(
        &self,
        boards: usize,
        width: usize,
        board: &Self::Numbers,
        to: &mut Self::Numbers,
    ) -> Result<(), String>;

    /// The end of a residual block: squeeze and excitation of `y`, then `x` is replaced by the sum of both and a ReLU.
    fn excite(
        &self,
        boards: usize,
        block: &Block<Self::Numbers>,
        y: &Self::Numbers,
        x: &mut Self::Numbers,
    ) -> Result<(), String>;

    /// For each pair of a row of `source` and a row of `target`, both [`POLICY_WIDTH`] wide, their dot product.
    fn dot_products(
        &self,
        pairs: &[[u32; 2]],
        source: &Self::Numbers,
        target: &Self::Numbers,
        to: &mut Self::Numbers,
    ) -> Result<(), String>;
}

/// A linear layer on a device.
#[derive(Debug)]
pub(crate) struct Linear<N> {
    /// A row for each input.
    pub(crate) weight: N,
    pub(crate) bias: N,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
}

impl<N> Linear<N> {
    fn new<L: Layers<Numbers = N>>(layers: &L, from: &weights::Linear) -> Result<Self, String> {
        let (weight, bias) = (layers.upload(&from.weight)?, layers.upload(&from.bias)?);
        Ok(Self { weight, bias, inputs: from.inputs, outputs: from.bias.len() })
    }

    /// A convolution of 3 x 3 as a linear layer of the neighbours of a square. `inputs` are at least those that there are; the
    /// others have no weight.
    fn convolution<L: Layers<Numbers = N>>(
        layers: &L,
        from: &weights::Convolution,
        inputs: usize,
    ) -> Result<Self, String> {
        let outputs = from.bias.len();
        let mut weight = vec![0.0; NEIGHBOURS * inputs * outputs];
        for (output, numbers) in from.weight.chunks_exact(NEIGHBOURS * from.inputs).enumerate() {
            for (at, number) in numbers.iter().enumerate() {
                let (input, neighbour) = (at / NEIGHBOURS, at % NEIGHBOURS);
                weight[(neighbour * inputs + input) * outputs + output] = *number;
            }
        }
        let (weight, bias) = (layers.upload(&weight)?, layers.upload(&from.bias)?);
        Ok(Self { weight, bias, inputs: NEIGHBOURS * inputs, outputs })
    }
}

/// A residual block on a device.
#[derive(Debug)]
pub(crate) struct Block<N> {
    first: Linear<N>,
    second: Linear<N>,
    pub(crate) squeeze: Linear<N>,
    pub(crate) excite: Linear<N>,
}

/// The network on a device.
pub(crate) struct Model<L: Layers> {
    layers: L,
    /// The greatest number of positions that are evaluated at once.
    batch: usize,
    width: usize,
    begin: Linear<L::Numbers>,
    /// Added after the first convolution.
    squares: L::Numbers,
    blocks: Vec<Block<L::Numbers>>,
    narrow: Linear<L::Numbers>,
    gather: Linear<L::Numbers>,
    value: Linear<L::Numbers>,
    source: Linear<L::Numbers>,
    target: Linear<L::Numbers>,
    memory: RefCell<Memory<L::Numbers>>,
}

/// Memory for what lies between the layers.
struct Memory<N> {
    x: N,
    y: N,
    neighbours: N,
    source: N,
    target: N,
}

impl<L: Layers> Model<L> {
    /// Brings a network to a device, with memory for a batch of so many positions.
    pub(crate) fn new(layers: L, weights: &Weights, batch: usize) -> Result<Self, String> {
        let width = weights.size.width;
        let linear = |from: &weights::Linear| Linear::new(&layers, from);
        let convolution = |from: &weights::Convolution| Linear::convolution(&layers, from, width);
        let block = |from: &weights::Block| -> Result<_, String> {
            Ok(Block {
                first: convolution(&from.first)?,
                second: convolution(&from.second)?,
                squeeze: linear(&from.squeeze)?,
                excite: linear(&from.excite)?,
            })
        };
        let squares: Vec<f32> =
            (0..SQUARES * width).map(|at| weights.squares[at % width * SQUARES + at / width]).collect();
        let board = batch * SQUARES;
        let memory = Memory {
            x: layers.allocate(board * width)?,
            y: layers.allocate(board * width)?,
            neighbours: layers.allocate(board * NEIGHBOURS * width.max(CHANNELS))?,
            source: layers.allocate(board * POLICY_WIDTH)?,
            target: layers.allocate(board * POLICY_WIDTH)?,
        };
        Ok(Self {
            batch,
            width,
            begin: Linear::convolution(&layers, &weights.begin, CHANNELS)?,
            squares: layers.upload(&squares)?,
            blocks: weights.blocks.iter().map(block).collect::<Result<_, _>>()?,
            narrow: linear(&weights.narrow)?,
            gather: linear(&weights.gather)?,
            value: linear(&weights.value)?,
            source: linear(&weights.source)?,
            target: linear(&weights.target)?,
            memory: RefCell::new(memory),
            layers,
        })
    }

    /// Evaluates at most a batch.
    fn forward(&self, positions: &[Encoded]) -> Result<Vec<Raw>, String> {
        let (layers, width, boards) = (&self.layers, self.width, positions.len());
        let rows = boards * SQUARES;
        let Memory { x, y, neighbours, source, target } = &mut *self.memory.borrow_mut();
        layers.planes(positions, source)?;
        layers.neighbours(boards, CHANNELS, source, neighbours)?;
        layers.linear(rows, &self.begin, false, neighbours, x)?;
        layers.add_board(boards, width, &self.squares, x)?;
        for block in &self.blocks {
            layers.neighbours(boards, width, x, neighbours)?;
            layers.linear(rows, &block.first, true, neighbours, y)?;
            layers.neighbours(boards, width, y, neighbours)?;
            layers.linear(rows, &block.second, false, neighbours, y)?;
            layers.excite(boards, block, y, x)?;
        }
        layers.linear(rows, &self.narrow, true, x, source)?;
        layers.linear(boards, &self.gather, true, source, target)?;
        // What is not needed any more has room for the outputs.
        layers.linear(boards, &self.value, false, target, neighbours)?;
        layers.linear(rows, &self.source, false, x, source)?;
        layers.linear(rows, &self.target, false, x, target)?;
        let row = |board: usize, square: u16| (board * SQUARES) as u32 + u32::from(square);
        let pairs: Vec<[u32; 2]> = positions
            .iter()
            .enumerate()
            .flat_map(|(board, position)| position.outputs.iter().map(move |output| (board, *output)))
            .map(|(board, output)| [row(board, output / SQUARES as u16), row(board, output % SQUARES as u16)])
            .collect();
        layers.dot_products(&pairs, source, target, y)?;
        let values = layers.download(neighbours, boards * VALUES)?;
        let mut logits = layers.download(y, pairs.len())?.into_iter();
        let raw = |(position, values): (&Encoded, &[f32])| Raw {
            values: std::array::from_fn(|at| values[at]),
            logits: logits.by_ref().take(position.outputs.len()).collect(),
        };
        Ok(positions.iter().zip(values.chunks_exact(VALUES)).map(raw).collect())
    }
}

impl<L: Layers> Device for Model<L> {
    fn batch(&self) -> usize {
        self.batch
    }

    fn search_batch(&self) -> usize {
        self.batch
    }

    fn evaluate(&self, positions: &[Encoded]) -> Result<Vec<Raw>, String> {
        let mut outputs = Vec::with_capacity(positions.len());
        for part in positions.chunks(self.batch) {
            outputs.extend(self.forward(part)?);
        }
        Ok(outputs)
    }
}

/// The heads fit into the memory that they are given.
const _: () = assert!(
    CHANNELS <= POLICY_WIDTH
        && NARROW <= POLICY_WIDTH
        && VALUE_NEURONS <= SQUARES * POLICY_WIDTH
        && VALUES <= NEIGHBOURS
);

#[cfg(test)]
pub(crate) mod tests {
    use rukh_chess::Position;

    use super::*;
    use crate::cpu::CpuModel;
    use crate::file::{NetworkFile, Part, Size, parts};

    /// The layers in plain loops.
    struct Loops;

    impl Layers for Loops {
        type Numbers = Vec<f32>;

        fn upload(&self, numbers: &[f32]) -> Result<Vec<f32>, String> {
            Ok(numbers.to_vec())
        }

        fn allocate(&self, count: usize) -> Result<Vec<f32>, String> {
            Ok(vec![f32::NAN; count])
        }

        fn download(&self, from: &Vec<f32>, count: usize) -> Result<Vec<f32>, String> {
            Ok(from[..count].to_vec())
        }

        fn planes(&self, positions: &[Encoded], to: &mut Vec<f32>) -> Result<(), String> {
            for (position, board) in positions.iter().zip(to.chunks_exact_mut(SQUARES * CHANNELS)) {
                let planes = position.planes();
                for (at, number) in board.iter_mut().enumerate() {
                    let (square, plane) = (at / CHANNELS, at % CHANNELS);
                    *number = planes.get(plane * SQUARES + square).copied().unwrap_or(0.0);
                }
            }
            Ok(())
        }

        fn neighbours(
            &self,
            boards: usize,
            channels: usize,
            from: &Vec<f32>,
            to: &mut Vec<f32>,
        ) -> Result<(), String> {
            let rows = to.chunks_exact_mut(NEIGHBOURS * channels).take(boards * SQUARES);
            for (square, row) in rows.enumerate() {
                for (at, to) in row.chunks_exact_mut(channels).enumerate() {
                    let (rank, file) = (square % SQUARES / 8 + at / 3, square % 8 + at % 3);
                    let is_on_board = (1..=8).contains(&rank) && (1..=8).contains(&file);
                    to.fill(0.0);
                    if is_on_board {
                        let neighbour = square / SQUARES * SQUARES + (rank - 1) * 8 + file - 1;
                        to.copy_from_slice(&from[neighbour * channels..][..channels]);
                    }
                }
            }
            Ok(())
        }

        fn linear(
            &self,
            rows: usize,
            layer: &Linear<Vec<f32>>,
            is_clipped: bool,
            from: &Vec<f32>,
            to: &mut Vec<f32>,
        ) -> Result<(), String> {
            for (row, to) in
                from.chunks_exact(layer.inputs).zip(to.chunks_exact_mut(layer.outputs)).take(rows)
            {
                for (output, to) in to.iter_mut().enumerate() {
                    let weights = layer.weight[output..].iter().step_by(layer.outputs);
                    let sum: f32 = row.iter().zip(weights).map(|(number, weight)| number * weight).sum();
                    *to = sum + layer.bias[output];
                    if is_clipped {
                        *to = to.max(0.0);
                    }
                }
            }
            Ok(())
        }

        fn add_board(
            &self,
            boards: usize,
            width: usize,
            board: &Vec<f32>,
            to: &mut Vec<f32>,
        ) -> Result<(), String> {
            for (to, number) in to.iter_mut().zip(board.iter().cycle()).take(boards * SQUARES * width) {
                *to = (*to + number).max(0.0);
            }
            Ok(())
        }

        fn excite(
            &self,
            boards: usize,
            block: &Block<Vec<f32>>,
            y: &Vec<f32>,
            x: &mut Vec<f32>,
        ) -> Result<(), String> {
            let width = block.squeeze.inputs;
            let board = SQUARES * width;
            for (x, y) in x.chunks_exact_mut(board).zip(y.chunks_exact(board)).take(boards) {
                let mean =
                    |channel: usize| y.iter().skip(channel).step_by(width).sum::<f32>() / SQUARES as f32;
                let means = (0..width).map(mean).collect();
                let (mut squeezed, mut excited) = (vec![0.0; block.squeeze.outputs], vec![0.0; 2 * width]);
                self.linear(1, &block.squeeze, true, &means, &mut squeezed)?;
                self.linear(1, &block.excite, false, &squeezed, &mut excited)?;
                for (at, (x, y)) in x.iter_mut().zip(y).enumerate() {
                    let gate = 1.0 / (1.0 + (-excited[at % width]).exp());
                    *x = (*x + y * gate + excited[width + at % width]).max(0.0);
                }
            }
            Ok(())
        }

        fn dot_products(
            &self,
            pairs: &[[u32; 2]],
            source: &Vec<f32>,
            target: &Vec<f32>,
            to: &mut Vec<f32>,
        ) -> Result<(), String> {
            for (pair, to) in pairs.iter().zip(to) {
                let [source, target] = [(source, pair[0]), (target, pair[1])]
                    .map(|(numbers, row)| &numbers[row as usize * POLICY_WIDTH..][..POLICY_WIDTH]);
                *to = source.iter().zip(target).map(|(one, other)| one * other).sum();
            }
            Ok(())
        }
    }

    /// A network of random weights.
    pub(crate) fn random_weights(size: Size, seed: u64) -> Weights {
        let mut random = rukh_chess::random::SplitMix64::new(seed);
        let mut part = |part: &Part| -> Vec<f32> {
            let scale = 2.0 / (part.count() as f32 / part.shape[0] as f32).sqrt();
            let is_factor = part.shape.len() == 1;
            let mut number = || (random.share() as f32 - 0.5) * scale;
            (0..part.count()).map(|_| if is_factor { 1.0 + 0.2 * number() } else { number() }).collect()
        };
        let weights = parts(size).iter().map(&mut part).collect();
        Weights::new(NetworkFile { size, description: String::new(), weights, checksum: 0 })
    }

    /// Positions with castling rights, an en-passant square, a clock, promotions.
    pub(crate) fn positions() -> Vec<Encoded> {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Qk - 3 9",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "8/5pk1/6p1/1p2P3/2p2P2/2P3K1/1P6/8 w - - 57 90",
            "2bk3r/R7/3Bp3/p3P2p/3p2p1/1P5P/5PP1/6K1 b - - 1 33",
            "8/P6k/8/8/8/8/8/K7 w - - 0 1",
        ];
        let encode = |fen: &str| {
            let position: Position = fen.parse().expect("it is a position");
            Encoded::new(&position, &position.legal_moves())
        };
        fens.map(encode).to_vec()
    }

    /// Whether two outputs differ by no more than this part of the greater of 1 and their size.
    pub(crate) fn are_near(one: &[Raw], other: &[Raw], part: f32) -> bool {
        let numbers = |raw: &Raw| raw.values.iter().chain(&raw.logits).copied().collect::<Vec<_>>();
        let is_near = |(one, other): (&f32, &f32)| (one - other).abs() < part * one.abs().max(1.0);
        one.len() == other.len()
            && one.iter().zip(other).all(|(one, other)| {
                let (one, other) = (numbers(one), numbers(other));
                one.len() == other.len() && one.iter().zip(&other).all(is_near)
            })
    }

    /// The network in layers gives what the CPU gives, in batches of every size.
    #[test]
    fn layers_give_what_the_cpu_gives() {
        let positions = positions();
        for size in [Size { width: 4, layers: 1 }, Size { width: 20, layers: 3 }] {
            let weights = random_weights(size, 7);
            let expected = CpuModel::new(&weights).evaluate(&positions);
            for batch in [1, 4, 8] {
                let model = Model::new(Loops, &weights, batch).expect("loops do not fail");
                let found = model.evaluate(&positions).expect("loops do not fail");
                assert!(are_near(&expected, &found, 1e-3), "{size}, batches of {batch}");
            }
        }
    }
}
