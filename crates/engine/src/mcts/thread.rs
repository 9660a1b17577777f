//! Monte Carlo tree search as a [`Searcher`]: the loop of one thread over a tree that all threads share.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use rukh_chess::{Move, Position};
use rukh_eval::{Evaluation, PolicyNetwork, Score};

use super::arena::ROOT;
use super::control::{Control, Counters};
use super::cpu::CpuEvaluator;
use super::descend::{Descender, Descent, Reached};
use super::gumbel::Halving;
use super::leaf::{Leaf, LeafEvaluator};
use super::network::NetworkEvaluator;
use super::playout::Playouts;
use super::report::Reporter;
use super::select::{Puct, Rule};
use super::tree::{Conditions, Tree, best_child};
use crate::api::LeafNetwork;
use crate::params;
use crate::search::{Job, Searcher, ThreadResult};
use crate::technique::{Technique, TechniqueSet};

/// Collisions after which a thread evaluates what it has; as many as leaves in a larger batch.
const MAX_COLLISIONS: usize = 8;
/// Lines are reported at most this often while the depth does not change.
const REPORT_INTERVAL: Duration = Duration::from_millis(200);

/// Monte Carlo tree search on one thread.
pub(crate) struct Mcts {
    tree: Arc<Tree>,
    evaluator: Box<dyn LeafEvaluator>,
    is_uct: bool,
    /// The descents of a batch, and one more that may collide.
    descents: Vec<Descent>,
    leaves: Vec<Leaf>,
    collided: Vec<Descent>,
    /// The leaf whose policy is asked for on the way down.
    inner: Leaf,
}

impl Mcts {
    /// PUCT with leaves evaluated on the CPU, their policy by a network if there is one.
    pub(crate) fn new(tree: Arc<Tree>, evaluation: &Evaluation, policy: Option<Arc<PolicyNetwork>>) -> Self {
        Self::with_evaluator(tree, Box::new(CpuEvaluator::new(evaluation, policy)), false)
    }

    /// PUCT with leaves evaluated by a network with two heads.
    pub(crate) fn with_network(tree: Arc<Tree>, network: Arc<dyn LeafNetwork>) -> Self {
        Self::with_evaluator(tree, Box::new(NetworkEvaluator::new(network)), false)
    }

    /// UCT with random playouts.
    pub(crate) fn uct(tree: Arc<Tree>) -> Self {
        Self::with_evaluator(tree, Box::new(Playouts::new()), true)
    }

    /// A search with leaves evaluated by `evaluator`; UCB1 in place of PUCT with `is_uct`.
    pub(super) fn with_evaluator(tree: Arc<Tree>, evaluator: Box<dyn LeafEvaluator>, is_uct: bool) -> Self {
        Self {
            tree,
            evaluator,
            is_uct,
            descents: Vec::new(),
            leaves: Vec::new(),
            collided: Vec::new(),
            inner: Leaf::default(),
        }
    }

    /// Prepares the tree for a search, before its threads start. If the values of leaves last, the tree may be reused.
    pub(crate) fn prepare(tree: &Tree, job: &Job, has_lasting_values: bool) {
        let game = &job.request.game;
        let contempt = job.shared.contempt;
        let conditions = Conditions {
            moves: root_moves(job).to_vec(),
            overrides: job.overrides,
            contempt: (contempt != 0).then(|| (contempt, game.position().side_to_move())),
            mate: job.shared.limits.mate,
        };
        tree.begin(game, conditions, has_lasting_values && job.overrides.has(Technique::TreeReuse));
    }

    /// Descends until a batch of `size` leaves is full, evaluates it and backs it up. Returns the number of evaluated leaves.
    /// `next_root_move` gives the root move of the next descent, by the number of leaves that are in the batch already.
    fn search_batch(
        &mut self,
        descender: &mut Descender<'_>,
        root: &Position,
        size: usize,
        counters: &mut Counters,
        next_root_move: &mut dyn FnMut(usize) -> Option<usize>,
    ) -> usize {
        self.descents.resize_with(self.descents.len().max(size), Descent::default);
        self.leaves.resize_with(self.leaves.len().max(size), Leaf::default);
        let (mut count, mut known, mut collisions) = (0, 0, 0);
        let Self { evaluator, inner, .. } = self;
        while count < size && known < size && collisions < MAX_COLLISIONS.max(size) {
            descender.forced = next_root_move(count);
            let (descent, leaf) = (&mut self.descents[count], &mut self.leaves[count]);
            let mut expand = |leaf: &mut Leaf| {
                std::mem::swap(leaf, inner);
                evaluator.evaluate(std::slice::from_mut(inner));
                std::mem::swap(leaf, inner);
            };
            let reached = descender.descend(root, descent, leaf, &mut expand);
            if reached != Reached::Collision {
                counters.descents += 1;
                counters.plies += descent.path.len() as u64 - 1;
                counters.seldepth = counters.seldepth.max(descent.path.len() - 1);
            }
            match reached {
                Reached::Value(visit) => {
                    descender.back_up(descent, visit);
                    known += 1;
                }
                Reached::Leaf => count += 1,
                Reached::Collision => {
                    // Its virtual visits lead the next descent elsewhere.
                    self.collided.push(std::mem::take(descent));
                    collisions += 1;
                }
            }
        }
        let leaves = &mut self.leaves[..count];
        evaluator.evaluate(leaves);
        for (descent, leaf) in self.descents.iter().zip(leaves.iter()) {
            // The search of a leaf may have been stopped: its value is not that of the next search.
            if descender.has_cache && !descender.shared.signals.must_end() {
                descender.tree.cache.store(&leaf.position, leaf.wdl);
            }
            if leaf.wants_policy() {
                descender.expand_evaluated(descent, leaf);
            }
            descender.back_up(descent, descender.leaf_visit(leaf.wdl, &leaf.position));
        }
        counters.nodes += count as u64;
        self.collided.drain(..).for_each(|descent| descender.cancel(&descent));
        if count + known == 0 {
            thread::yield_now();
        }
        count
    }

    /// The number of leaves of the next batch before the node limit counts. Where a batch is large, it grows with the tree: its
    /// leaves are chosen without the values of each other.
    fn wanted_batch(&self, tree: &Tree) -> usize {
        let by_visits = 1 + tree.slot(ROOT).visits() as usize / params::mcts_batch_visits() as usize;
        self.evaluator.batch_size().clamp(1, by_visits)
    }
}

/// The root moves to search; empty for all. Where the tablebases rank them, so many of the best ranks as lines are reported.
fn root_moves(job: &Job) -> Vec<Move> {
    match &job.shared.root_ranking {
        Some(ranking) => ranking.best(job.multipv),
        None => job.shared.limits.search_moves.clone(),
    }
}

/// The plies from the root to a mate in so many moves, for the side to move or against it.
fn mate_plies(moves: i32) -> usize {
    let plies = 2 * moves.unsigned_abs() as usize;
    if moves > 0 { plies - 1 } else { plies }
}

impl Searcher for Mcts {
    fn search(&mut self, job: &Job, index: usize) -> Option<ThreadResult> {
        let game = &job.request.game;
        let root = game.position();
        let wanted = &root_moves(job)[..];
        let legal = root.legal_moves();
        let count = legal.iter().filter(|mv| wanted.is_empty() || wanted.contains(mv)).count();
        if count == 0 {
            return None;
        }
        self.evaluator.begin(job, index);
        if index > 0 && self.evaluator.assist(root) {
            return None;
        }
        let model = self.evaluator.value_model();
        let tree = self.tree.clone();
        let mut descender = Descender {
            tree: &tree,
            shared: &job.shared,
            rule: if self.is_uct { Rule::Ucb1 } else { Rule::Puct(Puct::new(&job.overrides)) },
            root_moves: wanted,
            root_side: root.side_to_move(),
            contempt: model.wdl(Score::new(job.shared.contempt)).value(),
            // A playout is one sample: the next visit needs another. A value without its policy does not expand a leaf.
            has_cache: !self.is_uct
                && !self.evaluator.has_joint_policy()
                && self.evaluator.has_lasting_values()
                && job.overrides.has(Technique::EvaluationCache),
            has_solver: job.overrides.has(Technique::Solver),
            mate_plies: job.shared.limits.mate.map(mate_plies),
            has_temperature: job.overrides.has(Technique::PolicyTemperature),
            forced: None,
            has_joint_policy: self.evaluator.has_joint_policy(),
            noise: job.noise,
            keys: game.history().clone(),
            root_len: game.history().len(),
        };
        let visits_before = tree.slot(ROOT).visits();
        let lines = job.multipv.clamp(1, count);
        let control =
            Control { tree: &tree, shared: &job.shared, visits_before, is_forced: count == 1, lines };
        let reporter = Reporter { job, tree: &tree, model };
        let mut counters = Counters::default();
        let mut halving = None;
        let (mut reported, mut reported_at) = ((0, None), Duration::ZERO);
        let has_halving = index == 0 && job.overrides.has(Technique::GumbelRoot) && !self.is_uct;
        loop {
            let granted = control.grant_leaves(self.wanted_batch(&tree));
            let mut next_root_move = |in_flight: usize| match has_halving {
                true => next_candidate(&mut halving, &tree, &control, in_flight, job),
                false => None,
            };
            let used = self.search_batch(&mut descender, root, granted, &mut counters, &mut next_root_move);
            control.return_leaves(granted - used);
            job.shared.nodes[index].store(counters.nodes, Ordering::Relaxed);
            if index > 0 {
                // The first thread may be in a long leaf search when the others reach the limit.
                if job.shared.signals.must_end() || control.is_out_of_nodes(&counters) {
                    return None;
                }
                continue;
            }
            if control.is_over(&counters) {
                break;
            }
            let elapsed = job.shared.elapsed();
            let is_deeper = counters.depth() > reported.0;
            if is_deeper || elapsed >= reported_at + REPORT_INTERVAL {
                let state = (counters.depth().max(reported.0), best_child(tree.root_children()));
                if is_deeper || state.1 != reported.1 {
                    publish_memory(job, &tree);
                    reporter.report_lines(&counters, None);
                }
                (reported, reported_at) = (state, elapsed);
            }
        }
        job.shared.signals.finish();
        publish_memory(job, &tree);
        let best = halving.as_mut().and_then(|halving: &mut Halving| halving.best(tree.root_children()));
        let result = reporter.report_lines(&counters, best);
        reporter.report_root(best);
        result
    }

    fn clear(&mut self) {
        self.evaluator.clear();
    }
}

/// The root move that sequential halving visits next; `None` without a budget.
fn next_candidate(
    halving: &mut Option<Halving>,
    tree: &Tree,
    control: &Control<'_>,
    in_flight: usize,
    job: &Job,
) -> Option<usize> {
    let children = tree.root_children();
    let spent = control.spent(in_flight as u64).filter(|_| !children.is_empty())?;
    let start = || match job.noise {
        Some(noise) => Halving::new(children, noise.seed, noise.gumbel_scale),
        None => Halving::new(children, job.request.game.position().key(), 1.0),
    };
    halving.get_or_insert_with(start).next(children, spent)
}

fn publish_memory(job: &Job, tree: &Tree) {
    if let Some(hashfull) = &job.shared.tree_hashfull {
        hashfull.store(tree.permille(), Ordering::Relaxed);
    }
}
