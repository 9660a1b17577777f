//! Node search: an inner node of an earlier search, searched alone with its line, window and depth.
//!
//! Transposition table and histories are empty at the start of each search, so the result depends on the node and the
//! techniques alone. Why the node is searched again is unknown here.

use std::sync::Arc;

use rukh_chess::Move;
use rukh_chess::game::Game;
use rukh_eval::{AnyEvaluator, Evaluation, Score};

use super::node::Window;
use super::worker::{PvNode, ScoutNode, Worker};
use crate::api::Limits;
use crate::search::SharedState;
use crate::technique::TechniqueOverrides;
use crate::transposition::TranspositionTable;

/// An inner node: how it is reached and how it is searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct InnerNode {
    /// The moves from the root; `None` for a null move. There is at least one.
    pub(crate) line: Vec<Option<Move>>,
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
    /// The depth; 0 in quiescence.
    pub(crate) depth: i32,
    pub(crate) is_cut: bool,
}

/// Searches inner nodes of one game, one after the other.
pub(crate) struct NodeSearch<'g> {
    worker: Worker<AnyEvaluator, TechniqueOverrides>,
    table: Arc<TranspositionTable>,
    game: &'g Game,
    /// The most nodes of one search.
    max_nodes: u64,
}

impl<'g> NodeSearch<'g> {
    /// Searches of at most `max_nodes` nodes below the current position of `game`, which use `table`.
    pub(crate) fn new(
        evaluation: &Evaluation,
        table: TranspositionTable,
        game: &'g Game,
        max_nodes: u64,
    ) -> Self {
        let (table, evaluator) = (Arc::new(table), AnyEvaluator::new(evaluation));
        let shared = Arc::new(SharedState::single_threaded(table.clone(), Limits::default()));
        let worker = Worker::new(shared, evaluator, TechniqueOverrides::default());
        Self { worker, table, game, max_nodes }
    }

    /// Searches a node with the default techniques except `overrides`. Returns the nodes searched and the score; no score if
    /// the node limit was reached.
    pub(crate) fn search(&mut self, node: &InnerNode, overrides: TechniqueOverrides) -> (u64, Option<Score>) {
        let limits = Limits { nodes: Some(self.max_nodes), ..Limits::default() };
        let shared = Arc::new(SharedState::single_threaded(self.table.clone(), limits));
        let worker = &mut self.worker;
        self.table.clear(1);
        worker.clear();
        worker.set_techniques(overrides);
        worker.begin(shared, 0, self.game.position(), self.game.history());
        // The search can be stopped at any time.
        worker.root.complete_iteration();
        let mut position = self.game.position().clone();
        for (ply, mv) in node.line.iter().enumerate() {
            position = match mv {
                Some(mv) => worker.make(&position, *mv, ply),
                None => worker.make_null(&position, ply),
            };
        }
        let (ply, window) = (node.line.len(), Window::new(node.alpha, node.beta));
        let searched = match node.beta > node.alpha + 1 {
            true => worker.search::<PvNode>(&position, ply, window, node.depth, false),
            false => worker.search::<ScoutNode>(&position, ply, window, node.depth, node.is_cut),
        };
        (worker.nodes, searched.ok())
    }
}
