//! Instruction families: which of them this CPU has, and the dispatch of every kernel to one of them.

use std::fmt;
use std::str::FromStr;

use super::super::activation::Activation;
use super::aligned::{AlignedBytes, AlignedRow, BlockTile, HiddenRow, PairTile};
#[cfg(target_arch = "x86_64")]
use super::avx2;
#[cfg(target_arch = "x86_64")]
use super::avx512;
#[cfg(target_arch = "aarch64")]
use super::neon;
use super::scalar;

/// A family of SIMD instructions that this CPU has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instructions(Family);

// Private, so that a family that the CPU lacks cannot be constructed: the calls below rely on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Family {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

/// Calls a kernel of the family.
macro_rules! dispatch {
    ($family:expr, $kernel:ident($($argument:expr),*)) => {
        match $family {
            Family::Scalar => scalar::$kernel($($argument),*),
            // SAFETY: a family is constructed only where the CPU has it.
            #[cfg(target_arch = "x86_64")]
            Family::Avx2 => unsafe { avx2::$kernel($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Family::Avx512 => unsafe { avx512::$kernel($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "aarch64")]
            Family::Neon => unsafe { neon::$kernel($($argument),*) },
        }
    };
}

impl Instructions {
    /// Plain loops, which every CPU can run.
    pub(crate) const SCALAR: Self = Self(Family::Scalar);

    /// All families that this CPU has, the best last.
    pub fn here() -> Vec<Self> {
        let mut families = vec![Self::SCALAR];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                families.push(Self(Family::Avx2));
            }
            if is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vnni") {
                families.push(Self(Family::Avx512));
            }
        }
        #[cfg(target_arch = "aarch64")]
        families.push(Self(Family::Neon));
        families
    }

    /// The best family that this CPU has.
    pub fn best() -> Self {
        Self::here().pop().unwrap_or(Self::SCALAR)
    }

    /// The SCReLU dot product: the sum of the weights times the squares of the numbers, clipped to 0 and `one`.
    ///
    /// The result is exact if `one` is at most 255 and no weight is beyond
    /// [`SCRELU_WEIGHT_MAX`](super::SCRELU_WEIGHT_MAX).
    #[inline(always)]
    pub(crate) fn screlu_dot<const N: usize>(
        self,
        numbers: &AlignedRow<N>,
        weights: &AlignedRow<N>,
        one: i16,
    ) -> i64 {
        dispatch!(self.0, screlu_dot(numbers, weights, one))
    }

    /// Sets `to` to `from` with some rows added and some subtracted.
    #[inline(always)]
    pub(crate) fn update<const N: usize>(
        self,
        to: &mut AlignedRow<N>,
        from: &AlignedRow<N>,
        added: &[&AlignedRow<N>],
        removed: &[&AlignedRow<N>],
    ) {
        dispatch!(self.0, update(to, from, added, removed));
    }

    /// The first dense layer after pairwise products: `sums` become the bias plus the products of the weights with the
    /// [pairwise products](Activation::Pairwise) of both rows, the first half of each row times its second half. Blocks of
    /// four products that are all zero are skipped.
    ///
    /// The weights are tiles, group by group of the biases, in each block by block of the products.
    #[inline(always)]
    pub(crate) fn pairwise_layer<const N: usize>(
        self,
        rows: [&AlignedRow<N>; 2],
        weights: &[BlockTile],
        bias: &[i32],
        sums: &mut [i32],
    ) {
        dispatch!(self.0, pairwise_layer(rows, weights, bias, sums));
    }

    /// The activations of the sums of a hidden layer, whole groups, which are shifted down before by `shift` bits.
    #[inline(always)]
    pub(crate) fn activate(self, activation: Activation, shift: u32, sums: &[i32], to: &mut HiddenRow) {
        dispatch!(self.0, activate(activation, shift, sums, to));
    }

    /// A hidden layer above another: `sums` become the bias plus the products of the weights with the activations of the
    /// layer below.
    ///
    /// The weights are tiles, group by group of the biases, in each pair by pair of the activations.
    #[inline(always)]
    pub(crate) fn dense_layer(
        self,
        numbers: &HiddenRow,
        weights: &[PairTile],
        bias: &[i32],
        sums: &mut [i32],
    ) {
        dispatch!(self.0, dense_layer(numbers, weights, bias, sums));
    }

    /// The sum of the products of the activations of a hidden layer with their weights.
    #[inline(always)]
    pub(crate) fn hidden_dot(self, numbers: &HiddenRow, weights: &HiddenRow) -> i32 {
        dispatch!(self.0, hidden_dot(numbers, weights))
    }

    /// The squares of the numbers, clipped to 0 and `one`, shifted down by `shift` bits. A square must fit in 15 bits, and a
    /// shifted one in a byte.
    #[inline]
    pub(crate) fn square_to_bytes<const N: usize>(
        self,
        numbers: &AlignedRow<N>,
        one: i16,
        shift: u32,
        to: &mut AlignedBytes<u8, N>,
    ) {
        dispatch!(self.0, square_to_bytes(numbers, one, shift, to));
    }

    /// The sum of the products. No number may be above 128, so that two products fit in 16 bits.
    #[inline]
    pub(crate) fn dot_bytes<const N: usize>(
        self,
        numbers: &AlignedBytes<u8, N>,
        weights: &AlignedBytes<i8, N>,
    ) -> i32 {
        dispatch!(self.0, dot_bytes(numbers, weights))
    }
}

impl fmt::Display for Instructions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Family::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Family::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Family::Avx512 => "avx512",
            #[cfg(target_arch = "aarch64")]
            Family::Neon => "neon",
        })
    }
}

/// The name of a family that this CPU has.
impl FromStr for Instructions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let here = Self::here();
        here.iter().copied().find(|family| family.to_string() == text).ok_or_else(|| {
            let names: Vec<_> = here.iter().map(Self::to_string).collect();
            format!("this CPU has no instructions {text:?}; it has {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::scalar::{SCRELU_ONE_MAX, SCRELU_WEIGHT_MAX};
    use super::*;
    use rukh_chess::random::SplitMix64;

    fn random_row<const N: usize>(random: &mut SplitMix64, low: i64, high: i64) -> AlignedRow<N> {
        AlignedRow([0; N].map(|_: i16| (low + random.below((high - low + 1) as u64) as i64) as i16))
    }

    /// Accumulators with weights.
    fn rows<const N: usize>() -> Vec<(AlignedRow<N>, AlignedRow<N>)> {
        let mut random = SplitMix64::new(11);
        let most = i64::from(SCRELU_WEIGHT_MAX);
        let mut rows: Vec<_> = (0..200)
            .map(|_| (random_row(&mut random, -400, 600), random_row(&mut random, -most, most)))
            .collect();
        // The greatest and least sums that can come out, and accumulators that have overflowed.
        for (number, weight) in [
            (SCRELU_ONE_MAX, SCRELU_WEIGHT_MAX),
            (i16::MAX, -SCRELU_WEIGHT_MAX),
            (i16::MIN, SCRELU_WEIGHT_MAX),
        ] {
            rows.push((AlignedRow([number; N]), AlignedRow([weight; N])));
        }
        rows
    }

    /// The sum of `term` over pairs, in 64 bits.
    fn plain_dot(numbers: &[i16], weights: &[i16], term: impl Fn(i64) -> i64) -> i64 {
        numbers.iter().zip(weights).map(|(&number, &weight)| term(number.into()) * i64::from(weight)).sum()
    }

    fn families_agree<const N: usize>() {
        let rows = rows::<N>();
        for (numbers, weights) in &rows {
            let one = SCRELU_ONE_MAX;
            let expected = plain_dot(&numbers.0, &weights.0, |number| number.clamp(0, one.into()).pow(2));
            for family in Instructions::here() {
                assert_eq!(family.screlu_dot(numbers, weights, one), expected, "{family}, width {N}");
            }
        }
        let mut random = SplitMix64::new(5);
        for _ in 0..200 {
            let mut some = || (0..random.below(5)).map(|_| &rows[random.below(200) as usize].0).collect();
            let (added, removed): (Vec<&AlignedRow<N>>, Vec<&AlignedRow<N>>) = (some(), some());
            let from = &rows[random.below(200) as usize].0;
            let mut expected = from.0.map(i64::from);
            for (at, sum) in expected.iter_mut().enumerate() {
                *sum += added.iter().map(|row| i64::from(row.0[at])).sum::<i64>();
                *sum -= removed.iter().map(|row| i64::from(row.0[at])).sum::<i64>();
            }
            for family in Instructions::here() {
                let mut to = AlignedRow([0; N]);
                family.update(&mut to, from, &added, &removed);
                assert_eq!(to.0.map(i64::from), expected, "{family}, width {N}");
            }
        }
    }

    /// Widths below a tile, of a tile that is not wide, as they are now, and beyond what one 32-bit sum holds.
    #[test]
    fn families_agree_on_rows() {
        families_agree::<32>();
        families_agree::<96>();
        families_agree::<1024>();
        families_agree::<5120>();
    }

    /// Rows of which all products are zero, some, and none; two groups of neurons.
    fn families_agree_on_pairwise_layers<const N: usize>() {
        let mut random = SplitMix64::new(3);
        for (low, high) in [(-400, 300), (-30, 20), (-400, -1), (256, 256), (-32_768, 32_767)] {
            let rows = [(); 2].map(|()| random_row::<N>(&mut random, low, high));
            let tile = |random: &mut SplitMix64| {
                AlignedBytes([0; 64].map(|_: i8| (random.below(255) as i64 - 127) as i8))
            };
            let weights: Vec<_> = (0..2 * N / 4).map(|_| tile(&mut random)).collect();
            let products: Vec<i64> = rows
                .iter()
                .flat_map(|row| row.0[..N / 2].iter().zip(&row.0[N / 2..]))
                .map(|(&a, &b)| (i64::from(a.clamp(0, 256)) * i64::from(b.clamp(0, 256)) + 256) >> 9)
                .collect();
            let mut bias = [7; 32];
            bias[31] = -1_000_000;
            let expected: Vec<i64> = (0..32)
                .map(|neuron| {
                    let weight = |input: usize| {
                        weights[neuron / 16 * N / 4 + input / 4].0[neuron % 16 * 4 + input % 4]
                    };
                    let sum =
                        products.iter().enumerate().map(|(at, product)| product * i64::from(weight(at)));
                    i64::from(bias[neuron]) + sum.sum::<i64>()
                })
                .collect();
            for family in Instructions::here() {
                let mut sums = [1; 32];
                family.pairwise_layer(rows.each_ref(), &weights, &bias, &mut sums);
                assert_eq!(sums.map(i64::from).to_vec(), expected, "{family}, width {N}, up to {high}");
            }
        }
    }

    #[test]
    fn families_agree_on_products() {
        families_agree_on_pairwise_layers::<128>();
        families_agree_on_pairwise_layers::<1024>();
    }

    #[test]
    fn families_agree_on_activations_and_dots() {
        let mut random = SplitMix64::new(4);
        let sums = random_row::<64>(&mut random, -20_000, 30_000).0.map(i32::from);
        let weights = random_row(&mut random, -4_000, 4_000);
        for activation in [Activation::Crelu, Activation::Screlu] {
            let number = |at: usize| {
                let clipped = i64::from((sums[at] >> 1).clamp(0, 8_192));
                if activation == Activation::Screlu { clipped * clipped / 8_192 } else { clipped }
            };
            for width in [16, 32, 64] {
                let numbers: Vec<i64> = (0..64).map(|at| if at < width { number(at) } else { 0 }).collect();
                let dot: i64 = numbers.iter().zip(&weights.0).map(|(a, &b)| a * i64::from(b)).sum();
                for family in Instructions::here() {
                    let mut row = AlignedRow([0; 64]);
                    family.activate(activation, 1, &sums[..width], &mut row);
                    assert_eq!(row.0.map(i64::from).to_vec(), numbers, "{family}, {activation:?}, {width}");
                    assert_eq!(i64::from(family.hidden_dot(&row, &weights)), dot, "{family}, {width}");
                }
            }
        }
    }

    #[test]
    fn families_agree_on_dense_layers() {
        let mut random = SplitMix64::new(9);
        let numbers = random_row(&mut random, 0, 8_192);
        for (inputs, groups) in [(16, 1), (16, 2), (32, 2), (64, 1), (48, 3), (64, 4)] {
            let weights: Vec<_> =
                (0..groups * inputs / 2).map(|_| random_row::<32>(&mut random, -4_000, 4_000)).collect();
            let expected = |neuron: usize| -> i64 {
                let weight = |at: usize| weights[(neuron / 16 * inputs + at) / 2].0[neuron % 16 * 2 + at % 2];
                (0..inputs).map(|at| i64::from(numbers.0[at]) * i64::from(weight(at))).sum::<i64>() - 5
            };
            let expected: Vec<i64> = (0..16 * groups).map(expected).collect();
            for family in Instructions::here() {
                let mut sums = [1; 64];
                family.dense_layer(&numbers, &weights, &[-5; 64][..16 * groups], &mut sums);
                let sums: Vec<i64> = sums[..16 * groups].iter().map(|&sum| sum.into()).collect();
                assert_eq!(sums, expected, "{family}, {inputs} inputs, {groups} groups");
            }
        }
    }

    #[test]
    fn families_agree_on_bytes() {
        let mut random = SplitMix64::new(8);
        for _ in 0..100 {
            let row = random_row::<512>(&mut random, -300, 300);
            let weights =
                AlignedBytes(random_row::<512>(&mut random, -128, 127).0.map(|weight| weight as i8));
            let squares = row.0.map(|number| i64::from(number).clamp(0, 127).pow(2) >> 7);
            let sum: i64 =
                squares.iter().zip(weights.0).map(|(&number, weight)| number * i64::from(weight)).sum();
            for family in Instructions::here() {
                let mut bytes = AlignedBytes([0; 512]);
                family.square_to_bytes(&row, 127, 7, &mut bytes);
                assert_eq!(bytes.0.map(i64::from), squares, "{family}");
                assert_eq!(i64::from(family.dot_bytes(&bytes, &weights)), sum, "{family}");
            }
        }
    }

    #[test]
    fn instructions_have_names() {
        for family in Instructions::here() {
            assert_eq!(family.to_string().parse(), Ok(family));
        }
        let refused = "mmx".parse::<Instructions>().expect_err("there is no code for it");
        assert!(refused.contains("it has scalar"), "{refused}");
    }
}
