//! The search algorithms of the engine by name.
//!
//! This is the only module that names an algorithm. The engine, its thread pool and [`SyncSearcher`](crate::SyncSearcher)
//! use the trait [`Searcher`].

use rukh_eval::Evaluation;

use crate::alphabeta::AlphaBeta;
use crate::search::Searcher;

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
