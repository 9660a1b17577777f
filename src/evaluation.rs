//! What positions are judged by, as an argument.

use std::path::PathBuf;
use std::sync::Arc;

use rukh_eval::nnue::simd::Instructions;
use rukh_eval::{Evaluation, Network};

/// What positions are judged by.
#[derive(clap::Args, Clone)]
pub(crate) struct EvaluationArgs {
    /// AnyEvaluator positions by terms that a person can name, not by a network
    #[arg(long, conflicts_with_all = ["eval_file", "instructions"])]
    classical: bool,

    /// A network other than the one that is built in
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,

    /// What the sums of the network are made with: scalar, avx2, avx512 or neon, all with the same results [default: the
    /// best that the CPU has]
    #[arg(long, value_name = "FAMILY")]
    instructions: Option<Instructions>,
}

impl EvaluationArgs {
    /// The evaluation that is meant.
    pub(crate) fn evaluation(&self) -> Result<Evaluation, String> {
        if self.classical {
            return Ok(Evaluation::Classical);
        }
        let mut network = match &self.eval_file {
            None => Network::built_in(),
            Some(path) => Arc::new(Network::load(path)?),
        };
        if let Some(instructions) = self.instructions {
            network = Arc::new(Network::clone(&network).with(instructions));
        }
        Ok(Evaluation::Network(network))
    }
}
