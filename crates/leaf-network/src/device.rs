//! Devices: where the network is evaluated, chosen at run time. A CPU is always there, a GPU with the feature `cuda`.
//!
//! It knows nothing of searches and of how batches are gathered.

use std::fmt;
use std::str::FromStr;

use rukh_engine::api::NetworkOutput;

use crate::cpu::{CpuModel, Raw};
use crate::encoding::{Encoded, LESSER_PROMOTION};
use crate::weights::Weights;

/// The backend of a network.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Backend {
    /// The CPU, in 32-bit floats. A result does not depend on the batch.
    #[default]
    Cpu,
    /// An NVIDIA GPU, in 16-bit floats.
    Cuda,
}

impl Backend {
    /// All backends, the default first.
    pub const ALL: [Self; 2] = [Self::Cpu, Self::Cuda];

    /// The name for options and command lines.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Cuda => "cuda",
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Backend {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|backend| backend.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| format!("there is no backend {name:?}; there are cpu and cuda"))
    }
}

/// The name of the thread that evaluates batches.
pub(crate) const THREAD_NAME: &str = "leaf network";

/// Whether this is the name of a thread that works for a device. When the library of a GPU fails it panics there; the network
/// recovers and uses the CPU, so a program that ends at every panic must not end at these.
pub fn is_device_thread(name: &str) -> bool {
    name == THREAD_NAME
}

/// A network on a device.
pub(crate) trait Device {
    /// The greatest number of positions that are evaluated at once.
    fn batch(&self) -> usize;

    /// The number of leaves of one search up to which a batch is faster than its leaves one by one.
    fn search_batch(&self) -> usize;

    /// Evaluates positions, or says why the device cannot.
    fn evaluate(&self, positions: &[Encoded]) -> Result<Vec<Raw>, String>;
}

/// The CPU.
pub(crate) fn cpu(weights: &Weights) -> Box<dyn Device> {
    Box::new(CpuModel::new(weights))
}

impl Device for CpuModel {
    fn batch(&self) -> usize {
        Self::threads()
    }

    /// The tree of a search does not depend on the number of processors, and a search can be stopped after every leaf.
    fn search_batch(&self) -> usize {
        1
    }

    fn evaluate(&self, positions: &[Encoded]) -> Result<Vec<Raw>, String> {
        Ok(Self::evaluate(self, positions))
    }
}

/// The output for a position from the numbers of the network.
pub(crate) fn output(position: &Encoded, raw: &Raw) -> NetworkOutput {
    let values = &raw.values[..3];
    let greatest = values.iter().copied().fold(f32::MIN, f32::max);
    let shares = [0, 1, 2].map(|at| (values[at] - greatest).exp());
    let sum: f32 = shares.iter().sum();
    let logit =
        |(logit, is_lesser): (&f32, &bool)| if *is_lesser { logit - LESSER_PROMOTION } else { *logit };
    NetworkOutput {
        wdl: shares.map(|share| share / sum),
        logits: raw.logits.iter().zip(&position.lesser).map(logit).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backends_have_names() {
        for backend in Backend::ALL {
            assert_eq!(backend.name().parse(), Ok(backend));
        }
        let error = "tpu".parse::<Backend>().expect_err("there is none");
        assert!(error.contains("tpu") && error.contains("cpu and cuda"), "{error}");
    }
}
