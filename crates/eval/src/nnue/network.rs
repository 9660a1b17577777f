//! The quantised network: its weights in integers, for any architecture.
//!
//! It knows positions as lists of pieces, neither search nor files.

use std::fmt;

use rukh_chess::{Color, Piece};

use super::description::{Architecture, NetworkKind, Section};
use super::features::{Perspective, PlacedPiece};
use super::layers::DenseLayers;
use super::simd::{Instructions, Row};

/// A network of integer weights.
#[derive(Clone, PartialEq, Eq)]
pub struct QuantisedNetwork<K: NetworkKind> {
    description: String,
    /// The weights of the feature transformer: a row for each feature.
    features: Box<[K::Row]>,
    bias: K::Row,
    dense: DenseLayers<K::Row>,
    instructions: Instructions,
}

impl<K: NetworkKind> fmt::Debug for QuantisedNetwork<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QuantisedNetwork").field("description", &self.description).finish_non_exhaustive()
    }
}

/// Weights that are no network of this architecture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadWeights {
    /// The sections are not those of the architecture.
    Sections,
    /// A weight is greater than its quantisation allows.
    TooGreat {
        /// The section it is in.
        section: String,
        /// The weight.
        weight: i32,
        /// The greatest magnitude there.
        max: i32,
    },
}

impl fmt::Display for BadWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sections => f.write_str("its sections are not those of the architecture"),
            Self::TooGreat { section, weight, max } => {
                write!(f, "a number of its {section} is {weight}, beyond {max}")
            }
        }
    }
}

impl std::error::Error for BadWeights {}

/// Longer descriptions are cut.
pub(super) const DESCRIPTION_MAX: usize = 4_096;

impl<K: NetworkKind> QuantisedNetwork<K> {
    /// The architecture.
    pub const ARCHITECTURE: Architecture = K::ARCHITECTURE;

    /// A network of these integers, in the [sections](Architecture::sections) of the architecture.
    pub fn new(description: &str, sections: &[Vec<i32>]) -> Result<Self, BadWeights> {
        const { K::ARCHITECTURE.assert_valid(K::Row::WIDTH) };
        let expected = K::ARCHITECTURE.sections();
        let lengths = expected.iter().map(Section::count);
        if !lengths.eq(sections.iter().map(Vec::len)) {
            return Err(BadWeights::Sections);
        }
        for (Section { name, quantisation, .. }, numbers) in expected.into_iter().zip(sections) {
            let max = quantisation.max;
            if let Some(&weight) = numbers.iter().find(|weight| weight.unsigned_abs() > max.unsigned_abs()) {
                return Err(BadWeights::TooGreat { section: name, weight, max });
            }
        }
        let row = |numbers: &[i32]| {
            let mut row = K::Row::ZERO;
            row.numbers_mut().iter_mut().zip(numbers).for_each(|(to, &weight)| *to = weight as i16);
            row
        };
        let network = Self {
            description: String::new(),
            features: sections[0].chunks(K::Row::WIDTH).map(row).collect(),
            bias: row(&sections[1]),
            dense: DenseLayers::new(&K::ARCHITECTURE, &sections[2..]),
            instructions: Instructions::best(),
        };
        Ok(network.described(description))
    }

    /// A network of zero weights, which evaluates every position as zero.
    pub fn zero() -> Self {
        let sections: Vec<_> =
            K::ARCHITECTURE.sections().iter().map(|section| vec![0; section.count()]).collect();
        Self::new("zero weights", &sections).expect("the sections are those of the architecture")
    }

    /// All its integers, as [`Self::new`] takes them.
    pub fn sections(&self) -> Vec<Vec<i32>> {
        let numbers = |row: &K::Row| row.numbers().iter().map(|&weight| weight.into()).collect::<Vec<i32>>();
        let mut sections = vec![self.features.iter().flat_map(numbers).collect(), numbers(&self.bias)];
        sections.extend(self.dense.sections(&K::ARCHITECTURE));
        sections
    }

    /// How it was trained.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The same network with another description.
    #[must_use]
    pub fn described(self, description: &str) -> Self {
        let description = description.chars().take(DESCRIPTION_MAX / 4).collect();
        Self { description, ..self }
    }

    /// The same network with other SIMD instructions, which change its speed alone.
    #[must_use]
    pub fn with(self, instructions: Instructions) -> Self {
        Self { instructions, ..self }
    }

    /// The SIMD instructions that it uses.
    pub fn instructions(&self) -> Instructions {
        self.instructions
    }

    /// Evaluates a board with these pieces from scratch, in internal units for `side`, which is to move.
    pub fn evaluate(&self, side: Color, pieces: &[PlacedPiece]) -> i32 {
        self.evaluate_in(K::ARCHITECTURE.output_bucket(pieces.len() as u32), side, pieces)
    }

    /// The same with a given output bucket, which may be that of another number of pieces.
    pub(super) fn evaluate_in(&self, bucket: usize, side: Color, pieces: &[PlacedPiece]) -> i32 {
        let accumulator = |of: Color| {
            let king = pieces.iter().find(|placed| placed.color == of && placed.piece == Piece::King);
            let perspective = king.map_or_else(Perspective::default, |king| {
                K::ARCHITECTURE.inputs.perspective(of, king.square)
            });
            let rows: Vec<_> =
                pieces.iter().map(|&placed| self.feature(perspective.feature(of, placed))).collect();
            let mut sums = K::Row::ZERO;
            self.update(&mut sums, &self.bias, &rows, &[]);
            sums
        };
        self.forward([&accumulator(side), &accumulator(!side)], bucket)
    }

    /// Sets `to` to `from` with some rows added and some subtracted.
    #[inline(always)]
    pub(super) fn update(&self, to: &mut K::Row, from: &K::Row, added: &[&K::Row], removed: &[&K::Row]) {
        to.update(self.instructions, from, added, removed);
    }

    /// The weights of a feature.
    #[inline]
    pub(super) fn feature(&self, feature: usize) -> &K::Row {
        &self.features[feature]
    }

    /// The biases of the feature transformer: the accumulator of an empty board.
    pub(super) fn bias(&self) -> &K::Row {
        &self.bias
    }

    /// Internal units for the side to move, from the accumulators of the side to move and of the other side.
    #[inline]
    pub(super) fn forward(&self, accumulators: [&K::Row; 2], bucket: usize) -> i32 {
        self.dense.forward(&K::ARCHITECTURE, self.instructions, accumulators, bucket)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::activation::Activation;
    use super::super::arch::Current;
    use super::super::description::tests::{Small, Stacked};
    use super::super::description::{Layer, Quantisation};
    use super::*;
    use rukh_chess::Position;
    use rukh_chess::random::SplitMix64;

    /// A network of random weights.
    pub(in super::super) fn random<K: NetworkKind>(seed: u64) -> QuantisedNetwork<K> {
        let mut random = SplitMix64::new(seed);
        let sections = K::ARCHITECTURE.sections().into_iter().enumerate().map(|(at, section)| {
            let Quantisation { one, max, .. } = section.quantisation;
            // Accumulators of the size that trained ones have.
            let most = i64::from(if at < 2 { one / 4 } else { max.min(one) });
            (0..section.count()).map(|_| (random.below(2 * most as u64 + 1) as i64 - most) as i32).collect()
        });
        let sections: Vec<_> = sections.collect();
        QuantisedNetwork::new("random weights", &sections).expect("no weight is too great")
    }

    /// All layers in 64-bit integers, straight from the sections.
    fn by_hand<K: NetworkKind>(network: &QuantisedNetwork<K>, position: &Position) -> i64 {
        let Architecture { inputs, transformer, dense, scale, .. } = K::ARCHITECTURE;
        let one = i64::from(transformer.weights.one);
        let pieces: Vec<PlacedPiece> = PlacedPiece::all_of(position).collect();
        let bucket = K::ARCHITECTURE.output_bucket(pieces.len() as u32);
        let sections = network.sections();
        let accumulator = |side: Color| -> Vec<i64> {
            let perspective = inputs.perspective(side, position.king(side));
            let weight = |placed: &PlacedPiece, at| {
                i64::from(sections[0][perspective.feature(side, *placed) * transformer.width + at])
            };
            let sum = |at: usize| -> i64 { pieces.iter().map(|placed| weight(placed, at)).sum() };
            (0..transformer.width).map(|at| i64::from(sections[1][at]) + sum(at)).collect()
        };
        let is_pairwise = transformer.activation == Activation::Pairwise;
        // Squares keep the unit of the accumulator twice.
        let transformed = |numbers: &[i64]| -> Vec<i64> {
            let clipped: Vec<i64> = numbers.iter().map(|number| (*number).clamp(0, one)).collect();
            let (first, second) = clipped.split_at(clipped.len() / 2);
            match is_pairwise {
                true => first.iter().zip(second).map(|(a, b)| (a * b + 256) >> 9).collect(),
                false => clipped.iter().map(|a| a * a).collect(),
            }
        };
        // Sums of hidden layers become numbers of 13 bits.
        let activated = |layer: &Layer, sum: i64| {
            let number = sum.div_euclid(i64::from(layer.bias.one) / 8_192).clamp(0, 8_192);
            if layer.activation == Activation::Screlu { number * number / 8_192 } else { number }
        };
        let side = position.side_to_move();
        let mut numbers: Vec<i64> =
            [side, !side].iter().flat_map(|&side| transformed(&accumulator(side))).collect();
        for (layer, sections) in dense.iter().zip(sections[2..].chunks(2)) {
            let neuron = |at: usize| -> i64 {
                let row = bucket * layer.width + at;
                let weights = &sections[0][row * numbers.len()..][..numbers.len()];
                let sum: i64 =
                    weights.iter().zip(&numbers).map(|(&weight, number)| i64::from(weight) * number).sum();
                (if is_pairwise { sum } else { sum / one }) + i64::from(sections[1][row])
            };
            let sums = (0..layer.width).map(neuron);
            numbers = match layer.activation {
                Activation::Linear => sums.collect(),
                _ => sums.map(|sum| activated(layer, sum)).collect(),
            };
        }
        numbers[0] * i64::from(scale) / i64::from(K::ARCHITECTURE.output().bias.one)
    }

    fn is_the_sum_of_its_layers<K: NetworkKind>() {
        let mut all = Vec::new();
        for fen in [
            "8/8/4k3/8/8/2P5/8/1K6 b - - 0 1",
            "r1bqk2r/ppp2ppp/2n5/3p4/3Pn3/2PB1N2/P1P2PPP/R1BQ1RK1 b kq - 1 8",
            "8/2p1k3/3p4/KP5r/1R3p2/8/4P1P1/8 w - - 0 1",
        ] {
            let position: Position = fen.parse().expect("it is valid");
            let pieces: Vec<PlacedPiece> = PlacedPiece::all_of(&position).collect();
            for instructions in Instructions::here() {
                let network = random::<K>(7).with(instructions);
                let value = i64::from(network.evaluate(position.side_to_move(), &pieces));
                assert_eq!(value, by_hand(&network, &position), "{fen} by {instructions}");
                all.push(value);
            }
        }
        assert!(all.iter().any(|value| *value != all[0]), "positions have different values");
    }

    #[test]
    fn the_output_is_that_of_the_layers_by_hand() {
        is_the_sum_of_its_layers::<Current>();
        is_the_sum_of_its_layers::<Small>();
        is_the_sum_of_its_layers::<Stacked>();
    }

    #[test]
    fn weights_of_another_architecture_are_refused() {
        let sections = random::<Small>(1).sections();
        assert_eq!(QuantisedNetwork::<Stacked>::new("", &sections), Err(BadWeights::Sections));
        assert!(QuantisedNetwork::<Small>::new("", &sections).is_ok());
        let start = Position::default();
        let pieces: Vec<PlacedPiece> = PlacedPiece::all_of(&start).collect();
        assert_eq!(QuantisedNetwork::<Stacked>::zero().evaluate(Color::White, &pieces), 0);
    }
}
