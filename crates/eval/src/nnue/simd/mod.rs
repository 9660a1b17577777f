//! Sums over whole layers: one vocabulary, one file for each family of CPUs, all with the same results bit for bit.
//!
//! What the CPU has is found out when a network is made ready. Every function of the vocabulary has its twin in `scalar`, and
//! tests compare all that the machine has.

#![allow(unsafe_code)]

pub mod scalar;
mod vector;

#[cfg(target_arch = "x86_64")]
pub mod avx2;
#[cfg(target_arch = "x86_64")]
pub mod avx512;
#[cfg(target_arch = "aarch64")]
pub mod neon;

use std::fmt;
use std::str::FromStr;

pub use vector::{HiddenVector, WEIGHT_MAX};

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

    /// The sum of the weights times the squares of the clipped numbers.
    ///
    /// No weight may be beyond [`WEIGHT_MAX`]: products would not fit.
    #[inline]
    pub fn screlu_dot(self, numbers: &HiddenVector, weights: &HiddenVector) -> i64 {
        match self.0 {
            Family::Scalar => scalar::screlu_dot(numbers, weights),
            // SAFETY: instructions are named only where the CPU has them.
            #[cfg(target_arch = "x86_64")]
            Family::Avx2 => unsafe { avx2::screlu_dot(numbers, weights) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Family::Avx512 => unsafe { avx512::screlu_dot(numbers, weights) },
            // SAFETY: as above.
            #[cfg(target_arch = "aarch64")]
            Family::Neon => unsafe { neon::screlu_dot(numbers, weights) },
        }
    }

    /// Makes `to` what `from` is with some rows added and some removed.
    #[inline]
    pub fn change(
        self,
        to: &mut HiddenVector,
        from: &HiddenVector,
        added: &[&HiddenVector],
        removed: &[&HiddenVector],
    ) {
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
    use super::super::arch::{HIDDEN, QA};
    use super::*;
    use rukh_chess::random::SplitMix64;

    fn rows() -> Vec<(HiddenVector, HiddenVector)> {
        let mut random = SplitMix64::new(11);
        let mut vector = |low: i64, high: i64| {
            let mut vector = HiddenVector::ZERO;
            vector
                .0
                .iter_mut()
                .for_each(|number| *number = (low + random.below((high - low + 1) as u64) as i64) as i16);
            vector
        };
        let most = i64::from(WEIGHT_MAX);
        let mut rows: Vec<_> = (0..200).map(|_| (vector(-400, 600), vector(-most, most))).collect();
        // The most and the least that can come out, and numbers that have run over.
        rows.push((HiddenVector([QA as i16; HIDDEN]), HiddenVector([WEIGHT_MAX; HIDDEN])));
        rows.push((HiddenVector([i16::MAX; HIDDEN]), HiddenVector([-WEIGHT_MAX; HIDDEN])));
        rows.push((HiddenVector([i16::MIN; HIDDEN]), HiddenVector([WEIGHT_MAX; HIDDEN])));
        rows
    }

    /// What the sum is, without any thought of speed.
    fn plain(numbers: &HiddenVector, weights: &HiddenVector) -> i64 {
        let term = |(&number, &weight): (&i16, &i16)| {
            let clipped = i64::from(number).clamp(0, i64::from(QA));
            clipped * clipped * i64::from(weight)
        };
        numbers.0.iter().zip(&weights.0).map(term).sum()
    }

    #[test]
    fn all_that_this_machine_has_agree() {
        let rows = rows();
        for (numbers, weights) in &rows {
            let expected = plain(numbers, weights);
            for family in Instructions::here() {
                assert_eq!(family.screlu_dot(numbers, weights), expected, "{family}");
            }
        }
        let mut random = SplitMix64::new(5);
        for _ in 0..200 {
            let mut some = || (0..random.below(5)).map(|_| &rows[random.below(200) as usize].0).collect();
            let (added, removed): (Vec<&HiddenVector>, Vec<&HiddenVector>) = (some(), some());
            let from = &rows[random.below(200) as usize].0;
            let mut expected = from.0.map(i64::from);
            for (at, sum) in expected.iter_mut().enumerate() {
                *sum += added.iter().map(|vector| i64::from(vector.0[at])).sum::<i64>();
                *sum -= removed.iter().map(|vector| i64::from(vector.0[at])).sum::<i64>();
            }
            for family in Instructions::here() {
                let mut to = HiddenVector::ZERO;
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
