//! Principal variation search: the table of contents. Each step is a method in a file of its own.

use rukh_chess::{Move, Position};
use rukh_eval::{Evaluator, Score};

use super::enter::Entered;
use super::node::{Best, Candidate, Extension, Node, Window};
use super::picker::{Picker, Refutations};
use super::quiesce::Reach;
use super::worker::{Kind, ScoutNode, Searched, Worker};
use crate::api::Bound;
use crate::params;
use crate::technique::{Technique, TechniqueSet};
use crate::transposition::NewEntry;

impl<E: Evaluator, T: TechniqueSet> Worker<E, T> {
    /// The score of `position`, exact inside `window`, a bound outside.
    pub(super) fn search<K: Kind>(
        &mut self,
        position: &Position,
        ply: usize,
        window: Window,
        depth: i32,
        is_cut: bool,
    ) -> Searched {
        if depth <= 0 {
            return self.quiesce::<K>(position, ply, window, Reach::CHECKS);
        }
        let mut node = match self.enter::<K>(position, ply, window, depth, is_cut)? {
            Entered::Known(score) => return Ok(score),
            Entered::Open(node) => node,
        };
        self.learn_from_evaluation(&node);
        self.reduce_in_hindsight(&mut node);
        if node.may_prune() {
            if let Some(score) = self.razor(&node)? {
                return Ok(score);
            }
            if let Some(score) = self.reverse_futility(&node) {
                return Ok(score);
            }
            if let Some(score) = self.null_move(&node)? {
                return Ok(score);
            }
            if let Some(score) = self.probcut(&node)? {
                return Ok(score);
            }
        }
        if !K::ROOT {
            self.reduce_without_table_move(&mut node);
        }
        node.context = self.context(position, ply);
        self.search_moves::<K>(&node)
    }

    /// The move that led here was reduced because little was thought of it, and by the evaluation it has lost something
    /// indeed: one ply less is enough to see that.
    pub(super) fn reduce_in_hindsight(&self, node: &mut Node<'_>) {
        /// What was hardly reduced was not thought little of.
        const LEAST: i32 = 2;
        let before = self.frame_before(node.ply, 1);
        let (Some(eval), Some(theirs)) = (node.static_eval, before.eval) else { return };
        let lost = eval.value() + theirs.value();
        if self.has(Technique::Hindsight)
            && before.reduction >= LEAST
            && node.depth > 1
            && node.excluded.is_none()
            && lost > params::hindsight_margin()
        {
            node.depth -= 1;
        }
    }

    /// Without a move from the table the ordering is poor, and a deep search a waste: one ply less now gives a move for the
    /// next time. Also called internal iterative deepening's cheap heir.
    pub(super) fn reduce_without_table_move(&self, node: &mut Node<'_>) {
        let is_worth_it = node.is_pv || node.is_cut;
        if self.has(Technique::InternalReduction)
            && is_worth_it
            && node.table_move.is_none()
            && node.excluded.is_none()
            && node.depth >= params::iir_min_depth()
        {
            node.depth -= 1;
        }
    }

    /// Looks at the moves one by one.
    fn search_moves<K: Kind>(&mut self, node: &Node<'_>) -> Searched {
        let buffer = self.buffers.pop().unwrap_or_default();
        let mut picker = if K::ROOT {
            Picker::listed(buffer, self.root.candidates())
        } else {
            let killer = self.frame(node.ply).killer.filter(|_| self.has(Technique::Killer));
            let countermove = self.histories.countermove(node.context.before[0]);
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
                continue;
            }
            if number > 0 && self.overlooks(node.position, mv, node.ply) {
                continue;
            }
            self.prefetch(node.position, mv);
            number += 1;
            let candidate = Candidate { mv, number, ordering_score: picker.ordering_score() };
            if !K::ROOT && self.prunes_move(node, picker, &candidate, best.score, window.alpha) {
                continue;
            }
            let extension = match self.extend::<K>(node, mv)? {
                Extension::Plies(plies) => plies,
                Extension::Cutoff(score) => return Ok(score),
            };
            if K::ROOT {
                self.tell_current_move(mv, number);
            }
            let nodes_before = self.nodes;
            self.frame(node.ply).meets = node.context.threats.meet(mv);
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
            return Ok(self.without_moves(node));
        }
        best.score = best.score.min(node.ceiling);
        self.conclude(node, &best, tried);
        Ok(best.score)
    }

    /// Mate or stalemate; or, with one move left out, only that one is there, and it is singular indeed.
    fn without_moves(&self, node: &Node<'_>) -> Score {
        if node.excluded.is_some() {
            node.window.alpha
        } else if node.is_check() {
            Score::mated_at(node.ply)
        } else {
            self.draw_score(node.ply)
        }
    }

    /// Principal variation search: the first move with the whole window, the others with an empty one, reduced, and again
    /// with more depth or window if they are better than thought.
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
            let found = self.search::<ScoutNode>(child, ply, scout, reduced, true);
            self.frame(node.ply).reduction = 0;
            let found = -found?;
            if found > window.alpha && reduced < depth {
                let is_far_better = found > window.alpha + params::lmr_deeper_margin();
                let again = depth + i32::from(is_far_better && reduced < depth - 1);
                score = Some(-self.search::<ScoutNode>(child, ply, scout, again, !node.is_cut)?);
            } else {
                score = Some(found);
            }
        } else if !K::PV || !is_first {
            score = Some(-self.search::<ScoutNode>(child, ply, scout, depth, !node.is_cut)?);
        }
        match score {
            Some(score) if !K::PV || (!is_first && score <= window.alpha) => Ok(score),
            Some(_) | None => Ok(-self.search::<K::Child>(child, ply, window.flipped(), depth, false)?),
        }
    }

    /// Learns from what was found, and puts it into the table.
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
        // At the root further lines of several are searched without the best moves, and a search may be asked for some moves
        // only: such a result is not the position's.
        if node.ply > 0 || self.root.has_all_moves() {
            self.shared.table.store(
                node.position.key(),
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
