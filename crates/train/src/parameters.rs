//! The trained parameters: their shapes, which follow from the architecture, and the factoriser of king buckets.
//!
//! It knows plain lists of numbers, not how they are used.

use rukh_chess::random::SplitMix64;
use rukh_eval::nnue::Architecture;
use rukh_eval::nnue::description::Quantisation;
use rukh_eval::nnue::features::{MAX_PIECES, PIECE_SQUARES};

/// The numbers of every part.
pub type Numbers = Vec<Vec<f32>>;

/// A matrix of parameters.
///
/// The parts are the weights of the feature transformer, a row for each feature; its biases; for each dense layer the
/// weights, a row for each input and a column for each neuron of each output bucket, and the biases; and last, with more
/// than one king bucket, the factoriser: weights that are added to those of the feature in every bucket, so that what
/// holds for all buckets is learnt once.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Part {
    /// Rows and columns.
    pub shape: [usize; 2],
    /// The first values are random numbers up to this magnitude.
    pub spread: f64,
    /// The greatest magnitude, which quantisation allows.
    pub max: f32,
    /// The integer that stands for 1 in the quantised network.
    pub one: f32,
}

impl Part {
    fn new(shape: [usize; 2], spread: f64, quantisation: Quantisation) -> Self {
        let one = quantisation.one as f32;
        Self { shape, spread, max: quantisation.max as f32 / one, one }
    }

    /// How many numbers it has.
    pub fn len(&self) -> usize {
        self.shape[0] * self.shape[1]
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Whether the feature transformer is trained with a factoriser.
pub fn has_factoriser(architecture: &Architecture) -> bool {
    architecture.inputs.buckets() > 1
}

/// The parts of an architecture.
pub fn parts(architecture: &Architecture) -> Vec<Part> {
    let Architecture { inputs, transformer, dense, output_buckets, .. } = architecture;
    let spread_of = |inputs: usize| (1.0 / inputs as f64).sqrt();
    let mut features =
        Part::new([inputs.features(), transformer.width], spread_of(MAX_PIECES), transformer.weights);
    let mut factoriser = Part { shape: [PIECE_SQUARES, transformer.width], ..features };
    if has_factoriser(architecture) {
        // Their sum is what is quantised. Buckets start alike.
        (features.spread, features.max) = (0.0, features.max / 2.0);
        factoriser.max = features.max;
    }
    let mut parts = vec![features, Part::new([1, transformer.width], 0.0, transformer.bias)];
    for (at, layer) in dense.iter().enumerate() {
        let (inputs, neurons) = (architecture.inputs_of(at), output_buckets * layer.width);
        parts.push(Part::new([inputs, neurons], spread_of(inputs), layer.weights));
        parts.push(Part::new([1, neurons], 0.0, layer.bias));
    }
    if has_factoriser(architecture) {
        parts.push(factoriser);
    }
    parts
}

/// Small random numbers for every part.
pub fn random(architecture: &Architecture, seed: u64) -> Numbers {
    let mut random = SplitMix64::new(seed);
    let mut number = |spread: f64| ((2.0 * random.share() - 1.0) * spread) as f32;
    parts(architecture).iter().map(|part| (0..part.len()).map(|_| number(part.spread)).collect()).collect()
}

/// The weights as the quantised network will have them. Weights of king buckets are rounded together with the factoriser,
/// which is added to them and stays as it is.
pub fn rounded(architecture: &Architecture, numbers: &Numbers) -> Numbers {
    let round = |number: f32, part: &Part| (number * part.one).round_ties_even() / part.one;
    let parts = parts(architecture);
    let mut rounded: Numbers = numbers
        .iter()
        .zip(&parts)
        .map(|(numbers, part)| numbers.iter().map(|number| round(*number, part)).collect())
        .collect();
    if has_factoriser(architecture) {
        let last = numbers.len() - 1;
        rounded[last].clone_from(&numbers[last]);
        let merged = merged_features(architecture, numbers);
        for ((rounded, number), merged) in rounded[0].iter_mut().zip(&numbers[0]).zip(merged) {
            *rounded = number + (round(merged, &parts[0]) - merged);
        }
    }
    rounded
}

/// The weights of the feature transformer as inference has them: with the factoriser added, if there is one.
pub fn merged_features(architecture: &Architecture, numbers: &Numbers) -> Vec<f32> {
    let mut features = numbers[0].clone();
    if has_factoriser(architecture) {
        let factoriser = &numbers[numbers.len() - 1];
        for bucket in features.chunks_mut(factoriser.len()) {
            bucket.iter_mut().zip(factoriser).for_each(|(weight, shared)| *weight += shared);
        }
    }
    features
}

/// The gradient of the factoriser: the sum of the gradients of all buckets.
pub fn factoriser_gradient(architecture: &Architecture, features: &[f32]) -> Vec<f32> {
    let mut gradient = vec![0.0; PIECE_SQUARES * architecture.transformer.width];
    for bucket in features.chunks(gradient.len()) {
        gradient.iter_mut().zip(bucket).for_each(|(sum, gradient)| *sum += gradient);
    }
    gradient
}
