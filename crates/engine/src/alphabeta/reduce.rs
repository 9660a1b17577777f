//! Late move reductions: a sum of named reasons in 1024ths of a ply.

use rukh_chess::{Move, Position};
use rukh_eval::Evaluator;

use super::node::{Candidate, Node};
use super::picker::quiet_score;
use super::worker::Worker;
use crate::params::{self, ONE, PLY};
use crate::technique::{Technique, TechniqueSet};
use crate::witness::Witness;

impl<E: Evaluator, T: TechniqueSet, W: Witness> Worker<E, T, W> {
    // ANCHOR: reduction
    /// Late move reductions (LMR): the plies by which a move is searched less deep at first; `None` if it is not reduced.
    ///
    /// Moves are ordered, so late ones are rarely best, and a reduced search with a zero window is enough to show it. If the
    /// reduced search fails high, the move is searched again at full depth. It is wrong where the merit of a late move shows
    /// only beyond the reduced depth.
    pub(super) fn reduction(
        &mut self,
        node: &Node<'_>,
        candidate: &Candidate,
        child: &Position,
    ) -> Option<i32> {
        let Candidate { mv, number, .. } = *candidate;
        let first_reduced = 2 + usize::from(node.is_pv);
        let is_applicable = self.has(Technique::LateMoveReductions)
            && node.depth >= params::lmr_min_depth()
            && number >= first_reduced;
        if !is_applicable {
            return None;
        }
        let mut reduction = self.reductions.weight(node.depth, number);
        if node.is_cut {
            reduction += params::lmr_cut_node_weight();
        }
        if node.was_pv {
            reduction -= params::lmr_pv_weight();
        }
        if !node.is_improving {
            reduction += params::lmr_not_improving_weight();
        }
        if child.is_check() {
            reduction -= params::lmr_check_weight();
        }
        if node.table_move.is_some_and(Move::is_noisy) {
            reduction += params::lmr_noisy_table_move_weight();
        }
        if self.frame(node.ply + 1).cutoffs > 3 {
            reduction += params::lmr_child_cutoffs_weight();
        }
        reduction -= if mv.is_noisy() {
            let history = self.histories.capture_of(node.position, mv);
            if self.has(Technique::CaptureHistory) {
                history * PLY / params::lmr_noisy_history_divisor()
            } else {
                0
            }
        } else {
            self.ordering_score(node, candidate) * PLY / params::lmr_history_divisor()
        };
        // A shallow search is least reliable for captures, promotions and checks.
        if mv.is_noisy() || child.is_check() {
            reduction = reduction * params::lmr_tactical_weight() / ONE;
        }
        Some((reduction / PLY).max(0))
    }
    // ANCHOR_END: reduction

    /// The ordering score of a quiet move: from the picker if it was scored there, otherwise computed.
    pub(super) fn ordering_score(&self, node: &Node<'_>, candidate: &Candidate) -> i32 {
        let histories = || self.histories.quiet(node.position, &node.context);
        candidate.ordering_score.unwrap_or_else(|| quiet_score(candidate.mv, &histories(), &self.techniques))
    }
}
