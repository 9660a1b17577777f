//! Evaluation options: classical, or an NNUE network.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rukh_eval::nnue::simd::Instructions;
use rukh_eval::{Evaluation, Network};

/// How positions are evaluated.
#[derive(clap::Args, Clone)]
pub(crate) struct EvaluationArgs {
    /// Use the classical evaluation instead of the NNUE network
    #[arg(long, conflicts_with_all = ["eval_file", "instructions"])]
    classical: bool,

    /// Use this NNUE network instead of the built-in one
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,

    /// SIMD instructions for the network: scalar, avx2, avx512 or neon; all give the same result [default: the fastest of
    /// this CPU]
    #[arg(long, value_name = "FAMILY")]
    instructions: Option<Instructions>,
}

impl EvaluationArgs {
    /// The chosen evaluation.
    pub(crate) fn evaluation(&self) -> Result<Evaluation, String> {
        if self.classical {
            return Ok(Evaluation::Classical);
        }
        let network = match &self.eval_file {
            None => self.with_instructions(Network::built_in()),
            Some(path) => self.network(path)?,
        };
        Ok(Evaluation::Network(network))
    }

    /// The network of a file.
    pub(crate) fn network(&self, path: &Path) -> Result<Arc<Network>, String> {
        Ok(self.with_instructions(Arc::new(Network::load(path)?)))
    }

    fn with_instructions(&self, network: Arc<Network>) -> Arc<Network> {
        match self.instructions {
            Some(instructions) => Arc::new(Network::clone(&network).with(instructions)),
            None => network,
        }
    }
}
