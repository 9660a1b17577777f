//! Leaf evaluation on the CPU: the value by the evaluation of the engine through the WDL model, or by a short alpha-beta
//! search (hybrid); the policy by the handcrafted prior.
//!
//! The evaluator starts anew at every leaf: its refresh cache makes that as cheap as following the descent move by move,
//! because successive leaves differ by a few pieces. It knows nothing of the tree.

use std::sync::Arc;

use rukh_chess::Position;
use rukh_eval::{AnyEvaluator, Evaluation, Evaluator, Score};

use super::leaf::{Leaf, LeafEvaluator};
use super::prior;
use super::value::ValueModel;
use crate::alphabeta::LeafSearch;
use crate::params;
use crate::search::{Job, SharedState};
use crate::strength::Handicap;
use crate::technique::{Technique, TechniqueSet};

/// Evaluates leaves on the CPU.
pub(super) struct CpuEvaluator {
    evaluator: AnyEvaluator,
    evaluation: Evaluation,
    /// The alpha-beta search of the hybrid; made when it is first used.
    search: Option<LeafSearch>,
    is_hybrid: bool,
    has_prior: bool,
    handicap: Option<Handicap>,
    shared: Option<Arc<SharedState>>,
    model: ValueModel,
}

impl CpuEvaluator {
    pub(super) fn new(evaluation: &Evaluation) -> Self {
        Self {
            evaluator: AnyEvaluator::new(evaluation),
            evaluation: evaluation.clone(),
            search: None,
            is_hybrid: false,
            has_prior: true,
            handicap: None,
            shared: None,
            model: ValueModel::new(Score::DRAW, 1),
        }
    }

    /// The score of a position for the side to move.
    fn score(&mut self, position: &Position) -> Score {
        if let Some(search) = self.search.as_mut().filter(|_| self.is_hybrid) {
            return search.score(position, params::mcts_leaf_depth());
        }
        self.static_score(position)
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

    fn evaluate_quiet(&mut self, position: &Position) -> Score {
        self.evaluator.reset(position);
        let score = self.evaluator.evaluate(position);
        match &self.handicap {
            None => score,
            Some(handicap) => Score::centipawns(score.value() + handicap.error(position)),
        }
    }
}

impl LeafEvaluator for CpuEvaluator {
    fn begin(&mut self, job: &Job, _index: usize) {
        let root = job.request.game.position();
        self.handicap = job.shared.handicap;
        self.has_prior = job.overrides.has(Technique::HandcraftedPrior);
        self.is_hybrid = job.overrides.has(Technique::LeafSearch);
        if self.is_hybrid {
            let search = self.search.get_or_insert_with(|| LeafSearch::new(&self.evaluation, &job.shared));
            search.begin(&job.shared);
        }
        self.shared = Some(job.shared.clone());
        let score = self.static_score(root);
        self.model = ValueModel::new(score, root.fullmove_number());
    }

    fn value_model(&self) -> ValueModel {
        self.model
    }

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        for leaf in leaves {
            if leaf.wants_value() {
                let score = self.score(&leaf.position);
                leaf.wdl = self.model.wdl(score);
            }
            if leaf.wants_policy() && self.has_prior {
                let table = self.shared.as_ref().filter(|_| self.is_hybrid).map(|shared| &shared.table);
                let table_move = table.and_then(|table| table.probe(leaf.position.key())?.mv);
                prior::logits(&leaf.position, &leaf.moves, table_move, &mut leaf.logits);
            } else if leaf.wants_policy() {
                leaf.logits.clear();
                leaf.logits.resize(leaf.moves.len(), 0.0);
            }
        }
    }

    fn clear(&mut self) {
        self.search.iter_mut().for_each(LeafSearch::clear);
    }
}
