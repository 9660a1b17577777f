//! The search algorithms of the engine by name.
//!
//! This is the only module that names an algorithm. The engine, its thread pool and [`SyncSearcher`](crate::SyncSearcher)
//! use the trait [`Searcher`].

use rukh_eval::Evaluation;

use crate::alphabeta::{AlphaBeta, search_observed};
use crate::search::{Job, Searcher, ThreadResult};
use crate::witness::Witness;

/// A search algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Algorithm {
    /// Principal variation search with iterative deepening.
    #[default]
    AlphaBeta,
}

impl Algorithm {
    /// A searcher for one thread, which evaluates positions with `evaluation`.
    pub(crate) fn searcher(self, evaluation: &Evaluation) -> Box<dyn Searcher> {
        match self {
            Self::AlphaBeta => Box::new(AlphaBeta::new(evaluation)),
        }
    }
}

/// Runs an alpha-beta search that `witness` observes, on the calling thread. Returns its result and the witness.
pub(crate) fn observe<W: Witness>(
    evaluation: &Evaluation,
    job: &Job,
    witness: W,
) -> (Option<ThreadResult>, W) {
    search_observed(evaluation, job, witness)
}
