//! The network in tensors on a device of burn. Batches are filled up to one of a few shapes, because a GPU compiles and chooses
//! its kernels for each shape.

use burn::tensor::backend::Backend;
use burn::tensor::{Int, Tensor, TensorData};

use crate::cpu::Raw;
use crate::device::Device;
use crate::encoding::{Encoded, SQUARES};
use crate::file::VALUES;
use crate::model::{Convolve, Model, UNIFORM};
use crate::weights::Weights;

/// The shapes of tensors that a device is given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shapes {
    /// Numbers of positions, ascending; a batch is filled up to the next of them.
    pub(crate) batches: &'static [usize],
    /// The number of moves is a multiple of this.
    pub(crate) step: usize,
}

/// The number of a square without a 1 in any of the one-hot planes.
const NO_PLANE: i32 = -1;

/// A network on a device of burn.
pub(crate) struct Tensors<B: Backend> {
    model: Model<B>,
    device: B::Device,
    shapes: Shapes,
}

impl<B: Convolve> Tensors<B> {
    /// Brings a network to the default device.
    pub(crate) fn new(weights: &Weights, shapes: Shapes) -> Self {
        let device = B::Device::default();
        Self { model: Model::new(weights, &device), device, shapes }
    }

    fn greatest(&self) -> usize {
        self.shapes.batches.iter().copied().max().unwrap_or(1)
    }

    /// Evaluates at most as many positions as the greatest shape has.
    fn evaluate_part(&self, positions: &[Encoded]) -> Result<Vec<Raw>, String> {
        let Shapes { batches, step } = self.shapes;
        let count = batches.iter().copied().find(|size| *size >= positions.len()).unwrap_or(positions.len());
        let most = positions.iter().map(|position| position.outputs.len()).max().unwrap_or(0);
        let width = most.max(1).next_multiple_of(step);
        let integers = |columns: usize, row: &dyn Fn(&Encoded, &mut [i32])| {
            let mut numbers = vec![0; count * columns];
            positions
                .iter()
                .zip(numbers.chunks_exact_mut(columns))
                .for_each(|(position, to)| row(position, to));
            Tensor::<B, 2, Int>::from_data(TensorData::new(numbers, [count, columns]), &self.device)
        };
        let one_hot = integers(SQUARES, &|position, to| {
            let planes = position.one_hot();
            to.iter_mut().zip(planes).for_each(|(to, plane)| *to = plane.map_or(NO_PLANE, i32::from));
        });
        let wanted = integers(width, &|position, to| {
            to.iter_mut().zip(&position.outputs).for_each(|(to, output)| *to = i32::from(*output));
        });
        let mut uniform = vec![0.0_f32; count * UNIFORM];
        for (position, to) in positions.iter().zip(uniform.chunks_exact_mut(UNIFORM)) {
            to.iter_mut().zip(position.uniform()).for_each(|(to, number)| *to = number);
        }
        let uniform = Tensor::from_data(TensorData::new(uniform, [count, UNIFORM]), &self.device);
        let outputs = self.model.forward(one_hot, uniform, wanted);
        let outputs = outputs.try_into_data().map_err(|error| error.to_string())?;
        let outputs: Vec<f32> = outputs.iter::<f32>().collect();
        let raw = |(position, row): (&Encoded, &[f32])| Raw {
            values: std::array::from_fn(|at| row[at]),
            logits: row[VALUES..].iter().copied().take(position.outputs.len()).collect(),
        };
        Ok(positions.iter().zip(outputs.chunks_exact(VALUES + width)).map(raw).collect())
    }
}

impl<B: Convolve> Device for Tensors<B> {
    fn batch(&self) -> usize {
        self.greatest()
    }

    fn search_batch(&self) -> usize {
        self.greatest()
    }

    fn evaluate(&self, positions: &[Encoded]) -> Result<Vec<Raw>, String> {
        let mut outputs = Vec::with_capacity(positions.len());
        for part in positions.chunks(self.greatest()) {
            outputs.extend(self.evaluate_part(part)?);
        }
        Ok(outputs)
    }
}

#[cfg(test)]
mod tests {
    use burn::backend::Flex;
    use burn::tensor::module::conv2d;
    use burn::tensor::ops::ConvOptions;
    use rukh_chess::Position;

    use super::*;
    use crate::cpu::CpuModel;
    use crate::file::{NetworkFile, Part, Size, parts};

    /// The CPU backend, which is there to test the model.
    impl Convolve for Flex {
        fn convolve(x: Tensor<Self, 4>, weight: Tensor<Self, 4>, bias: Tensor<Self, 1>) -> Tensor<Self, 4> {
            let same = ConvOptions::new([1, 1], [1, 1], [1, 1], 1);
            let channels_first = |tensor: Tensor<Self, 4>| tensor.permute([0, 3, 1, 2]);
            conv2d(channels_first(x), channels_first(weight), Some(bias), same).permute([0, 2, 3, 1])
        }
    }

    /// A network of random weights.
    fn weights(size: Size, seed: u64) -> Weights {
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

    /// The same network in plain loops and in tensors, in batches that are filled up and ones that are divided.
    #[test]
    fn tensors_give_what_loops_give() {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Qk - 3 9",
            "8/5pk1/6p1/1p2P3/2p2P2/2P3K1/1P6/8 w - - 57 90",
            "2bk3r/R7/3Bp3/p3P2p/3p2p1/1P5P/5PP1/6K1 b - - 1 33",
            "8/P6k/8/8/8/8/8/K7 w - - 0 1",
        ];
        let encode = |fen: &str| {
            let position: Position = fen.parse().expect("it is a position");
            Encoded::new(&position, &position.legal_moves())
        };
        let positions = fens.map(encode);
        for size in [Size { width: 4, layers: 1 }, Size { width: 20, layers: 3 }] {
            let weights = weights(size, 7);
            let expected = CpuModel::new(&weights).evaluate(&positions);
            for batches in [&[1][..], &[2, 4], &[8]] {
                let tensors = Tensors::<Flex>::new(&weights, Shapes { batches, step: 64 });
                let found = tensors.evaluate(&positions).expect("a CPU does not fail");
                assert_eq!(found.len(), expected.len());
                for (one, other) in expected.iter().zip(&found) {
                    assert_eq!(one.logits.len(), other.logits.len());
                    let pairs =
                        one.values.iter().chain(&one.logits).zip(other.values.iter().chain(&other.logits));
                    for (one, other) in pairs {
                        assert!((one - other).abs() < 1e-3 * one.abs().max(1.0), "{size}: {one} {other}");
                    }
                }
            }
        }
    }
}
