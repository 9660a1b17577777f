//! Quiescence: captures until the position is quiet enough to be evaluated.

use rukh_chess::{Move, Piece, Position};
use rukh_eval::{Evaluator, MAX_PLY, Score};

use super::node::Window;
use super::picker::{Picker, Refutations};
use super::worker::{Kind, Searched, Stopped, Worker};
use crate::api::Bound;
use crate::params::{self, exchange_values};
use crate::technique::{Technique, TechniqueSet};
use crate::transposition::NewEntry;

/// Which moves quiescence looks at when not in check: fewer with every ply, or it would not end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reach {
    /// Plies since quiescence began.
    plies: i32,
}

impl Reach {
    /// Captures, promotions, and quiet moves that give check at no loss: the first ply.
    pub(super) const CHECKS: Self = Self { plies: 0 };
    /// Captures and promotions: the plies after it.
    pub(super) const CAPTURES: Self = Self { plies: 1 };

    /// That of the next ply.
    pub(super) fn further(self) -> Self {
        Self { plies: self.plies + 1 }
    }

    /// Whether quiescence has gone on for so long that it only ends exchanges that have begun.
    fn is_recaptures(self) -> bool {
        self.plies >= params::recapture_limit()
    }
}

impl<E: Evaluator, T: TechniqueSet> Worker<E, T> {
    /// The score when only captures and promotions are left to play, at the first ply also checks, or, in check, evasions.
    pub(super) fn quiesce<K: Kind>(
        &mut self,
        position: &Position,
        ply: usize,
        window: Window,
        reach: Reach,
    ) -> Searched {
        self.count_node(ply)?;
        if K::PV {
            self.pv[ply].clear();
        }
        if self.is_draw(position) {
            return Ok(self.draw_score(ply));
        }
        if ply >= MAX_PLY - 1 {
            return Ok(if position.is_check() { Score::DRAW } else { self.evaluate(position) });
        }
        let entry = self.shared.table.probe(position.key());
        if let Some(entry) = entry.filter(|_| !K::PV && self.has(Technique::TableCutoff)) {
            let score = entry.score(ply);
            if entry.decides(score, window.beta) && entry.holds_for(position) {
                return Ok(score);
            }
        }
        let was_pv = K::PV || entry.is_some_and(|entry| entry.was_pv);
        let (raw_eval, static_eval) = self.static_evaluation(position, ply, entry);
        // Nobody has to capture: the evaluation is a lower bound, except in check.
        let stand_pat = static_eval.map(|eval| entry.map_or(eval, |entry| entry.sharpen(eval, ply)));
        if let Some(eval) = stand_pat.filter(|&eval| eval >= window.beta) {
            if entry.is_none() {
                let new = NewEntry {
                    mv: None,
                    score: eval,
                    ply,
                    eval: raw_eval,
                    depth: 0,
                    bound: Bound::Lower,
                    was_pv,
                };
                self.shared.table.store(position.key(), new);
            }
            return Ok(eval);
        }

        let table_move = entry.and_then(|entry| entry.mv).filter(|_| self.has(Technique::TableMove));
        let buffer = self.buffers.pop().unwrap_or_default();
        let mut picker = if position.is_check() {
            Picker::all(buffer, table_move, Refutations::default())
        } else {
            let threshold =
                if self.has(Technique::QuiescenceExchange) { 0 } else { -exchange_values()[Piece::Queen] };
            match reach == Reach::CHECKS && self.has(Technique::QuiescenceChecks) {
                true => Picker::noisy_and_checks(buffer, table_move, threshold),
                false => Picker::noisy(buffer, table_move, threshold),
            }
        };
        let leaf = Leaf { position, ply, window, stand_pat, reach };
        let found = self.quiesce_moves::<K>(&leaf, &mut picker);
        self.buffers.push(picker.into_buffer());
        let (score, mv) = found?;
        let bound = if score >= window.beta { Bound::Lower } else { Bound::Upper };
        let new = NewEntry { mv, score, ply, eval: raw_eval, depth: 0, bound, was_pv };
        self.shared.table.store(position.key(), new);
        Ok(score)
    }

    fn quiesce_moves<K: Kind>(
        &mut self,
        leaf: &Leaf<'_>,
        picker: &mut Picker,
    ) -> Result<(Score, Option<Move>), Stopped> {
        let Leaf { position, ply, mut window, stand_pat, reach } = *leaf;
        let context = if position.is_check() { self.context(position, ply) } else { self.before(ply).into() };
        let mut best = stand_pat.unwrap_or(Score::mated_at(ply));
        window.alpha = window.alpha.max(best);
        let mut best_move = None;
        let is_late_move = reach.is_recaptures() && self.has(Technique::RecaptureLimit);
        let recapture = self.frame_before(ply, 1).mv.map(Move::to);
        let mut number = 0;
        while let Some(mv) = picker.next(position, &self.histories, &context, &self.techniques) {
            self.prefetch(position, mv);
            number += 1;
            // A pawn that becomes less than a queen is for deeper searches.
            if mv.promotion().is_some_and(|piece| piece != Piece::Queen) && !position.is_check() {
                continue;
            }
            if self.overlooks(position, mv, ply) {
                continue;
            }
            if is_late_move && Some(mv.to()) != recapture && !position.is_check() {
                continue;
            }
            let is_forcing = || {
                let is_recapture = Some(mv.to()) == recapture;
                position.is_check() || is_recapture || mv.is_promotion() || position.gives_check(mv)
            };
            let is_enough = number > params::quiescence_moves() && !best.is_loss();
            if is_enough && self.has(Technique::QuiescenceLimit) && !is_forcing() {
                continue;
            }
            if !best.is_loss() {
                // Delta pruning: not even the victim and a margin reach alpha.
                let gain = position.captured_by(mv).map_or(0, |piece| exchange_values()[piece]);
                let ordering_score = stand_pat.map(|eval| eval + gain + params::delta_margin());
                let is_futile = ordering_score.is_some_and(|ordering_score| ordering_score <= window.alpha)
                    && !mv.is_promotion();
                if is_futile && self.has(Technique::DeltaPruning) && !position.gives_check(mv) {
                    best = best.max(ordering_score.unwrap_or(best));
                    continue;
                }
            }
            let child = self.make(position, mv, ply);
            let score =
                self.quiesce::<K>(&child, ply + 1, window.flipped(), reach.further()).map(|score| -score);
            self.unmake();
            let score = score?;
            if position.is_check() && !score.is_loss() {
                // One evasion is not mated: other quiet ones will not be much better.
                picker.skip_quiet();
            }
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    window.alpha = score;
                    if K::PV {
                        self.update_pv(ply, mv);
                    }
                }
                if score >= window.beta {
                    break;
                }
            }
        }
        Ok((best, best_move))
    }
}

/// A node of the quiescence search.
struct Leaf<'p> {
    position: &'p Position,
    ply: usize,
    window: Window,
    stand_pat: Option<Score>,
    reach: Reach,
}
