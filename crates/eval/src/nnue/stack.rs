//! The layers above the first, for one number of men.

use std::array::from_fn;

use super::arch::{QB, QP, SECOND, THIRD};
use super::simd::{GROUPS, Group};

/// The weights of a stack. Its second layer is summed up in whole numbers; what is above is small, and done in floating point
/// in one order on every CPU.
#[derive(Clone, PartialEq, Debug)]
pub struct Stack {
    /// Of the second layer, group by group of four products.
    pub second: Box<[Group]>,
    /// Of the second layer itself.
    pub second_bias: [f32; SECOND],
    /// Of the third layer, for each number of the second.
    pub third: [[f32; THIRD]; SECOND],
    /// Of the third layer itself.
    pub third_bias: [f32; THIRD],
    /// Of the judgement.
    pub last: [f32; THIRD],
    /// What the judgement begins with.
    pub last_bias: f32,
}

/// Only finite numbers are let in.
impl Eq for Stack {}

/// What stands for 1 in the sums of the second layer.
pub const UNIT: f32 = QP * QB as f32;

impl Stack {
    /// Bytes of its weights in a file.
    pub const BYTES: usize = GROUPS * size_of::<Group>() + size_of::<f32>() * Self::FLOATS;
    const FLOATS: usize = SECOND + SECOND * THIRD + 2 * THIRD + 1;

    /// All zero.
    pub fn zero() -> Self {
        Self {
            second: vec![Group([[0; 4]; SECOND]); GROUPS].into(),
            second_bias: [0.0; SECOND],
            third: [[0.0; THIRD]; SECOND],
            third_bias: [0.0; THIRD],
            last: [0.0; THIRD],
            last_bias: 0.0,
        }
    }

    /// The floating-point weights in their order.
    pub fn floats(&self) -> impl Iterator<Item = f32> + '_ {
        let third = self.third.as_flattened();
        let last = std::slice::from_ref(&self.last_bias);
        [&self.second_bias, third, &self.third_bias, &self.last, last].into_iter().flatten().copied()
    }

    /// The same, to be written.
    pub fn floats_mut(&mut self) -> impl Iterator<Item = &mut f32> + '_ {
        let third = self.third.as_flattened_mut();
        let last = std::slice::from_mut(&mut self.last_bias);
        [&mut self.second_bias, third, &mut self.third_bias, &mut self.last, last].into_iter().flatten()
    }

    /// The judgement, from the sums of the second layer.
    #[inline(always)]
    pub(super) fn above(&self, sums: &[i32; SECOND]) -> f32 {
        /// Numbers that fill a register.
        const WIDTH: usize = 16;
        let squared = |number: f32| {
            let clipped = number.clamp(0.0, 1.0);
            clipped * clipped
        };
        let second: [f32; SECOND] = from_fn(|at| squared(sums[at] as f32 / UNIT + self.second_bias[at]));
        let mut parts = [0.0_f32; WIDTH];
        for start in (0..THIRD).step_by(WIDTH) {
            let mut third: [f32; WIDTH] = from_fn(|at| self.third_bias[start + at]);
            for (number, weights) in second.iter().zip(&self.third) {
                let weights: &[f32; WIDTH] = weights[start..][..WIDTH].try_into().expect("so many are left");
                for at in 0..WIDTH {
                    third[at] += number * weights[at];
                }
            }
            for at in 0..WIDTH {
                parts[at] += squared(third[at]) * self.last[start + at];
            }
        }
        parts.iter().sum::<f32>() + self.last_bias
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use rukh_chess::random::SplitMix64;

    /// Weights by lot.
    pub(in super::super) fn random(seed: u64) -> Stack {
        let mut random = SplitMix64::new(seed);
        let mut stack = Stack::zero();
        for weight in stack.second.iter_mut().flat_map(|group| group.0.as_flattened_mut()) {
            *weight = (random.below(41) as i64 - 20) as i8;
        }
        stack.floats_mut().for_each(|weight| *weight = random.share() as f32 - 0.5);
        stack
    }
}
