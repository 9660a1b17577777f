//! Node entry: draws by rule, mate distance pruning, transposition table and tablebase cut-offs, static evaluation.

use std::sync::atomic::Ordering;

use rukh_chess::{Move, Position};
use rukh_eval::{Evaluator, MAX_PLY, Score};

use super::node::{Node, Window};
use super::worker::{Kind, Stopped, Worker};
use crate::api::Bound;
use crate::histories::Context;
use crate::technique::{Technique, TechniqueSet};
use crate::transposition::{Entry, NewEntry};
use crate::witness::{Reason, Witness};

/// The result of entering a node.
pub(super) enum Entered<'p> {
    /// The score is known without a search.
    Known(Score),
    /// The node must be searched.
    Open(Node<'p>),
}

/// The result of a tablebase probe.
enum Probed {
    /// The score decides the node.
    Known(Score),
    /// The score lies between these bounds.
    Bounds { floor: Score, ceiling: Score },
}

impl<E: Evaluator, T: TechniqueSet, W: Witness> Worker<E, T, W> {
    /// Counts the node and tries, in this order, the rules of the game, the transposition table and the tablebases. If none
    /// of them decides the node, it is opened with its static evaluation.
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
        self.inherit_extensions(ply);
        self.frame(ply + 2).cutoffs = 0;
        if !K::ROOT
            && let Some(score) = self.decided_by_rules(position, ply, &mut window)
        {
            return Ok(Entered::Known(score));
        }
        let excluded = self.frame(ply).excluded;
        let entry = self.shared.table.probe(self.table_key(position));
        self.observe_entry(entry, ply);
        let may_cut = !K::PV && excluded.is_none() && self.has(Technique::TableCutoff);
        if let Some(entry) = entry.filter(|_| may_cut) {
            let score = entry.score(ply);
            if entry.depth >= depth && entry.decides(score, window.beta) && entry.holds_for(position) {
                self.witness.decided(Reason::TableCutoff, entry.mv);
                return Ok(Entered::Known(score));
            }
        }
        let (mut floor, mut ceiling) = (Score::mated_at(ply), Score::MAX);
        if !K::ROOT && excluded.is_none() {
            match self.probe_tablebases::<K>(position, ply, window, depth) {
                Some(Probed::Known(score)) => {
                    self.witness.decided(Reason::Tablebase, None);
                    return Ok(Entered::Known(score));
                }
                Some(Probed::Bounds { floor: least, ceiling: most }) => {
                    (floor, ceiling) = (floor.max(least), most);
                    window.alpha = window.alpha.max(floor);
                }
                None => {}
            }
        }
        let node = self.open::<K>(position, ply, window, depth, entry);
        Ok(Entered::Open(Node { is_cut, floor, ceiling, ..node }))
    }

    /// Draws by rule, the maximum ply, and mate distance pruning: the score is at least that of being mated here and at most
    /// that of mating with the next move, so the window is narrowed to these, and the node is cut off if nothing is left.
    #[inline]
    fn decided_by_rules(&mut self, position: &Position, ply: usize, window: &mut Window) -> Option<Score> {
        if self.is_draw(position) {
            self.witness.decided(Reason::Draw, None);
            return Some(self.draw_score(ply));
        }
        if ply >= MAX_PLY - 1 {
            self.witness.decided(Reason::MaxPly, None);
            return Some(if position.is_check() { Score::DRAW } else { self.evaluate(position) });
        }
        if self.has(Technique::MateDistance) {
            window.alpha = window.alpha.max(Score::mated_at(ply));
            window.beta = window.beta.min(Score::mate_at(ply + 1));
            let is_cutoff = window.alpha >= window.beta;
            if is_cutoff {
                self.witness.decided(Reason::MateDistance, None);
            }
            return is_cutoff.then_some(window.alpha);
        }
        None
    }

    /// Probes the tablebases, and stores a score that decides the node in the transposition table.
    #[inline]
    fn probe_tablebases<K: Kind>(
        &mut self,
        position: &Position,
        ply: usize,
        window: Window,
        depth: i32,
    ) -> Option<Probed> {
        let probing = self.shared.probing.as_ref().filter(|probing| probing.may_probe(position, depth))?;
        let (score, bound) = probing.score(position, ply)?;
        self.shared.tablebase_hits.fetch_add(1, Ordering::Relaxed);
        let is_enough = match bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        if is_enough {
            /// A tablebase score is stored as if it had been searched so many plies deeper.
            const DEEPER: i32 = 6;
            let depth = (depth + DEEPER).min(MAX_PLY as i32 - 1);
            let new = NewEntry { mv: None, score, ply, eval: None, depth, bound, was_pv: K::PV };
            self.shared.table.store(self.table_key(position), new);
            return Some(Probed::Known(score));
        }
        Some(match bound {
            Bound::Lower => Probed::Bounds { floor: score, ceiling: Score::MAX },
            _ => Probed::Bounds { floor: Score::MIN, ceiling: score },
        })
    }

    /// The node with its static evaluation, which is stored in the transposition table if the position has no entry yet.
    #[inline]
    fn open<'p, K: Kind>(
        &mut self,
        position: &'p Position,
        ply: usize,
        window: Window,
        depth: i32,
        entry: Option<Entry>,
    ) -> Node<'p> {
        let excluded = self.frame(ply).excluded;
        let (raw_eval, static_eval) = self.static_evaluation(position, ply, entry);
        let is_improving = self.is_improving(ply, static_eval, window.beta);
        let was_pv = K::PV || entry.is_some_and(|entry| entry.was_pv);
        if !K::ROOT && entry.is_none() && excluded.is_none() && raw_eval.is_some() {
            // A bound without information: the entry only stores the evaluation.
            let score = Score::mated_at(ply);
            let new =
                NewEntry { mv: None, score, ply, eval: raw_eval, depth: 0, bound: Bound::Lower, was_pv };
            self.shared.table.store(self.table_key(position), new);
        }
        // With an excluded move the rest of the entry is not used: it describes that move.
        let entry = entry.filter(|_| excluded.is_none());
        let table_move = entry.and_then(|entry| entry.mv).filter(|_| self.has(Technique::TableMove));
        let eval = self.refined_eval(static_eval, entry, ply);
        Node {
            position,
            ply,
            depth,
            window,
            is_pv: K::PV,
            is_cut: false,
            excluded,
            entry,
            table_move,
            raw_eval,
            eval,
            static_eval,
            is_improving,
            was_pv,
            floor: Score::mated_at(ply),
            ceiling: Score::MAX,
            context: Context::default(),
        }
    }

    /// The evaluation of a position, with an error added at limited strength.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &Position) -> Score {
        let eval = self.evaluator.evaluate(position);
        match &self.shared.handicap {
            None => eval,
            Some(handicap) => Score::new(eval.value() + handicap.error(position)),
        }
    }

    /// Whether a move is overlooked because of a limited strength.
    #[inline]
    pub(super) fn overlooks(&self, position: &Position, mv: Move, ply: usize) -> bool {
        let handicap = self.shared.handicap.as_ref();
        handicap.is_some_and(|handicap| handicap.overlooks(position, mv, self.frame_before(ply, 1).mv))
    }

    /// The static evaluation before and after correction history; `None` in check.
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
            let correction = match self.has(Technique::Correction) {
                true => self.histories.corrections.correction(position),
                false => 0,
            };
            Score::new(raw.value() + correction)
        });
        self.frame(ply).eval = corrected;
        if W::IS_ACTIVE
            && let Some(eval) = corrected
        {
            self.witness.evaluated(eval);
        }
        (raw, corrected)
    }

    /// The static evaluation refined by the bound of the entry. In check it is that of two plies ago.
    fn refined_eval(&self, static_eval: Option<Score>, entry: Option<Entry>, ply: usize) -> Score {
        let Some(eval) = static_eval else {
            return self.frame_before(ply, 2).eval.unwrap_or(Score::DRAW);
        };
        entry.map_or(eval, |entry| entry.refine_by_bound(eval, ply))
    }

    /// Whether the static evaluation is better than at the last move of the same side, or at least beta.
    fn is_improving(&self, ply: usize, static_eval: Option<Score>, beta: Score) -> bool {
        let earlier = self.frame_before(ply, 2).eval.or(self.frame_before(ply, 4).eval);
        static_eval.is_some_and(|eval| eval >= beta || earlier.is_none_or(|earlier| eval > earlier))
    }
}
