//! Leaf evaluation on the CPU: the value by the evaluation of the engine through the WDL model, or by a short alpha-beta
//! search (hybrid); the policy by the policy network or the handcrafted prior.
//!
//! The evaluator starts anew at every leaf: its refresh cache makes that as cheap as following the descent move by move,
//! because successive leaves differ by a few pieces. It knows nothing of the tree.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use rukh_chess::{Move, Position};
use rukh_eval::{AnyEvaluator, Evaluation, Evaluator, PolicyNetwork, Score};

use super::control::leaf_plan;
use super::leaf::{Leaf, LeafEvaluator};
use super::prior;
use super::value::ValueModel;
use crate::alphabeta::LeafSearch;
use crate::api::Limits;
use crate::params::{self, fraction};
use crate::search::{Job, SharedState};
use crate::strength::Handicap;
use crate::technique::{Technique, TechniqueSet};

/// Static evaluations that are remembered.
const REMEMBERED: usize = 1 << 14;
/// The greatest size of a logit by lookahead.
const MAX_LOGIT: f32 = 40.0;
/// How often a thread that has searched the root to the greatest depth looks whether the search has ended.
const ASSISTANT_PAUSE: Duration = Duration::from_millis(1);

/// Evaluates leaves on the CPU.
pub(super) struct CpuEvaluator {
    evaluator: AnyEvaluator,
    evaluation: Evaluation,
    policy: Option<Arc<PolicyNetwork>>,
    /// The alpha-beta search of the hybrid; made when it is first used.
    search: Option<LeafSearch>,
    is_hybrid: bool,
    has_policy: bool,
    has_prior: bool,
    has_lookahead: bool,
    /// The static evaluations of recent children, by key and halfmove clock.
    remembered: Box<[Option<(u64, u16, Score)>]>,
    handicap: Option<Handicap>,
    shared: Option<Arc<SharedState>>,
    model: ValueModel,
}

impl CpuEvaluator {
    pub(super) fn new(evaluation: &Evaluation, policy: Option<Arc<PolicyNetwork>>) -> Self {
        Self {
            evaluator: AnyEvaluator::new(evaluation),
            evaluation: evaluation.clone(),
            policy,
            search: None,
            is_hybrid: false,
            has_policy: true,
            has_prior: true,
            has_lookahead: true,
            remembered: vec![None; REMEMBERED].into(),
            handicap: None,
            shared: None,
            model: ValueModel::new(Score::DRAW, 1),
        }
    }

    /// The score of a position for the side to move.
    fn score(&mut self, position: &Position, ply: usize) -> Score {
        self.searched_score(position, ply).unwrap_or_else(|| self.static_score(position))
    }

    /// The score by a leaf search, where leaves are searched and the search is not stopped.
    fn searched_score(&mut self, position: &Position, ply: usize) -> Option<Score> {
        let shared = self.shared.as_ref()?;
        let search = self.search.as_mut().filter(|_| self.is_hybrid)?;
        if ply == 0 {
            let (score, depth) = search.deepen(position, &|depth| may_deepen_root(shared, depth))?;
            shared.root_depth.store(depth, Ordering::Relaxed);
            return Some(score);
        }
        search.score(position, leaf_depth(shared.root_depth.load(Ordering::Relaxed), ply))
    }

    /// The static evaluation; in check the best of the positions after an evasion that are not check themselves.
    fn static_score(&mut self, position: &Position) -> Score {
        if !position.is_check() {
            return self.evaluate_quiet(position);
        }
        let mut best: Option<Score> = None;
        for &mv in &position.legal_moves() {
            let child = position.after(mv);
            if !child.is_check() {
                let score = -self.evaluate_quiet(&child);
                best = Some(best.map_or(score, |best| best.max(score)));
            }
        }
        best.unwrap_or(Score::DRAW)
    }

    /// Writes a logit for each move of the leaf.
    fn write_logits(&mut self, leaf: &mut Leaf) {
        let Leaf { position, moves, logits, .. } = leaf;
        let table = self.shared.as_ref().filter(|_| self.is_hybrid).map(|shared| &shared.table);
        let table_move = table.and_then(|table| table.probe(position.key())?.mv);
        if let Some(policy) = self.policy.as_ref().filter(|_| self.has_policy) {
            policy.logits(position, moves, logits);
            let searched = table_move.and_then(|mv| moves.iter().position(|&other| other == mv));
            if let Some(index) = searched {
                logits[index] += fraction(params::policy_table_move_weight()) as f32;
            }
        } else if self.has_prior {
            prior::logits(position, moves, table_move, logits);
        } else {
            logits.clear();
            logits.resize(moves.len(), 0.0);
        }
        if self.has_lookahead {
            self.look_ahead(position, moves, logits);
        }
    }

    /// Adds the static evaluation after each move to its logit. A check is evaluated as the position before it.
    fn look_ahead(&mut self, position: &Position, moves: &[Move], logits: &mut [f32]) {
        let scale = params::prior_lookahead_scale() as f32;
        self.evaluator.reset(position);
        // The accumulators of the position are made first, so that those of the children follow from them.
        let here = self.evaluator.evaluate(position).value();
        for (&mv, logit) in moves.iter().zip(logits) {
            let mut child = position.clone();
            child.make(mv, &mut self.evaluator.push());
            let score = if child.is_check() { here } else { -self.evaluator.evaluate(&child).value() };
            self.evaluator.pop();
            if !child.is_check() {
                self.remember(&child, Score::new(-score));
            }
            *logit += (score as f32 / scale).clamp(-MAX_LOGIT, MAX_LOGIT);
        }
    }

    /// Keeps a static evaluation: the child may be the next leaf.
    fn remember(&mut self, position: &Position, score: Score) {
        let at = position.key() as usize % REMEMBERED;
        self.remembered[at] = Some((position.key(), position.halfmove_clock(), score));
    }

    /// The static evaluation of a position that is not check.
    fn static_evaluation(&mut self, position: &Position) -> Score {
        match self.remembered[position.key() as usize % REMEMBERED] {
            Some((key, clock, score)) if key == position.key() && clock == position.halfmove_clock() => score,
            _ => {
                self.evaluator.reset(position);
                self.evaluator.evaluate(position)
            }
        }
    }

    fn evaluate_quiet(&mut self, position: &Position) -> Score {
        let score = self.static_evaluation(position);
        match &self.handicap {
            None => score,
            Some(handicap) => Score::new(score.value() + handicap.error(position)),
        }
    }
}

/// Whether the root is searched to this depth as well: by the clock, or up to a fixed depth.
fn may_deepen_root(shared: &SharedState, depth: i32) -> bool {
    let Limits { nodes, soft_nodes, depth: max_depth, .. } = &shared.limits;
    match shared.plan.filter(|_| nodes.or(*soft_nodes).is_none() && max_depth.is_none()) {
        Some(plan) => shared.elapsed() < plan.soft.mul_f64(fraction(params::mcts_root_time_weight())),
        None => depth <= params::mcts_root_depth(),
    }
}

/// The depth of the search of a leaf. Near the root it is almost that of the root: there its value is compared with that of the
/// root.
fn leaf_depth(root_depth: i32, ply: usize) -> i32 {
    let near_root = root_depth - params::mcts_leaf_reduction() - ply as i32;
    near_root.max(root_depth * params::mcts_leaf_depth_weight() / params::ONE)
}

impl LeafEvaluator for CpuEvaluator {
    fn begin(&mut self, job: &Job, _index: usize) {
        let root = job.request.game.position();
        self.handicap = job.shared.handicap;
        self.has_policy = job.overrides.has(Technique::PolicyNetwork);
        self.has_prior = job.overrides.has(Technique::HandcraftedPrior);
        self.has_lookahead = job.overrides.has(Technique::LookaheadPrior);
        self.is_hybrid = job.overrides.has(Technique::LeafSearch);
        if self.is_hybrid {
            let search = self.search.get_or_insert_with(|| LeafSearch::new(&self.evaluation, &job.shared));
            search.begin(&job.shared, leaf_plan(&job.shared));
        }
        self.shared = Some(job.shared.clone());
        let score = self.static_score(root);
        self.model = ValueModel::new(score, root.fullmove_number());
    }

    fn value_model(&self) -> ValueModel {
        self.model
    }

    /// The depth of a leaf search depends on the place of the leaf in the tree, and on the time.
    fn has_lasting_values(&self) -> bool {
        !self.is_hybrid
    }

    /// Lazy SMP in place of leaves: leaf searches are long, and there are few of them. Threads with leaves of their own would
    /// spread them over many root moves, and wait while the root is searched. A search of the root fills the transposition
    /// table for that of the root and those of the leaves.
    fn assist(&mut self, root: &Position) -> bool {
        let Some(shared) = self.shared.as_ref().filter(|_| self.is_hybrid) else { return false };
        let Some(search) = self.search.as_mut() else { return false };
        search.deepen(root, &|_| true);
        while !shared.signals.must_end() {
            thread::sleep(ASSISTANT_PAUSE);
        }
        true
    }

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        for leaf in leaves {
            if leaf.wants_value() {
                let score = self.score(&leaf.position, leaf.ply);
                leaf.wdl = self.model.wdl(score);
            }
            if leaf.wants_policy() {
                self.write_logits(leaf);
            }
        }
    }

    fn clear(&mut self) {
        self.search.iter_mut().for_each(LeafSearch::clear);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_are_less_deep_with_each_ply_down_to_a_share_of_the_root() {
        assert_eq!(leaf_depth(12, 1), 10);
        assert_eq!(leaf_depth(12, 4), 7);
        assert_eq!(leaf_depth(12, 40), 7);
        assert_eq!(leaf_depth(20, 40), 11);
        assert_eq!(leaf_depth(0, 3), 0, "by quiescence, where the root is not searched");
    }
}
