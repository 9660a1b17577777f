//! Principal variation search (PVS): the node function as a table of contents. Each step is a method in its own file.

use rukh_chess::{Move, Position};
use rukh_eval::{Evaluator, Score};

use super::enter::Entered;
use super::node::{Best, Candidate, Extension, Node, Window};
use super::observe::node_kind;
use super::picker::{Picker, Refutations};
use super::quiesce::QuiescenceDepth;
use super::worker::{Kind, ScoutNode, Searched, Worker};
use crate::api::Bound;
use crate::params;
use crate::technique::{Technique, TechniqueSet};
use crate::transposition::NewEntry;
use crate::witness::{Intent, Purpose, Reason, SkipReason, Witness};

impl<E: Evaluator, T: TechniqueSet, W: Witness> Worker<E, T, W> {
    // ANCHOR: search
    /// The score of `position` (fail-soft): exact inside `window`, a bound outside.
    #[inline(always)]
    pub(super) fn search<K: Kind>(
        &mut self,
        position: &Position,
        ply: usize,
        window: Window,
        depth: i32,
        is_cut: bool,
    ) -> Searched {
        let is_quiescence = depth <= 0;
        if !is_quiescence {
            self.observe_enter(node_kind::<K>(is_cut), ply, window, depth);
        }
        let searched = self.search_node::<K>(position, ply, window, depth, is_cut);
        if !is_quiescence {
            self.observe_leave(searched);
        }
        searched
    }

    fn search_node<K: Kind>(
        &mut self,
        position: &Position,
        ply: usize,
        window: Window,
        depth: i32,
        is_cut: bool,
    ) -> Searched {
        if depth <= 0 {
            return self.quiesce::<K>(position, ply, window, QuiescenceDepth::WITH_CHECKS);
        }
        let mut node = match self.enter::<K>(position, ply, window, depth, is_cut)? {
            Entered::Known(score) => return Ok(score),
            Entered::Open(node) => node,
        };
        self.learn_from_evaluation(&node);
        self.reduce_in_hindsight(&mut node);
        if node.may_prune() {
            if let Some(score) = self.razor(&node)? {
                self.witness.decided(Reason::Razoring, None);
                return Ok(score);
            }
            if let Some(score) = self.reverse_futility(&node) {
                self.witness.decided(Reason::ReverseFutility, None);
                return Ok(score);
            }
            if let Some(score) = self.null_move(&node)? {
                self.witness.decided(Reason::NullMove, None);
                return Ok(score);
            }
            if let Some(score) = self.probcut(&node)? {
                self.witness.decided(Reason::Probcut, None);
                return Ok(score);
            }
        }
        if !K::ROOT {
            self.reduce_without_table_move(&mut node);
        }
        node.context = self.context(position, ply);
        self.search_moves::<K>(&node)
    }
    // ANCHOR_END: search

    /// Hindsight reduction: the move that led here was reduced, and the static evaluation agrees that it lost something. One
    /// ply less is enough to show it.
    ///
    /// It is wrong where the static evaluation misses the point of the move.
    pub(super) fn reduce_in_hindsight(&mut self, node: &mut Node<'_>) {
        /// The least reduction of the move that counts, in plies.
        const MIN_REDUCTION: i32 = 2;
        let previous = self.frame_before(node.ply, 1);
        let (Some(eval), Some(theirs)) = (node.static_eval, previous.eval) else { return };
        let lost = eval.value() + theirs.value();
        if self.has(Technique::Hindsight)
            && previous.reduction >= MIN_REDUCTION
            && node.depth > 1
            && node.excluded.is_none()
            && lost > params::hindsight_margin()
        {
            self.witness.depth_changed(Technique::Hindsight, -1);
            node.depth -= 1;
        }
    }

    // ANCHOR: internal_reduction
    /// Internal iterative reduction (IIR): a PV node or cut-node without a hash move is searched one ply less deep. Without a
    /// hash move the move ordering is poor and a deep search expensive; the reduced search stores a hash move for the next
    /// visit. It replaces internal iterative deepening.
    ///
    /// It is wrong where the lost ply matters and the node is not visited again.
    pub(super) fn reduce_without_table_move(&mut self, node: &mut Node<'_>) {
        let is_expected_to_raise_alpha = node.is_pv || node.is_cut;
        if self.has(Technique::InternalReduction)
            && is_expected_to_raise_alpha
            && node.table_move.is_none()
            && node.excluded.is_none()
            && node.depth >= params::iir_min_depth()
        {
            self.witness.depth_changed(Technique::InternalReduction, -1);
            node.depth -= 1;
        }
    }
    // ANCHOR_END: internal_reduction

    /// Searches the moves in the order of the picker.
    fn search_moves<K: Kind>(&mut self, node: &Node<'_>) -> Searched {
        let buffer = self.buffers.pop().unwrap_or_default();
        let mut picker = if K::ROOT {
            Picker::listed(buffer, self.root.candidates())
        } else {
            let killer = self.frame(node.ply).killer.filter(|_| self.has(Technique::Killer));
            let countermove = self.histories.countermove(node.context.continuation[0]);
            let countermove = countermove.filter(|_| self.has(Technique::Countermove));
            Picker::all(buffer, node.table_move, Refutations { killer, countermove })
        };
        let mut tried = self.tried_buffers.pop().unwrap_or_default();
        tried.clear();
        let result = self.search_picked::<K>(node, &mut picker, &mut tried);
        self.tried_buffers.push(tried);
        self.buffers.push(picker.into_buffer());
        result
    }

    fn search_picked<K: Kind>(
        &mut self,
        node: &Node<'_>,
        picker: &mut Picker,
        tried: &mut Vec<Move>,
    ) -> Searched {
        let mut window = node.window;
        let mut best = Best { score: node.floor, mv: None };
        let mut number = 0;
        while let Some(mv) = picker.next(node.position, &self.histories, &node.context, &self.techniques) {
            if Some(mv) == node.excluded {
                self.witness.skipped(mv, SkipReason::Excluded);
                continue;
            }
            if number > 0 && self.overlooks(node.position, mv, node.ply) {
                self.witness.skipped(mv, SkipReason::Overlooked);
                continue;
            }
            number += 1;
            let candidate = Candidate { mv, number, ordering_score: picker.ordering_score() };
            if !K::ROOT
                && let Some(technique) = self.prunes_move(node, picker, &candidate, best.score, window.alpha)
            {
                self.witness.skipped(mv, technique.into());
                continue;
            }
            let extension = match self.extend::<K>(node, mv)? {
                Extension::Plies(plies) => plies,
                Extension::Cutoff(score) => {
                    self.witness.decided(Reason::Multicut, Some(mv));
                    return Ok(score);
                }
            };
            if K::ROOT {
                self.report_current_move(mv, number);
            }
            let nodes_before = self.nodes;
            self.frame(node.ply).threat_flags = node.context.threats.flags(mv);
            let child = self.make(node.position, mv, node.ply);
            let score = self.search_child::<K>(node, window, &candidate, &child, extension);
            self.unmake();
            let score = score?;
            if K::ROOT {
                let is_new_best = score > window.alpha;
                let bound = if score < window.beta { Bound::Exact } else { Bound::Lower };
                self.root.record(
                    mv,
                    self.nodes - nodes_before,
                    is_new_best.then_some((score, bound, &self.pv[1])),
                );
                self.root.note_change(is_new_best && number > 1);
            }
            if score > best.score {
                best.score = score;
                if score > window.alpha {
                    best.mv = Some(mv);
                    window.alpha = score;
                    if K::PV {
                        self.update_pv(node.ply, mv);
                    }
                }
            }
            if window.alpha >= window.beta {
                break;
            }
            tried.push(mv);
        }
        if number == 0 {
            self.witness.decided(Reason::NoMoves, None);
            return Ok(self.without_moves(node));
        }
        self.observe_moves(node, picker, window, best.mv);
        best.score = best.score.min(node.ceiling);
        self.conclude(node, &best, tried);
        Ok(best.score)
    }

    /// Reports by which move the node is decided, and which moves were left out after late move pruning.
    #[inline(always)]
    fn observe_moves(&mut self, node: &Node<'_>, picker: &Picker, window: Window, best: Option<Move>) {
        if !W::IS_ACTIVE {
            return;
        }
        let is_cutoff = window.alpha >= window.beta;
        if picker.skips_quiet() && !is_cutoff {
            self.observe_others(node.position, |_| true, Technique::LateMovePruning.into());
        }
        let reason = match best {
            Some(_) if is_cutoff => Reason::BetaCutoff,
            Some(_) => Reason::RaisedAlpha,
            None => Reason::FailedLow,
        };
        self.witness.decided(reason, best);
    }

    /// The score without legal moves: mate or stalemate. With an excluded move it fails low, since that move is the only one.
    fn without_moves(&self, node: &Node<'_>) -> Score {
        if node.excluded.is_some() {
            node.window.alpha
        } else if node.is_check() {
            Score::mated_at(node.ply)
        } else {
            self.draw_score(node.ply)
        }
    }

    // ANCHOR: search_child
    /// Searches a child: the first move of a PV node with the full window, the others with a zero window and reduced (LMR). A
    /// move that fails high is searched again at full depth, then with the full window.
    pub(super) fn search_child<K: Kind>(
        &mut self,
        node: &Node<'_>,
        window: Window,
        candidate: &Candidate,
        child: &Position,
        extension: i32,
    ) -> Searched {
        let is_first = candidate.number == 1;
        let ply = node.ply + 1;
        let depth = node.depth - 1 + extension;
        let scout = Window::above(window.alpha).flipped();
        let mut score = None;
        let reduction = self.reduction(node, candidate, child);
        if let Some(reduction) = reduction {
            let reduced = (depth - reduction).clamp(1, depth.max(1));
            self.frame(node.ply).reduction = depth - reduced;
            let purpose = if reduced < depth { Purpose::Reduced } else { Purpose::ZeroWindow };
            self.witness.intend(Intent { purpose, extension, reduction: depth - reduced });
            let found = self.search::<ScoutNode>(child, ply, scout, reduced, true);
            self.frame(node.ply).reduction = 0;
            let found = -found?;
            if found > window.alpha && reduced < depth {
                let is_far_better = found > window.alpha + params::lmr_deeper_margin();
                let again = depth + i32::from(is_far_better && reduced < depth - 1);
                let purpose = Purpose::DepthResearch;
                self.witness.intend(Intent { purpose, extension, reduction: depth - again });
                score = Some(-self.search::<ScoutNode>(child, ply, scout, again, !node.is_cut)?);
            } else {
                score = Some(found);
            }
        } else if !K::PV || !is_first {
            self.witness.intend(Intent { purpose: Purpose::ZeroWindow, extension, reduction: 0 });
            score = Some(-self.search::<ScoutNode>(child, ply, scout, depth, !node.is_cut)?);
        }
        match score {
            Some(score) if !K::PV || (!is_first && score <= window.alpha) => Ok(score),
            Some(_) | None => {
                let purpose = if score.is_some() { Purpose::WindowResearch } else { Purpose::FirstMove };
                self.witness.intend(Intent { purpose, extension, reduction: 0 });
                Ok(-self.search::<K::Child>(child, ply, window.flipped(), depth, false)?)
            }
        }
    }
    // ANCHOR_END: search_child

    /// Updates the histories and stores the result in the transposition table.
    fn conclude(&mut self, node: &Node<'_>, best: &Best, tried: &[Move]) {
        let is_cutoff = best.score >= node.window.beta;
        if let Some(mv) = best.mv.filter(|_| is_cutoff) {
            self.frame(node.ply).cutoffs += 1;
            self.learn_from_cutoff(node, mv, tried);
        }
        if node.excluded.is_some() {
            return;
        }
        if best.mv.is_none() {
            self.learn_from_fail_low(node);
        }
        let bound = match best.mv {
            _ if is_cutoff => Bound::Lower,
            Some(_) if node.is_pv => Bound::Exact,
            _ => Bound::Upper,
        };
        self.learn_correction(node, best, bound);
        // With MultiPV or `searchmoves` the root is searched without some of its moves: such a result is not valid for the
        // position and is not stored.
        if node.ply > 0 || self.root.has_all_moves() {
            self.shared.table.store(
                self.table_key(node.position),
                NewEntry {
                    mv: best.mv,
                    score: best.score,
                    ply: node.ply,
                    eval: node.raw_eval,
                    depth: node.depth,
                    bound,
                    was_pv: node.was_pv,
                },
            );
        }
    }
}
