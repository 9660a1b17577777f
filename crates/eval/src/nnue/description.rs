//! The description of an architecture: layers with a width, an activation, a quantisation and sections of the file.
//!
//! It knows sizes and names, and derives from them the shapes, the sections and the hash. It must not know which
//! architecture is current.

use std::fmt;

use super::activation::{Activation, BYTE_ONE, HIDDEN_ONE, PAIRWISE_ONE};
use super::features::{InputSet, MAX_PIECES, PIECE_SQUARES};
use super::simd::{HIDDEN_MAX, Row};

/// A kind of network: the type through which code is compiled for one architecture.
pub trait NetworkKind: Copy + PartialEq + Eq + fmt::Debug + Send + Sync + 'static {
    /// A row of the feature transformer, as wide as the layer is.
    type Row: Row;
    /// The architecture.
    const ARCHITECTURE: Architecture;
}

/// The layers of a network from below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Architecture {
    /// The input features.
    pub inputs: InputSet,
    /// The feature transformer, whose weights are those of the features; both perspectives share it.
    pub transformer: Layer,
    /// The dense layers: hidden layers, then the output, whose width is 1.
    pub dense: &'static [Layer],
    /// Sets of dense layers, of which the number of pieces chooses one.
    pub output_buckets: usize,
    /// Internal units of an output of 1, and the scale of the logistic curve that is learnt.
    pub scale: i32,
}

/// One layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layer {
    /// Its name, after which its sections of the file are called.
    pub name: &'static str,
    /// Neurons.
    pub width: usize,
    /// The activation that follows; the output is linear.
    pub activation: Activation,
    /// The quantisation of the weights.
    pub weights: Quantisation,
    /// The quantisation of the biases: the unit is that of the sums which they are added to.
    pub bias: Quantisation,
}

impl Layer {
    /// Numbers that the next layer gets.
    pub(crate) const fn outputs(&self) -> usize {
        self.activation.outputs(self.width)
    }
}

/// Quantisation: how real numbers become integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quantisation {
    /// The integer that stands for 1.
    pub one: i32,
    /// The greatest magnitude; the trainer clips to it.
    pub max: i32,
    /// The type in the file.
    pub stored: Stored,
}

/// The integer types of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    /// One byte.
    I8,
    /// Two bytes.
    I16,
    /// Four bytes.
    I32,
}

impl Stored {
    /// Bytes of one number.
    pub const fn bytes(self) -> usize {
        match self {
            Self::I8 => 1,
            Self::I16 => 2,
            Self::I32 => 4,
        }
    }
}

/// The version of the file format.
pub const VERSION: u32 = 1;

impl Architecture {
    /// The integer that stands for 1 in accumulators and activations.
    #[inline]
    pub const fn one(&self) -> i32 {
        self.transformer.weights.one
    }

    /// Whether pairwise products feed the dense layers: the form for hidden layers. The other form is SCReLU and an output
    /// layer alone.
    pub(crate) const fn is_pairwise(&self) -> bool {
        matches!(self.transformer.activation, Activation::Pairwise)
    }

    /// The integer that stands for 1 in the inputs of a dense layer. The squares of SCReLU are brought back to that of the
    /// accumulators.
    pub(crate) const fn one_of_inputs(&self, dense: usize) -> i32 {
        if !self.is_pairwise() {
            self.one()
        } else if dense == 0 {
            BYTE_ONE
        } else {
            HIDDEN_ONE
        }
    }

    /// The same layers with one bucket for all squares of the king.
    pub const fn without_king_buckets(self) -> Self {
        Self { inputs: InputSet::ONE_BUCKET, ..self }
    }

    /// The output layer.
    pub const fn output(&self) -> &Layer {
        &self.dense[self.dense.len() - 1]
    }

    /// Inputs of a dense layer.
    pub const fn inputs_of(&self, dense: usize) -> usize {
        if dense == 0 { 2 * self.transformer.outputs() } else { self.dense[dense - 1].outputs() }
    }

    /// The output bucket for so many pieces.
    #[inline]
    pub const fn output_bucket(&self, pieces: u32) -> usize {
        let pieces_per_bucket = (MAX_PIECES / self.output_buckets) as u32;
        let bucket = (pieces.saturating_sub(2) / pieces_per_bucket) as usize;
        if bucket < self.output_buckets { bucket } else { self.output_buckets - 1 }
    }

    /// Refuses, when it is compiled, a description that the code does not hold for.
    pub(crate) const fn assert_valid(&self, row_width: usize) {
        assert!(self.transformer.width == row_width, "the rows are as wide as the feature transformer");
        if self.is_pairwise() {
            assert!(self.one() == PAIRWISE_ONE, "the products of both halves have the unit of bytes");
            assert!(row_width.is_multiple_of(128), "the products are whole registers");
            assert!(self.dense.len() > 1, "pairwise products feed a hidden layer");
        } else {
            assert!(matches!(self.transformer.activation, Activation::Screlu), "SCReLU or pairwise products");
            assert!(self.dense.len() == 1, "hidden layers need pairwise products");
            assert!(0 < self.one() && self.one() <= 255, "squares of activations fit in 16 bits");
        }
        assert!(self.transformer.bias.one == self.one(), "the accumulator has one unit");
        let rows = MAX_PIECES as i32 * self.transformer.weights.max;
        assert!(rows + self.transformer.bias.max <= i16::MAX as i32, "an accumulator fits in 16 bits");
        assert!(0 < self.output_buckets && self.output_buckets <= MAX_PIECES, "every bucket has pieces");
        assert!(!self.dense.is_empty() && self.output().width == 1, "there is one output");
        let mut at = 0;
        while at < self.dense.len() {
            let layer = &self.dense[at];
            assert!(layer.width <= HIDDEN_MAX, "hidden layers have room on the stack");
            let is_output = at + 1 == self.dense.len();
            let is_activation = matches!(layer.activation, Activation::Crelu | Activation::Screlu);
            assert!(layer.activation.is_linear() == is_output, "the output alone is linear");
            assert!(is_output || is_activation, "CReLU or SCReLU after a hidden layer");
            let one = self.one_of_inputs(at) * layer.weights.one;
            assert!(layer.bias.one == one, "biases have the unit of the sums");
            let is_shift = one % HIDDEN_ONE == 0 && (one / HIDDEN_ONE).count_ones() == 1;
            assert!(is_output || is_shift, "sums are shifted to the unit of activations");
            if at == 0 {
                assert!(layer.weights.max <= 127, "products with activations fit in 16 bits");
            } else {
                let products = self.inputs_of(at) as i64 * HIDDEN_ONE as i64 * layer.weights.max as i64;
                assert!(products + layer.bias.max as i64 <= i32::MAX as i64, "sums fit in 32 bits");
            }
            at += 1;
        }
    }

    /// The hash that identifies the architecture in the header of a file.
    pub const fn hash(&self) -> u64 {
        let mut hash = Hash(VERSION as u64);
        hash.mix(self.inputs.features() as u64);
        hash.mix(self.transformer.width as u64);
        hash.mix(self.output_buckets as u64);
        hash.mix(self.one() as u64);
        hash.mix(self.output().weights.one as u64);
        hash.mix(self.scale as u64);
        // Everything that the first architecture did not have is mixed in where it differs.
        if self.inputs.buckets() > 1 {
            let mut at = 0;
            while at < InputSet::KING_SQUARES {
                hash.mix(self.inputs.king_buckets[at] as u64);
                at += 1;
            }
        }
        if !matches!(self.transformer.activation, Activation::Screlu) {
            hash.mix(self.transformer.activation as u64);
        }
        let mut at = 0;
        while at < self.dense.len() {
            let layer = &self.dense[at];
            if at + 1 < self.dense.len() {
                hash.mix(layer.width as u64);
                hash.mix(layer.weights.one as u64);
                hash.mix(layer.activation as u64);
            }
            if !matches!(layer.weights.stored, Stored::I16) {
                hash.mix(layer.weights.stored.bytes() as u64);
            }
            at += 1;
        }
        hash.0
    }

    /// The sections of the file, in their order.
    pub fn sections(&self) -> Vec<Section> {
        let rows = |layer: &Layer, part: &str, rows: usize, columns: usize, quantisation| Section {
            name: format!("{} {part}", layer.name),
            rows,
            columns,
            quantisation,
        };
        let first = &self.transformer;
        let mut sections = vec![
            rows(first, "weights", self.inputs.features(), first.width, first.weights),
            rows(first, "biases", 1, first.width, first.bias),
        ];
        for (at, layer) in self.dense.iter().enumerate() {
            let neurons = self.output_buckets * layer.width;
            sections.push(rows(layer, "weights", neurons, self.inputs_of(at), layer.weights));
            sections.push(rows(layer, "biases", 1, neurons, layer.bias));
        }
        sections
    }
}

/// Integers of one kind in the file: the weights or the biases of a layer.
///
/// Weights of the feature transformer have a row for each feature; those of dense layers a row for each neuron, output
/// bucket by output bucket, with the inputs of the side to move first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// What is in it.
    pub name: String,
    /// Rows, one after the other.
    pub rows: usize,
    /// Numbers of a row.
    pub columns: usize,
    /// Their quantisation.
    pub quantisation: Quantisation,
}

impl Section {
    /// Numbers.
    pub fn count(&self) -> usize {
        self.rows * self.columns
    }

    /// Bytes in the file.
    pub fn bytes(&self) -> usize {
        self.count() * self.quantisation.stored.bytes()
    }
}

struct Hash(u64);

impl Hash {
    const fn mix(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    }
}

/// The usual notation, such as `(768x4 -> 1024 pairwise)x2 -> (16 CReLU -> 1)x8`.
impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |layer: &Layer| match layer.activation {
            Activation::Linear => layer.width.to_string(),
            activation => format!("{} {}", layer.width, activation.name()),
        };
        write!(f, "({PIECE_SQUARES}")?;
        if self.inputs.buckets() > 1 {
            write!(f, "x{}", self.inputs.buckets())?;
        }
        let dense: Vec<_> = self.dense.iter().map(named).collect();
        let buckets = self.output_buckets;
        write!(f, " -> {})x2 -> ({})x{buckets}", named(&self.transformer), dense.join(" -> "))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::arch::Current;
    use super::super::simd::AlignedRow;
    use super::*;
    use std::collections::HashSet;

    /// Two king buckets, the first two ranks and the others.
    const TWO_BUCKETS: InputSet = {
        let mut king_buckets = [1; InputSet::KING_SQUARES];
        let mut at = 0;
        while at < 8 {
            king_buckets[at] = 0;
            at += 1;
        }
        InputSet { king_buckets }
    };

    const fn transformer(width: usize, activation: Activation) -> Layer {
        let one = if matches!(activation, Activation::Pairwise) { 256 } else { 255 };
        let sixteen = Quantisation { one, max: 505, stored: Stored::I16 };
        Layer { name: "feature transformer", width, activation, weights: sixteen, bias: sixteen }
    }

    /// A layer whose inputs are products.
    const fn first(name: &'static str, width: usize, activation: Activation) -> Layer {
        let weights = Quantisation { one: 64, max: 127, stored: Stored::I8 };
        let bias = Quantisation { one: 128 * 64, max: 1 << 24, stored: Stored::I32 };
        Layer { name, width, activation, weights, bias }
    }

    /// A layer whose inputs are those of a hidden layer.
    const fn above(name: &'static str, width: usize, activation: Activation) -> Layer {
        let weights = Quantisation { one: 256, max: 2_047, stored: Stored::I16 };
        let bias = Quantisation { one: 8_192 * 256, max: 1 << 24, stored: Stored::I32 };
        Layer { name, width, activation, weights, bias }
    }

    const OUTPUT: Layer = Layer {
        name: "output",
        width: 1,
        activation: Activation::Linear,
        weights: Quantisation { one: 128, max: 127, stored: Stored::I16 },
        bias: Quantisation { one: 255 * 128, max: i32::MAX, stored: Stored::I32 },
    };

    /// The architecture of the first files.
    const FIRST: Architecture = Architecture {
        inputs: InputSet::ONE_BUCKET,
        transformer: transformer(1024, Activation::Screlu),
        dense: &[OUTPUT],
        output_buckets: 8,
        scale: 165,
    };

    macro_rules! kind {
        ($(#[$doc:meta])* $name:ident, $width:literal, $architecture:expr) => {
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            pub(in super::super) struct $name;

            impl NetworkKind for $name {
                type Row = AlignedRow<$width>;
                const ARCHITECTURE: Architecture = $architecture;
            }

            const _: () = $name::ARCHITECTURE.assert_valid($width);
        };
    }

    kind! {
        /// The layers of the first architecture in other sizes: two king buckets, width 32, three output buckets.
        Small, 32, Architecture {
            inputs: TWO_BUCKETS,
            transformer: transformer(32, Activation::Screlu),
            output_buckets: 3,
            ..FIRST
        }
    }

    kind! {
        /// The same without king buckets.
        SmallOneBucket, 32, Small::ARCHITECTURE.without_king_buckets()
    }

    kind! {
        /// Pairwise products and two hidden layers, the first wider than a group of neurons.
        Stacked, 128, Architecture {
            inputs: TWO_BUCKETS,
            transformer: transformer(128, Activation::Pairwise),
            dense: &[
                first("first hidden layer", 18, Activation::Crelu),
                above("second hidden layer", 32, Activation::Screlu),
                above("output", 1, Activation::Linear),
            ],
            scale: 200,
            ..FIRST
        }
    }

    #[test]
    fn every_number_of_pieces_has_an_output_bucket() {
        let bucket = |pieces| FIRST.output_bucket(pieces);
        assert_eq!((bucket(2), bucket(5), bucket(6), bucket(32)), (0, 0, 1, 7));
        for architecture in [FIRST, Small::ARCHITECTURE, Current::ARCHITECTURE] {
            let all: HashSet<_> = (2..=32).map(|pieces| architecture.output_bucket(pieces)).collect();
            assert_eq!(all, (0..architecture.output_buckets).collect());
            assert!((2..32).all(|n| architecture.output_bucket(n) <= architecture.output_bucket(n + 1)));
        }
    }

    /// The hash of the first files stays what it was; any other description has another one.
    #[test]
    fn architectures_have_different_hashes() {
        assert_eq!(FIRST.hash(), 0xA28C_ED67_94A3_B3AD);
        let mut turned = TWO_BUCKETS;
        turned.king_buckets.reverse();
        let all = [
            FIRST,
            Small::ARCHITECTURE,
            Stacked::ARCHITECTURE,
            Architecture { inputs: TWO_BUCKETS, ..FIRST },
            Architecture { inputs: turned, ..FIRST },
            Architecture { transformer: transformer(1024, Activation::Crelu), ..FIRST },
            Architecture { transformer: transformer(1024, Activation::Pairwise), ..FIRST },
            Architecture { dense: &Stacked::ARCHITECTURE.dense[1..], ..FIRST },
            Architecture { dense: &Stacked::ARCHITECTURE.dense[2..], ..FIRST },
            Architecture { output_buckets: 4, ..FIRST },
            Architecture { scale: 166, ..FIRST },
        ];
        assert_eq!(all.iter().map(Architecture::hash).collect::<HashSet<_>>().len(), all.len());
    }

    #[test]
    fn sections_follow_from_the_layers() {
        let sections = |architecture: Architecture| -> Vec<(String, usize, usize)> {
            let all = architecture.sections().into_iter();
            all.map(|section| (section.name.clone(), section.count(), section.bytes())).collect()
        };
        let named = |name: &str, len: usize, bytes: usize| (name.to_owned(), len, bytes);
        assert_eq!(
            sections(FIRST),
            [
                named("feature transformer weights", 768 * 1024, 2 * 768 * 1024),
                named("feature transformer biases", 1024, 2 * 1024),
                named("output weights", 8 * 2048, 2 * 8 * 2048),
                named("output biases", 8, 32),
            ]
        );
        let stacked = sections(Stacked::ARCHITECTURE);
        assert_eq!(stacked[0], named("feature transformer weights", 1_536 * 128, 2 * 1_536 * 128));
        assert_eq!(stacked[2], named("first hidden layer weights", 8 * 18 * 128, 8 * 18 * 128));
        assert_eq!(stacked[4], named("second hidden layer weights", 8 * 32 * 18, 2 * 8 * 32 * 18));
        assert_eq!(stacked[7], named("output biases", 8, 32));
    }

    #[test]
    fn an_architecture_has_the_usual_notation() {
        assert_eq!(FIRST.to_string(), "(768 -> 1024 SCReLU)x2 -> (1)x8");
        let stacked = "(768x2 -> 128 pairwise)x2 -> (18 CReLU -> 32 SCReLU -> 1)x8";
        assert_eq!(Stacked::ARCHITECTURE.to_string(), stacked);
    }
}
