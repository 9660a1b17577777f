//! The searchers of an engine: its search algorithm with the memory that its threads share.
//!
//! This is the only module that chooses an algorithm. The engine, its thread pool and [`SyncSearcher`](crate::SyncSearcher)
//! use the trait [`Searcher`].

use std::sync::Arc;

use rukh_eval::{Evaluation, PolicyNetwork};

use crate::algorithm::Algorithm;
use crate::alphabeta::{AlphaBeta, search_observed};
pub(crate) use crate::alphabeta::{InnerNode, NodeSearch};
use crate::api::{LeafNetwork, OutOfMemory};
use crate::mcts::{Mcts, MctsTree, RootPolicy, RootTarget, Tree, root_target};
use crate::search::{Job, Searcher, ThreadResult};
use crate::technique::{Technique, TechniqueSet};
use crate::transposition::TranspositionTable;
use crate::witness::Witness;

/// Of the memory of a tree search, one part in so many is the transposition table, which leaf searches use.
const TABLE_PART: usize = 4;

/// The policy network of a tree search.
#[derive(Clone, Debug)]
pub(crate) enum PolicyChoice {
    /// The built-in one. It is not read before a tree search needs it.
    BuiltIn,
    /// This one; without one the handcrafted prior.
    Given(Option<Arc<PolicyNetwork>>),
}

impl PolicyChoice {
    pub(crate) fn network(&self) -> Option<Arc<PolicyNetwork>> {
        match self {
            Self::BuiltIn => PolicyNetwork::built_in(),
            Self::Given(network) => network.clone(),
        }
    }
}

/// What positions are evaluated by.
#[derive(Clone, Debug)]
pub(crate) struct Evaluators {
    pub(crate) evaluation: Evaluation,
    /// The policy network of a tree search.
    pub(crate) policy: PolicyChoice,
    /// The network that evaluates the leaves of a tree search in place of the other two.
    pub(crate) leaf_network: Option<Arc<dyn LeafNetwork>>,
}

impl Evaluators {
    /// An evaluation and the built-in policy network.
    pub(crate) fn new(evaluation: Evaluation) -> Self {
        Self { evaluation, policy: PolicyChoice::BuiltIn, leaf_network: None }
    }
}

/// Makes the searcher of each thread.
#[derive(Clone, Debug)]
pub(crate) struct Searchers {
    algorithm: Algorithm,
    evaluators: Evaluators,
    table: Arc<TranspositionTable>,
    /// The tree of a tree search.
    tree: Option<Arc<Tree>>,
}

impl Searchers {
    /// Searchers with `mebibytes` of memory, initialised by `threads` threads.
    pub(crate) fn new(
        algorithm: Algorithm,
        evaluators: Evaluators,
        mebibytes: usize,
        threads: usize,
    ) -> Result<Self, OutOfMemory> {
        let out_of_memory = OutOfMemory { mebibytes };
        if algorithm == Algorithm::AlphaBeta {
            let table = Arc::new(TranspositionTable::new(mebibytes, threads)?);
            return Ok(Self { algorithm, evaluators, table, tree: None });
        }
        let bytes = mebibytes.checked_mul(1 << 20).ok_or(out_of_memory)?;
        let for_table = if algorithm == Algorithm::Mcts { bytes / TABLE_PART } else { 0 };
        let table = TranspositionTable::with_bytes(for_table, threads).ok_or(out_of_memory)?;
        let tree = Tree::new(bytes - for_table, threads).ok_or(out_of_memory)?;
        Ok(Self { algorithm, evaluators, table: Arc::new(table), tree: Some(Arc::new(tree)) })
    }

    /// The same searchers with other evaluators.
    #[must_use]
    pub(crate) fn with(&self, change: impl FnOnce(&mut Evaluators)) -> Self {
        let mut changed = self.clone();
        change(&mut changed.evaluators);
        changed
    }

    /// The algorithm.
    pub(crate) fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// What positions are evaluated by.
    pub(crate) fn evaluators(&self) -> &Evaluators {
        &self.evaluators
    }

    /// The transposition table.
    pub(crate) fn table(&self) -> &Arc<TranspositionTable> {
        &self.table
    }

    /// Whether the search has a tree.
    pub(crate) fn has_tree(&self) -> bool {
        self.tree.is_some()
    }

    /// The segments of the tree.
    #[cfg(test)]
    pub(crate) fn segments(&self) -> Option<usize> {
        self.tree.as_ref().map(|tree| tree.segments())
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
        let Evaluators { evaluation, policy, leaf_network } = &self.evaluators;
        match (self.algorithm, &self.tree) {
            (Algorithm::AlphaBeta, _) | (_, None) => Box::new(AlphaBeta::new(evaluation)),
            (Algorithm::Mcts, Some(tree)) => Box::new(match leaf_network {
                Some(network) => Mcts::with_network(tree.clone(), network.clone()),
                None => Mcts::new(tree.clone(), evaluation, policy.network()),
            }),
            (Algorithm::Uct, Some(tree)) => Box::new(Mcts::uct(tree.clone())),
        }
    }

    /// Prepares the shared memory for a search, before its threads start.
    pub(crate) fn prepare(&self, job: &Job) {
        if let Some(tree) = &self.tree {
            let has_leaf_searches = self.algorithm == Algorithm::Mcts
                && self.evaluators.leaf_network.is_none()
                && job.overrides.has(Technique::LeafSearch);
            Mcts::prepare(tree, job, !has_leaf_searches);
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
