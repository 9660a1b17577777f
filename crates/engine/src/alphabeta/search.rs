//! The search: a table of contents. Each step is a paragraph of its own elsewhere.

use std::sync::atomic::Ordering;

use rukh_chess::{Move, Position};
use rukh_eval::{Evaluator, MAX_PLY, Score};

use super::node::{Best, Candidate, Extension, Node, Window};
use super::picker::{Picker, Refutations};
use super::quiesce::Reach;
use super::worker::{Kind, ScoutNode, Searched, Stopped, Worker};
use crate::api::Bound;
use crate::histories::Context;
use crate::params;
use crate::technique::{Technique, TechniqueSet};
use crate::transposition::{Entry, NewEntry};

/// What entering a node gives.
pub(super) enum Entered<'p> {
    /// Its score, with nothing to search.
    Known(Score),
    /// A node to search.
    Open(Node<'p>),
}

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

    /// Draws, mate distance, table, evaluation.
    pub(super) fn enter<'p, K: Kind>(
        &mut self,
        position: &'p Position,
        ply: usize,
        mut window: Window,
        depth: i32,
        is_cut: bool,
    ) -> Result<Entered<'p>, Stopped> {
        self.count_node(ply)?;
        if K::PV {
            self.pv[ply].clear();
        }
        let excluded = self.frame(ply).excluded;
        self.inherit_extensions(ply);
        self.frame(ply + 2).cutoffs = 0;
        if !K::ROOT {
            if self.is_draw(position) {
                return Ok(Entered::Known(self.draw_score(ply)));
            }
            if ply >= MAX_PLY - 1 {
                let eval = if position.is_check() { Score::DRAW } else { self.evaluate(position) };
                return Ok(Entered::Known(eval));
            }
            if self.has(Technique::MateDistance) {
                window.alpha = window.alpha.max(Score::mated_at(ply));
                window.beta = window.beta.min(Score::mate_at(ply + 1));
                if window.alpha >= window.beta {
                    return Ok(Entered::Known(window.alpha));
                }
            }
        }

        let entry = self.shared.table.probe(position.key());
        let may_cut = !K::PV && excluded.is_none() && self.has(Technique::TableCutoff);
        if let Some(entry) = entry.filter(|_| may_cut) {
            let score = entry.score(ply);
            if entry.depth >= depth && entry.decides(score, window.beta) && entry.holds_for(position) {
                return Ok(Entered::Known(score));
            }
        }

        let (mut floor, mut ceiling) = (Score::mated_at(ply), Score::MAX);
        if !K::ROOT
            && excluded.is_none()
            && let Some((score, bound)) = self.look_up(position, ply, depth)
        {
            let is_enough = match bound {
                Bound::Exact => true,
                Bound::Lower => score >= window.beta,
                Bound::Upper => score <= window.alpha,
            };
            if is_enough {
                /// What is known to the end is worth more than what was searched.
                const DEEPER: i32 = 6;
                let depth = (depth + DEEPER).min(MAX_PLY as i32 - 1);
                let new = NewEntry { mv: None, score, ply, eval: None, depth, bound, was_pv: K::PV };
                self.shared.table.store(position.key(), new);
                return Ok(Entered::Known(score));
            }
            match bound {
                Bound::Lower => floor = score,
                _ => ceiling = score,
            }
            window.alpha = window.alpha.max(floor);
        }

        let (raw_eval, static_eval) = self.static_evaluation(position, ply, entry);
        let is_improving = self.is_improving(ply, static_eval, window.beta);
        let was_pv = K::PV || entry.is_some_and(|entry| entry.was_pv);
        if !K::ROOT && entry.is_none() && excluded.is_none() && raw_eval.is_some() {
            // However the node ends, the evaluation need not be computed again. Nothing else is claimed.
            let score = Score::mated_at(ply);
            let new =
                NewEntry { mv: None, score, ply, eval: raw_eval, depth: 0, bound: Bound::Lower, was_pv };
            self.shared.table.store(position.key(), new);
        }
        // The rest of the entry is about the move that is left out.
        let entry = entry.filter(|_| excluded.is_none());
        let table_move = entry.and_then(|entry| entry.mv).filter(|_| self.has(Technique::TableMove));
        let eval = self.sharpened(static_eval, entry, ply);
        Ok(Entered::Open(Node {
            position,
            ply,
            depth,
            window,
            is_pv: K::PV,
            is_cut,
            excluded,
            entry,
            table_move,
            raw_eval,
            eval,
            static_eval,
            is_improving,
            was_pv,
            floor,
            ceiling,
            context: Context::default(),
        }))
    }

    /// What tables of endings know of a position.
    #[inline]
    fn look_up(&self, position: &Position, ply: usize, depth: i32) -> Option<(Score, Bound)> {
        let probing = self.shared.probing.as_ref().filter(|probing| probing.covers(position, depth))?;
        let known = probing.score(position, ply)?;
        self.shared.tablebase_hits.fetch_add(1, Ordering::Relaxed);
        Some(known)
    }

    /// What a position is worth without a search; to a weak player, about that.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &Position) -> Score {
        let eval = self.evaluator.evaluate(position);
        match &self.shared.handicap {
            None => eval,
            Some(handicap) => Score::centipawns(eval.value() + handicap.error(position)),
        }
    }

    /// Whether a weak player does not see a move.
    #[inline]
    pub(super) fn overlooks(&self, position: &Position, mv: Move, ply: usize) -> bool {
        let handicap = self.shared.handicap.as_ref();
        handicap.is_some_and(|handicap| handicap.overlooks(position, mv, self.frame_before(ply, 1).mv))
    }

    /// The evaluation before and after corrections; none in check.
    pub(super) fn static_evaluation(
        &mut self,
        position: &Position,
        ply: usize,
        entry: Option<Entry>,
    ) -> (Option<Score>, Option<Score>) {
        let raw = if position.is_check() {
            None
        } else {
            let known = entry.and_then(|entry| entry.eval);
            Some(known.unwrap_or_else(|| self.evaluate(position)))
        };
        let corrected = raw.map(|raw| {
            let correction =
                if self.has(Technique::Correction) { self.histories.correction(position) } else { 0 };
            Score::centipawns(raw.value() + correction)
        });
        self.frame(ply).eval = corrected;
        (raw, corrected)
    }

    /// The evaluation, or what the table knows better. In check there is none, and the last one of the same side must do.
    fn sharpened(&self, static_eval: Option<Score>, entry: Option<Entry>, ply: usize) -> Score {
        let Some(eval) = static_eval else {
            return self.frame_before(ply, 2).eval.unwrap_or(Score::DRAW);
        };
        entry.map_or(eval, |entry| entry.sharpen(eval, ply))
    }

    /// Whether the side to move is better off than at its last move, or well enough off to need no more.
    fn is_improving(&self, ply: usize, static_eval: Option<Score>, beta: Score) -> bool {
        let earlier = self.frame_before(ply, 2).eval.or(self.frame_before(ply, 4).eval);
        static_eval.is_some_and(|eval| eval >= beta || earlier.is_none_or(|earlier| eval > earlier))
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
