//! Activations: the non-linear functions between layers.
//!
//! It knows single numbers and slices of them, not layers. The trainer has the same functions in floating point.

/// An activation function. All but the first clip their inputs to [0, 1].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activation {
    /// None: the numbers as they are, after the output layer.
    Linear,
    /// Clipped ReLU: the clipped number.
    Crelu,
    /// Squared clipped ReLU: the square of the clipped number.
    Screlu,
    /// Pairwise product: each clipped number of the first half times its partner in the second half.
    Pairwise,
}

impl Activation {
    /// How many numbers come out where `width` go in.
    pub(crate) const fn outputs(self, width: usize) -> usize {
        match self {
            Self::Linear | Self::Crelu | Self::Screlu => width,
            Self::Pairwise => width / 2,
        }
    }

    /// Whether there is no activation.
    pub(crate) const fn is_linear(self) -> bool {
        matches!(self, Self::Linear)
    }

    /// The name in the literature.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Crelu => "CReLU",
            Self::Screlu => "SCReLU",
            Self::Pairwise => "pairwise",
        }
    }

    /// Writes the activations of the sums of a hidden layer to the front of `to`. The sums are shifted down to units of
    /// [`HIDDEN_ONE`], those of the activations.
    #[inline(always)]
    pub(super) fn apply(self, sums: &[i32], shift: u32, to: &mut [i16]) {
        let clip = |sum: i32| (sum >> shift).clamp(0, HIDDEN_ONE);
        let numbers = to.iter_mut().zip(sums);
        match self {
            Self::Crelu => numbers.for_each(|(to, &sum)| *to = clip(sum) as i16),
            Self::Screlu => {
                numbers.for_each(|(to, &sum)| *to = (clip(sum) * clip(sum) / HIDDEN_ONE) as i16);
            }
            Self::Linear | Self::Pairwise => unreachable!("the description has none after a hidden layer"),
        }
    }
}

/// The product of two numbers of the feature transformer, each clipped to 0 and [`PAIRWISE_ONE`]: half-units of
/// [`BYTE_ONE`] are rounded up.
#[inline(always)]
pub(super) fn pairwise_product(first: i16, second: i16) -> u8 {
    const DIVISOR: i32 = PAIRWISE_ONE * PAIRWISE_ONE / BYTE_ONE;
    let clip = |number: i16| i32::from(number).clamp(0, PAIRWISE_ONE);
    ((clip(first) * clip(second) + DIVISOR / 2) / DIVISOR) as u8
}

/// The integer that stands for 1 in the feature transformer before pairwise products.
pub(super) const PAIRWISE_ONE: i32 = 256;
/// The integer that stands for 1 in pairwise products. Two products with weights of eight bits fit in 16 bits.
pub(super) const BYTE_ONE: i32 = 128;
/// The bits of [`HIDDEN_ONE`].
pub(super) const HIDDEN_BITS: u32 = 13;
/// The integer that stands for 1 in the activations of hidden layers.
pub(super) const HIDDEN_ONE: i32 = 1 << HIDDEN_BITS;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_clipped_and_squared() {
        let sums = [-300, 8_191, 16_384, 1_000_000];
        let of = |activation: Activation| {
            let mut to = [0; 4];
            activation.apply(&sums, 1, &mut to);
            to
        };
        assert_eq!(of(Activation::Crelu), [0, 4_095, 8_192, 8_192]);
        assert_eq!(of(Activation::Screlu), [0, 2_047, 8_192, 8_192]);
    }

    #[test]
    fn products_are_clipped_and_rounded() {
        let product = pairwise_product;
        assert_eq!(
            (product(256, 256), product(300, 400), product(-1, 256), product(256, -300)),
            (128, 128, 0, 0)
        );
        // 0.4980 and 0.5 of a unit.
        assert_eq!((product(15, 17), product(16, 16), product(256, 3)), (0, 1, 2));
    }
}
