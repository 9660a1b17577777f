//! History updates: what a searched node adds to the histories.

use rukh_chess::Move;
use rukh_eval::Evaluator;

use super::node::{Best, Node};
use super::worker::Worker;
use crate::api::Bound;
use crate::params::{self, ONE};
use crate::technique::{Technique, TechniqueSet};
use crate::witness::Witness;

impl<E: Evaluator, T: TechniqueSet, W: Witness> Worker<E, T, W> {
    // ANCHOR: cutoff
    /// After a beta cut-off: a bonus for the move that caused it, a malus for the moves searched before it. A quiet move also
    /// becomes killer and countermove.
    pub(super) fn learn_from_cutoff(&mut self, node: &Node<'_>, best: Move, tried: &[Move]) {
        if !best.is_noisy() {
            self.frame(node.ply).killer = Some(best);
            self.histories.learn_countermove(node.context.continuation[0], best);
        }
        let bonus = bonus(node.depth);
        let malus = bonus * params::history_malus_weight() / ONE;
        let for_captures = |bonus: i32| bonus * params::capture_bonus_weight() / ONE;
        let others = || tried.iter().copied().filter(|&mv| mv != best);
        if best.is_noisy() {
            self.histories.learn_capture(node.position, best, for_captures(bonus));
        } else {
            // A cut-off by the first move at depth 1 says little.
            if node.depth > 1 || !tried.is_empty() {
                self.histories.learn_quiet(node.position, best, &node.context, bonus);
            }
            let mut malus = malus;
            for (index, mv) in others().filter(|mv| !mv.is_noisy()).enumerate() {
                // Fading malus: a late move was unlikely to be searched first, so it is blamed less.
                if self.has(Technique::FadingMalus) && index as i32 >= params::fading_malus_moves() {
                    malus = malus * params::fading_malus_weight() / ONE;
                }
                self.histories.learn_quiet(node.position, mv, &node.context, -malus);
            }
        }
        for mv in others().filter(|mv| mv.is_noisy()) {
            self.histories.learn_capture(node.position, mv, -for_captures(malus));
        }
    }
    // ANCHOR_END: cutoff

    /// Fail-low bonus: all replies failed low, so the quiet move that led here gets a bonus, or the capture with the prior
    /// capture bonus.
    pub(super) fn learn_from_fail_low(&mut self, node: &Node<'_>) {
        if self.has(Technique::FailLowBonus)
            && let Some(prior) = self.prior_quiet_move(node.position, node.ply)
        {
            let bonus = bonus(node.depth) * params::fail_low_bonus_weight() / ONE;
            self.histories.learn_prior_quiet(&prior, bonus);
        }
        let prior = *self.frame_before(node.ply, 1);
        if self.has(Technique::PriorCaptureBonus)
            && let (Some(moved), Some(captured)) = (prior.moved, prior.captured)
            && prior.mv.is_some_and(|mv| !mv.is_promotion())
        {
            let bonus = bonus(node.depth) * params::prior_capture_weight() / ONE;
            self.histories.learn_prior_capture(moved, captured, bonus);
        }
    }

    /// Evaluation bonus: the quiet move that led here gets a bonus or malus by the static evaluation it gained or lost.
    pub(super) fn learn_from_evaluation(&mut self, node: &Node<'_>) {
        if self.has(Technique::EvaluationBonus)
            && node.excluded.is_none()
            && let (Some(eval), Some(earlier)) = (node.static_eval, self.frame_before(node.ply, 1).eval)
            && let Some(prior) = self.prior_quiet_move(node.position, node.ply)
        {
            let most = params::evaluation_bonus_max();
            let gain = -(eval.value() + earlier.value());
            let bonus = (gain * params::evaluation_bonus_factor()).clamp(-most, most);
            self.histories.learn_prior_butterfly(&prior, bonus);
        }
    }

    /// Correction history: learns the difference between the search score and the static evaluation. Nothing is learnt where a
    /// capture or promotion is best, where the bound does not contradict the evaluation, or from mate and tablebase scores.
    pub(super) fn learn_correction(&mut self, node: &Node<'_>, best: &Best, bound: Bound) {
        let Some(eval) = node.static_eval else { return };
        let is_informative = match bound {
            Bound::Exact => true,
            Bound::Lower => best.score > eval,
            Bound::Upper => best.score < eval,
        };
        let is_quiet = best.mv.is_none_or(|mv| !mv.is_noisy());
        if self.has(Technique::Correction) && is_informative && is_quiet && !best.score.is_decisive() {
            self.histories.corrections.learn(node.position, node.depth, best.score, eval);
        }
    }
}

/// The history bonus of a node of this depth.
fn bonus(depth: i32) -> i32 {
    (params::history_bonus_factor() * depth - params::history_bonus_offset())
        .clamp(1, params::history_bonus_max())
}
