//! Node pruning: razoring, reverse futility, null move and ProbCut, tried before any move is searched.
//!
//! [`Node::may_prune`] guards all of them; each step checks only its own conditions.

use rukh_chess::Piece;
use rukh_eval::{Evaluator, Score};

use super::node::{Node, Window};
use super::picker::Picker;
use super::quiesce::QuiescenceDepth;
use super::worker::{ScoutNode, Searched, Stopped, Worker};
use crate::api::Bound;
use crate::params::{self, PLY};
use crate::technique::{Technique, TechniqueSet};
use crate::transposition::{Entry, NewEntry};
use crate::witness::{Purpose, Witness};

impl<E: Evaluator, T: TechniqueSet, W: Witness> Worker<E, T, W> {
    // ANCHOR: razor
    /// Razoring: at low depth with the evaluation far below alpha, only tactics could help. If the quiescence search fails
    /// low too, its score is returned.
    ///
    /// It is wrong where a quiet move changes the evaluation, above all a mate threat.
    pub(super) fn razor(&mut self, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
        let margin = params::razor_base_margin() + params::razor_depth_margin() * node.depth * node.depth;
        let is_far_below = node.eval + margin < node.window.alpha;
        if !self.has(Technique::Razoring) || node.depth > params::razor_max_depth() || !is_far_below {
            return Ok(None);
        }
        self.witness.intend(Purpose::Razoring.into());
        let score = self.quiesce::<ScoutNode>(
            node.position,
            node.ply,
            Window::above(node.window.alpha),
            QuiescenceDepth::WITH_CHECKS,
        )?;
        Ok((score <= node.window.alpha).then_some(score))
    }
    // ANCHOR_END: razor

    // ANCHOR: reverse_futility
    /// Reverse futility pruning (static null move pruning): at low depth with the evaluation far above beta, the opponent
    /// cannot make up the difference in the plies left. The score is halfway between beta and the evaluation.
    ///
    /// It is wrong where the side to move faces a threat it cannot parry. It is not used after a move that attacks the king
    /// zone.
    pub(super) fn reverse_futility(&mut self, node: &Node<'_>) -> Option<Score> {
        let improving = if node.is_improving { params::rfp_improving_margin() } else { 0 };
        let margin = (params::rfp_margin() * node.depth - improving).max(params::rfp_margin() / 2);
        let is_far_above = node.eval - margin >= node.window.beta && !node.eval.is_decisive();
        let is_applicable = self.has(Technique::ReverseFutility) && node.depth <= params::rfp_max_depth();
        let may_be_mated = || node.depth > 1 && self.is_king_zone_attacked(node);
        let middle = node.window.beta + (node.eval - node.window.beta) / 2;
        (is_applicable && is_far_above && !may_be_mated()).then_some(middle)
    }
    // ANCHOR_END: reverse_futility

    // ANCHOR: null_move
    /// Null move pruning: if a reduced search after passing the turn fails high, some real move would fail high too.
    ///
    /// It is wrong in zugzwang. So it is not tried with pawns alone, it is reduced less with a single piece, and at high depth
    /// the cut-off is verified by a search without null moves.
    pub(super) fn null_move(&mut self, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
        let beta = node.window.beta;
        let us = node.position.side_to_move();
        let pawns_and_king =
            node.position.colored_pieces(us, Piece::Pawn) | node.position.colored_pieces(us, Piece::King);
        let pieces = (node.position.color(us) ^ pawns_and_king).count();
        let static_eval = node.static_eval.unwrap_or(Score::MIN);
        let is_promising =
            node.eval >= beta && static_eval + params::null_static_margin() * node.depth >= beta;
        let is_applicable = self.has(Technique::NullMove)
            && node.depth >= params::null_min_depth()
            && !self.frame_before(node.ply, 1).is_null
            && node.ply >= self.null_min_ply
            && pieces > 0;
        if !is_applicable || !is_promising {
            return Ok(None);
        }
        let by_eval = ((node.eval - beta) / params::null_eval_margin()).min(params::null_eval_max()) * PLY;
        let by_material = if pieces == 1 { params::null_endgame_weight() } else { 0 };
        let extra = if self.has(Technique::NullReduction) { params::null_extra_weight() } else { 0 };
        let base = params::null_base_weight() + extra;
        let reduction = base + params::null_depth_weight() * node.depth + by_eval - by_material;
        let depth = node.depth - reduction / PLY;

        let child = self.make_null(node.position, node.ply);
        self.witness.intend(Purpose::NullMove.into());
        let score = self.search::<ScoutNode>(
            &child,
            node.ply + 1,
            Window::above(beta - 1).flipped(),
            depth,
            !node.is_cut,
        );
        self.unmake();
        let score = -score?;
        if score < beta {
            return Ok(None);
        }
        // A mate found after a null move is not proven.
        let score = if score.is_win() { beta } else { score };
        if self.null_min_ply > 0 || node.depth < params::null_verify_min_depth() {
            return Ok(Some(score));
        }
        self.null_min_ply = node.ply + (3 * depth.max(0) / 4) as usize + 1;
        self.witness.intend(Purpose::NullVerification.into());
        let verified =
            self.search::<ScoutNode>(node.position, node.ply, Window::above(beta - 1), depth, false);
        self.null_min_ply = 0;
        Ok((verified? >= beta).then_some(score))
    }
    // ANCHOR_END: null_move

    /// ProbCut: a capture that exceeds beta by a margin in a reduced search is likely to exceed beta at full depth. Each
    /// capture is first searched by quiescence, and only if that reaches the margin by the reduced search.
    ///
    /// It is wrong where the reduced search misses the refutation of the capture.
    pub(super) fn probcut(&mut self, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
        let goal = node.window.beta + params::probcut_margin();
        let table_refutes = node.entry.is_some_and(|entry| {
            entry.depth > node.depth - params::probcut_reduction()
                && entry.bound != Bound::Lower
                && entry.score(node.ply) < goal
        });
        let is_applicable = self.has(Technique::Probcut) && node.depth >= params::probcut_min_depth();
        if !is_applicable || table_refutes || goal.is_decisive() || !self.expects_probcut(node, goal) {
            return Ok(None);
        }
        let threshold = goal - node.eval;
        let buffer = self.buffers.pop().unwrap_or_default();
        let mut picker = Picker::noisy(buffer, node.table_move, threshold.max(0));
        let result = self.probcut_moves(node, &mut picker, goal);
        self.buffers.push(picker.into_buffer());
        result
    }

    /// ProbCut guard: a table score at the goal or an evaluation of at least beta. Where it fails, the searches of ProbCut are
    /// seldom repaid by a cut-off.
    fn expects_probcut(&self, node: &Node<'_>, goal: Score) -> bool {
        let reaches = |entry: Entry| entry.bound != Bound::Upper && entry.score(node.ply) >= goal;
        !self.has(Technique::ProbcutGuard) || node.eval >= node.window.beta || node.entry.is_some_and(reaches)
    }

    /// The depth of the search of ProbCut. ProbCut depth: an evaluation above beta makes the goal likelier, so less depth is
    /// enough.
    pub(super) fn probcut_depth(&self, node: &Node<'_>) -> i32 {
        let depth = node.depth - params::probcut_reduction();
        match self.has(Technique::ProbcutDepth) {
            true => (depth - (node.eval - node.window.beta) / params::probcut_depth_margin()).clamp(0, depth),
            false => depth,
        }
    }

    fn probcut_moves(
        &mut self,
        node: &Node<'_>,
        picker: &mut Picker,
        goal: Score,
    ) -> Result<Option<Score>, Stopped> {
        let depth = self.probcut_depth(node);
        while let Some(mv) = picker.next(node.position, &self.histories, &node.context, &self.techniques) {
            let window = Window::above(goal - 1).flipped();
            let child = self.make(node.position, mv, node.ply);
            self.witness.intend(Purpose::ProbcutQuiescence.into());
            let mut score: Searched = self
                .quiesce::<ScoutNode>(&child, node.ply + 1, window, QuiescenceDepth::CAPTURES_ONLY)
                .map(|score| -score);
            if depth > 0 && score.is_ok_and(|score| score >= goal) {
                self.witness.intend(Purpose::Probcut.into());
                score = self
                    .search::<ScoutNode>(&child, node.ply + 1, window, depth, !node.is_cut)
                    .map(|score| -score);
            }
            self.unmake();
            let score = score?;
            if score >= goal {
                self.shared.table.store(
                    self.table_key(node.position),
                    NewEntry {
                        mv: Some(mv),
                        score,
                        ply: node.ply,
                        eval: node.raw_eval,
                        depth: depth + 1,
                        bound: Bound::Lower,
                        was_pv: node.was_pv,
                    },
                );
                return Ok(Some(if score.is_decisive() { score } else { score - params::probcut_margin() }));
            }
        }
        Ok(None)
    }
}
