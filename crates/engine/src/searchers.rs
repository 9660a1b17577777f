//! The searchers of an engine: its search algorithm with the memory that its threads share.
//!
//! This is the only module that chooses an algorithm. The engine, its thread pool and [`SyncSearcher`](crate::SyncSearcher)
//! use the trait [`Searcher`].

use std::sync::Arc;

use rukh_eval::{Evaluation, PolicyNetwork};

use crate::algorithm::Algorithm;
use crate::alphabeta::{AlphaBeta, search_observed};
pub(crate) use crate::alphabeta::{InnerNode, NodeSearch};
use crate::api::OutOfMemory;
use crate::mcts::{Mcts, MctsTree, RootPolicy, RootTarget, Tree, root_target};
use crate::search::{Job, Searcher, ThreadResult};
use crate::transposition::TranspositionTable;
use crate::witness::Witness;

/// Of the memory of a tree search, one part in so many is the transposition table, which leaf searches use.
const TABLE_PART: usize = 4;

/// Makes the searcher of each thread.
#[derive(Clone, Debug)]
pub(crate) struct Searchers {
    algorithm: Algorithm,
    evaluation: Evaluation,
    /// The policy network of a tree search.
    policy: Option<Arc<PolicyNetwork>>,
    table: Arc<TranspositionTable>,
    /// The tree of a tree search.
    tree: Option<Arc<Tree>>,
}

impl Searchers {
    /// Searchers with `mebibytes` of memory, initialised by `threads` threads.
    pub(crate) fn new(
        algorithm: Algorithm,
        evaluation: Evaluation,
        policy: Option<Arc<PolicyNetwork>>,
        mebibytes: usize,
        threads: usize,
    ) -> Result<Self, OutOfMemory> {
        let out_of_memory = OutOfMemory { mebibytes };
        if algorithm == Algorithm::AlphaBeta {
            let table = Arc::new(TranspositionTable::new(mebibytes, threads)?);
            return Ok(Self { algorithm, evaluation, policy, table, tree: None });
        }
        let bytes = mebibytes.checked_mul(1 << 20).ok_or(out_of_memory)?;
        let for_table = if algorithm == Algorithm::Mcts { bytes / TABLE_PART } else { 0 };
        let table = TranspositionTable::with_bytes(for_table, threads).ok_or(out_of_memory)?;
        let tree = Tree::new(bytes - for_table, threads).ok_or(out_of_memory)?;
        Ok(Self { algorithm, evaluation, policy, table: Arc::new(table), tree: Some(Arc::new(tree)) })
    }

    /// The same searchers with another evaluation.
    #[must_use]
    pub(crate) fn with_evaluation(self, evaluation: Evaluation) -> Self {
        Self { evaluation, ..self }
    }

    /// The same searchers with another policy network, or without one.
    #[must_use]
    pub(crate) fn with_policy(self, policy: Option<Arc<PolicyNetwork>>) -> Self {
        Self { policy, ..self }
    }

    /// The algorithm.
    pub(crate) fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The evaluation.
    pub(crate) fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// The policy network.
    pub(crate) fn policy(&self) -> Option<&Arc<PolicyNetwork>> {
        self.policy.as_ref()
    }

    /// The transposition table.
    pub(crate) fn table(&self) -> &Arc<TranspositionTable> {
        &self.table
    }

    /// Whether the search has a tree.
    pub(crate) fn has_tree(&self) -> bool {
        self.tree.is_some()
    }

    /// A view of the tree, where the search has one.
    pub(crate) fn tree_view(&self) -> Option<MctsTree> {
        self.tree.as_ref().map(MctsTree::new)
    }

    /// What the last tree search teaches about its root; `None` for a search without a tree.
    pub(crate) fn root_target(&self, policy: RootPolicy) -> Option<RootTarget> {
        root_target(self.tree.as_ref()?, policy)
    }

    /// A searcher for one thread.
    pub(crate) fn searcher(&self) -> Box<dyn Searcher> {
        match (self.algorithm, &self.tree) {
            (Algorithm::AlphaBeta, _) | (_, None) => Box::new(AlphaBeta::new(&self.evaluation)),
            (Algorithm::Mcts, Some(tree)) => {
                Box::new(Mcts::new(tree.clone(), &self.evaluation, self.policy.clone()))
            }
            (Algorithm::Uct, Some(tree)) => Box::new(Mcts::uct(tree.clone())),
        }
    }

    /// Prepares the shared memory for a search, before its threads start.
    pub(crate) fn prepare(&self, job: &Job) {
        if let Some(tree) = &self.tree {
            Mcts::prepare(tree, job);
        }
    }

    /// Clears the shared memory. No thread may be searching.
    pub(crate) fn clear(&self, threads: usize) {
        self.table.clear(threads);
        self.tree.iter().for_each(|tree| tree.clear());
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
