//! Sums over whole layers: one vocabulary, one file for each family of CPUs, all with the same results bit for bit.
//!
//! What the CPU has is found out when a network is made ready. Every function of the vocabulary has its twin in `scalar`, and
//! tests compare all that the machine has.

#![allow(unsafe_code)]

mod lane;
pub mod scalar;

#[cfg(target_arch = "x86_64")]
pub mod avx2;
#[cfg(target_arch = "x86_64")]
pub mod avx512;
#[cfg(target_arch = "aarch64")]
pub mod neon;

use std::fmt;
use std::str::FromStr;

pub use lane::{GROUPS, Group, Lane, Products, WEIGHT_MAX};

use super::stack::Stack;

/// The families of instructions that sums are written for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instructions(Family);

// Private, so that a family that the CPU lacks cannot be named: calls rely on it.
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

impl Instructions {
    /// What every CPU has.
    pub const SCALAR: Self = Self(Family::Scalar);

    /// All that this CPU has, the best last.
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

    /// The best that this CPU has.
    pub fn best() -> Self {
        Self::here().pop().unwrap_or(Self::SCALAR)
    }

    /// What a stack makes of the first layers of both views.
    #[inline]
    pub fn judge(self, own: &Lane, theirs: &Lane, stack: &Stack) -> f32 {
        match self.0 {
            Family::Scalar => scalar::judge(own, theirs, stack),
            // SAFETY: instructions are named only where the CPU has them.
            #[cfg(target_arch = "x86_64")]
            Family::Avx2 => unsafe { avx2::judge(own, theirs, stack) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Family::Avx512 => unsafe { avx512::judge(own, theirs, stack) },
            // SAFETY: as above.
            #[cfg(target_arch = "aarch64")]
            Family::Neon => unsafe { neon::judge(own, theirs, stack) },
        }
    }

    /// Makes `to` what `from` is with some lanes added and some removed.
    #[inline]
    pub fn change(self, to: &mut Lane, from: &Lane, added: &[&Lane], removed: &[&Lane]) {
        match self.0 {
            Family::Scalar => scalar::change(to, from, added, removed),
            // SAFETY: instructions are named only where the CPU has them.
            #[cfg(target_arch = "x86_64")]
            Family::Avx2 => unsafe { avx2::change(to, from, added, removed) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Family::Avx512 => unsafe { avx512::change(to, from, added, removed) },
            // SAFETY: as above.
            #[cfg(target_arch = "aarch64")]
            Family::Neon => unsafe { neon::change(to, from, added, removed) },
        }
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

/// The name of one that this CPU has.
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
    use super::super::arch::{HIDDEN, PRODUCTS, QA, SECOND};
    use super::*;
    use rukh_chess::random::SplitMix64;

    fn lanes() -> Vec<(Lane, Lane)> {
        let mut random = SplitMix64::new(11);
        let mut lane = || {
            let mut lane = Lane::ZERO;
            lane.0.iter_mut().for_each(|number| *number = (random.below(1_001) as i64 - 400) as i16);
            lane
        };
        let mut lanes: Vec<_> = (0..200).map(|_| (lane(), lane())).collect();
        // The most and the least that can come out, and numbers that have run over.
        lanes.push((Lane([QA as i16; HIDDEN]), Lane([i16::MAX; HIDDEN])));
        lanes.push((Lane([i16::MIN; HIDDEN]), Lane([QA as i16; HIDDEN])));
        lanes
    }

    /// What a stack says, without any thought of speed.
    fn plain(own: &Lane, theirs: &Lane, stack: &Stack) -> f32 {
        let mut sums = [0_i32; SECOND];
        for (view, lane) in [own, theirs].into_iter().enumerate() {
            for at in 0..PRODUCTS {
                let clipped = |at: usize| i64::from(lane.0[at]).clamp(0, i64::from(QA));
                let product = clipped(at) * clipped(at + PRODUCTS) / 512;
                let place = view * PRODUCTS + at;
                for (sum, weights) in sums.iter_mut().zip(&stack.second[place / 4].0) {
                    *sum += product as i32 * i32::from(weights[place % 4]);
                }
            }
        }
        stack.above(&sums)
    }

    #[test]
    fn all_that_this_machine_has_agree() {
        let lanes = lanes();
        let stacks = [1, 2].map(super::super::stack::tests::random);
        for (own, theirs) in &lanes {
            for stack in &stacks {
                let expected = plain(own, theirs, stack);
                for family in Instructions::here() {
                    assert_eq!(family.judge(own, theirs, stack).to_bits(), expected.to_bits(), "{family}");
                }
            }
        }
        let mut random = SplitMix64::new(5);
        for _ in 0..200 {
            let mut some = || (0..random.below(5)).map(|_| &lanes[random.below(200) as usize].0).collect();
            let (added, removed): (Vec<&Lane>, Vec<&Lane>) = (some(), some());
            let from = &lanes[random.below(200) as usize].0;
            let mut expected = from.0.map(i64::from);
            for (at, sum) in expected.iter_mut().enumerate() {
                *sum += added.iter().map(|lane| i64::from(lane.0[at])).sum::<i64>();
                *sum -= removed.iter().map(|lane| i64::from(lane.0[at])).sum::<i64>();
            }
            for family in Instructions::here() {
                let mut to = Lane::ZERO;
                family.change(&mut to, from, &added, &removed);
                assert_eq!(to.0.map(i64::from), expected, "{family}");
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
