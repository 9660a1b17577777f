//! Activations: the non-linear functions between layers.
//!
//! It knows single numbers and slices of them, not layers. The trainer has the same functions in floating point.

/// An activation function. All but the first clip their inputs to [0, 1], which is 0 to `one` in integers.
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

    /// Writes the activations of `numbers` to the front of `to`, both in units of `one`; products are rounded down.
    ///
    /// `one` is at most 255.
    #[inline(always)]
    pub(super) fn apply(self, numbers: &[i16], one: i16, to: &mut [i16]) {
        let clip = |number: i16| i32::from(number.clamp(0, one));
        let one = i32::from(one);
        match self {
            Self::Linear => to[..numbers.len()].copy_from_slice(numbers),
            Self::Crelu => {
                to.iter_mut().zip(numbers).for_each(|(to, &number)| *to = clip(number) as i16);
            }
            Self::Screlu => {
                to.iter_mut()
                    .zip(numbers)
                    .for_each(|(to, &number)| *to = (clip(number) * clip(number) / one) as i16);
            }
            Self::Pairwise => {
                let (first, second) = numbers.split_at(numbers.len() / 2);
                to.iter_mut()
                    .zip(first.iter().zip(second))
                    .for_each(|(to, (&a, &b))| *to = (clip(a) * clip(b) / one) as i16);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_clipped_squared_and_multiplied() {
        let numbers = [-300, 51, 255, 400];
        let of = |activation: Activation| {
            let mut to = vec![0; activation.outputs(numbers.len())];
            activation.apply(&numbers, 255, &mut to);
            to
        };
        assert_eq!(of(Activation::Linear), numbers);
        assert_eq!(of(Activation::Crelu), [0, 51, 255, 255]);
        assert_eq!(of(Activation::Screlu), [0, 10, 255, 255]);
        assert_eq!(of(Activation::Pairwise), [0, 51]);
    }
}
