//! Searches of single positions on one thread, and walks through their trees.

use std::sync::Arc;

use rukh_chess::game::Game;
use rukh_chess::{Move, Position};
use rukh_eval::{Evaluation, PolicyNetwork, Score};

use super::super::arena::ROOT;
use super::super::leaf::{Leaf, LeafEvaluator};
use super::super::slot::Slot;
use super::super::thread::Mcts;
use super::super::tree::Tree;
use super::super::value::ValueModel;
use super::super::wdl::WinDrawLoss;
use crate::api::{Limits, Request};
use crate::clock::TimePlan;
use crate::search::{Job, Searcher, SharedState, ThreadResult};
use crate::technique::{Technique, TechniqueOverrides};
use crate::transposition::TranspositionTable;

/// Leaves by static evaluation, so that tests are fast.
pub(super) fn without_leaf_search() -> TechniqueOverrides {
    TechniqueOverrides::these([Technique::LeafSearch])
}

/// A tree search of one thread, with its tree.
pub(super) struct Bench {
    pub(super) tree: Arc<Tree>,
    pub(super) searcher: Mcts,
    pub(super) overrides: TechniqueOverrides,
    pub(super) table: Arc<TranspositionTable>,
}

impl Bench {
    /// A search with the default evaluation, the handcrafted prior and a tree of `mebibytes`. It does not change with the
    /// built-in policy network.
    pub(super) fn new(mebibytes: usize) -> Self {
        Self::with(mebibytes, |tree| Mcts::new(tree, &Evaluation::default(), None))
    }

    /// The same with the built-in policy network.
    pub(super) fn with_policy(mebibytes: usize) -> Self {
        Self::with(mebibytes, |tree| Mcts::new(tree, &Evaluation::default(), PolicyNetwork::built_in()))
    }

    /// A search with uniform priors and leaves evaluated by `value`.
    pub(super) fn with_values(mebibytes: usize, value: fn(&Position) -> WinDrawLoss) -> Self {
        Self::with_batches(mebibytes, value, 1)
    }

    /// The same in batches.
    pub(super) fn with_batches(mebibytes: usize, value: fn(&Position) -> WinDrawLoss, batch: usize) -> Self {
        Self::with(mebibytes, |tree| Mcts::with_evaluator(tree, Box::new(Values { value, batch }), false))
    }

    pub(super) fn with(mebibytes: usize, searcher: impl FnOnce(Arc<Tree>) -> Mcts) -> Self {
        let tree = Arc::new(Tree::new(mebibytes << 20, 1).expect("there is memory"));
        let table = Arc::new(TranspositionTable::new(1, 1).expect("a mebibyte is available"));
        Self { searcher: searcher(tree.clone()), tree, overrides: without_leaf_search(), table }
    }

    /// Searches the current position of `game`.
    pub(super) fn search(&mut self, game: &Game, limits: Limits) -> Option<ThreadResult> {
        self.search_by(game, limits, None)
    }

    /// The same with time limits.
    pub(super) fn search_by(
        &mut self,
        game: &Game,
        limits: Limits,
        plan: Option<TimePlan>,
    ) -> Option<ThreadResult> {
        let job = self.prepared(game, limits, plan);
        self.searcher.search(&job, 0)
    }

    /// The search with its tree prepared and its clock running.
    pub(super) fn prepared(&self, game: &Game, limits: Limits, plan: Option<TimePlan>) -> Job {
        let shared = SharedState::single_threaded(self.table.clone(), limits.clone());
        let shared = Arc::new(SharedState { plan, ..shared });
        let job = Job::silent(shared, Request { game: game.clone(), limits }, self.overrides);
        Mcts::prepare(&self.tree, &job, true);
        job
    }

    /// Searches a position with a number of nodes.
    pub(super) fn nodes(&mut self, fen: &str, nodes: u64) -> Option<ThreadResult> {
        self.search(&game(fen), Limits { nodes: Some(nodes), ..Limits::default() })
    }
}

pub(super) fn game(fen: &str) -> Game {
    Game::new(fen.parse().expect("the positions are valid"))
}

/// Uniform priors and given values.
struct Values {
    value: fn(&Position) -> WinDrawLoss,
    batch: usize,
}

impl LeafEvaluator for Values {
    fn begin(&mut self, _job: &Job, _index: usize) {}

    fn value_model(&self) -> ValueModel {
        ValueModel::new(Score::DRAW, 1)
    }

    fn batch_size(&self) -> usize {
        self.batch
    }

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        for leaf in leaves {
            leaf.wdl = (self.value)(&leaf.position);
            leaf.logits.clear();
            leaf.logits.resize(leaf.moves.len(), 0.0);
        }
    }
}

/// Visits every slot of the tree with its position, the children of each after it.
pub(super) fn walk(tree: &Tree, root: &Position, visit: &mut impl FnMut(&Position, &Slot, Option<&[Slot]>)) {
    fn step(
        tree: &Tree,
        at: u32,
        position: &Position,
        visit: &mut impl FnMut(&Position, &Slot, Option<&[Slot]>),
    ) {
        let children = tree.arena.children_of(at);
        visit(position, tree.slot(at), children.map(|(_, children)| children));
        let Some((first, children)) = children else { return };
        for (index, child) in children.iter().enumerate().filter(|(_, child)| child.visits() > 0) {
            let mv: Move = child.mv().expect("a child has a move");
            step(tree, first + index as u32, &position.after(mv), visit);
        }
    }
    step(tree, ROOT, root, visit);
}
