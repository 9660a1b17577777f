//! Quiescence search: captures and promotions, in check all evasions, until the position is quiet enough for a static
//! evaluation. With quiescence checks the first ply also searches quiet checks.

use rukh_chess::{Move, Piece, Position};
use rukh_eval::{Evaluator, MAX_PLY, Score};

use super::node::Window;
use super::picker::{Picker, Refutations};
use super::worker::{Kind, Searched, Stopped, Worker};
use crate::api::Bound;
use crate::params::{self, exchange_values};
use crate::technique::{Technique, TechniqueSet};
use crate::transposition::NewEntry;
use crate::witness::{NodeKind, Purpose, Reason, SkipReason, Witness};

/// The depth inside the quiescence search. It selects the moves to search when not in check: fewer at later plies, so that
/// the search ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct QuiescenceDepth {
    /// Plies since the start of the quiescence search.
    plies: i32,
}

impl QuiescenceDepth {
    /// The first ply: captures and promotions; with quiescence checks also quiet checks that do not lose material.
    pub(super) const WITH_CHECKS: Self = Self { plies: 0 };
    /// Later plies: captures and promotions.
    pub(super) const CAPTURES_ONLY: Self = Self { plies: 1 };

    /// The next ply.
    pub(super) fn next(self) -> Self {
        Self { plies: self.plies + 1 }
    }

    /// Whether the recapture limit is reached: only recaptures are searched.
    fn is_recaptures_only(self) -> bool {
        self.plies >= params::recapture_limit()
    }
}

impl<E: Evaluator, T: TechniqueSet, W: Witness> Worker<E, T, W> {
    /// The quiescence score of `position`, with stand pat: exact inside `window`, a bound outside.
    #[inline(always)]
    pub(super) fn quiesce<K: Kind>(
        &mut self,
        position: &Position,
        ply: usize,
        window: Window,
        depth: QuiescenceDepth,
    ) -> Searched {
        self.observe_enter(NodeKind::Quiescence, ply, window, 0);
        let searched = self.quiesce_node::<K>(position, ply, window, depth);
        self.observe_leave(searched);
        searched
    }

    fn quiesce_node<K: Kind>(
        &mut self,
        position: &Position,
        ply: usize,
        window: Window,
        depth: QuiescenceDepth,
    ) -> Searched {
        self.count_node(ply)?;
        if K::PV {
            self.pv[ply].clear();
        }
        if self.is_draw(position) {
            self.witness.decided(Reason::Draw, None);
            return Ok(self.draw_score(ply));
        }
        if ply >= MAX_PLY - 1 {
            self.witness.decided(Reason::MaxPly, None);
            return Ok(if position.is_check() { Score::DRAW } else { self.evaluate(position) });
        }
        let entry = self.shared.table.probe(self.table_key(position));
        self.observe_entry(entry, ply);
        if let Some(entry) = entry.filter(|_| !K::PV && self.has(Technique::TableCutoff)) {
            let score = entry.score(ply);
            if entry.decides(score, window.beta) && entry.holds_for(position) {
                self.witness.decided(Reason::TableCutoff, entry.mv);
                return Ok(score);
            }
        }
        let was_pv = K::PV || entry.is_some_and(|entry| entry.was_pv);
        let (raw_eval, static_eval) = self.static_evaluation(position, ply, entry);
        // ANCHOR: stand_pat
        // Stand pat: the static evaluation is a lower bound, since no capture is forced. Not in check.
        let stand_pat = static_eval.map(|eval| entry.map_or(eval, |entry| entry.refine_by_bound(eval, ply)));
        if let Some(eval) = stand_pat.filter(|&eval| eval >= window.beta) {
            self.witness.decided(Reason::StandPat, None);
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
                self.shared.table.store(self.table_key(position), new);
            }
            return Ok(eval);
        }
        // ANCHOR_END: stand_pat

        let table_move = entry.and_then(|entry| entry.mv).filter(|_| self.has(Technique::TableMove));
        let buffer = self.buffers.pop().unwrap_or_default();
        let mut picker = if position.is_check() {
            Picker::all(buffer, table_move, Refutations::default())
        } else {
            let threshold =
                if self.has(Technique::QuiescenceExchange) { 0 } else { -exchange_values()[Piece::Queen] };
            match depth == QuiescenceDepth::WITH_CHECKS && self.has(Technique::QuiescenceChecks) {
                true => Picker::noisy_and_checks(buffer, table_move, threshold),
                false => Picker::noisy(buffer, table_move, threshold),
            }
        };
        let node = QuiescenceNode { position, ply, window, stand_pat, depth };
        let found = self.quiesce_moves::<K>(&node, &mut picker);
        self.buffers.push(picker.into_buffer());
        let (score, mv) = found?;
        let bound = if score >= window.beta { Bound::Lower } else { Bound::Upper };
        let new = NewEntry { mv, score, ply, eval: raw_eval, depth: 0, bound, was_pv };
        self.shared.table.store(self.table_key(position), new);
        Ok(score)
    }

    fn quiesce_moves<K: Kind>(
        &mut self,
        node: &QuiescenceNode<'_>,
        picker: &mut Picker,
    ) -> Result<(Score, Option<Move>), Stopped> {
        let QuiescenceNode { position, ply, mut window, stand_pat, depth } = *node;
        let context = if position.is_check() {
            self.context(position, ply)
        } else {
            self.continuation_context(ply).into()
        };
        let mut best = stand_pat.unwrap_or(Score::mated_at(ply));
        window.alpha = window.alpha.max(best);
        let mut best_move = None;
        let only_recaptures = depth.is_recaptures_only() && self.has(Technique::RecaptureLimit);
        let recapture = self.frame_before(ply, 1).mv.map(Move::to);
        let mut number = 0;
        while let Some(mv) = picker.next(position, &self.histories, &context, &self.techniques) {
            number += 1;
            // Underpromotions are left to the main search.
            if mv.promotion().is_some_and(|piece| piece != Piece::Queen) && !position.is_check() {
                self.witness.skipped(mv, SkipReason::Underpromotion);
                continue;
            }
            if self.overlooks(position, mv, ply) {
                self.witness.skipped(mv, SkipReason::Overlooked);
                continue;
            }
            if only_recaptures && Some(mv.to()) != recapture && !position.is_check() {
                self.witness.skipped(mv, Technique::RecaptureLimit.into());
                continue;
            }
            let is_forcing = || {
                let is_recapture = Some(mv.to()) == recapture;
                position.is_check() || is_recapture || mv.is_promotion() || position.gives_check(mv)
            };
            let is_over_limit = number > params::quiescence_moves() && !best.is_loss();
            if is_over_limit && self.has(Technique::QuiescenceLimit) && !is_forcing() {
                self.witness.skipped(mv, Technique::QuiescenceLimit.into());
                continue;
            }
            if !best.is_loss() {
                // ANCHOR: delta
                // Delta pruning: evaluation, captured piece and margin together do not reach alpha. It is wrong where the
                // capture opens a line or gives more than material.
                let gain = position.captured_by(mv).map_or(0, |piece| exchange_values()[piece]);
                let futility_value = stand_pat.map(|eval| eval + gain + params::delta_margin());
                let is_futile = futility_value.is_some_and(|futility_value| futility_value <= window.alpha)
                    && !mv.is_promotion();
                if is_futile && self.has(Technique::DeltaPruning) && !position.gives_check(mv) {
                    best = best.max(futility_value.unwrap_or(best));
                    self.witness.skipped(mv, Technique::DeltaPruning.into());
                    continue;
                }
                // ANCHOR_END: delta
            }
            let child = self.make(position, mv, ply);
            self.witness.intend(Purpose::Quiescence.into());
            let score =
                self.quiesce::<K>(&child, ply + 1, window.flipped(), depth.next()).map(|score| -score);
            self.unmake();
            let score = score?;
            if position.is_check() && !score.is_loss() {
                // One evasion avoids mate: the remaining quiet evasions are pruned.
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
        self.observe_quiescence(node, picker, best, best_move);
        Ok((best, best_move))
    }

    /// Reports by which move the node is decided, and which moves the picker left out.
    #[inline(always)]
    fn observe_quiescence(
        &mut self,
        node: &QuiescenceNode<'_>,
        picker: &Picker,
        best: Score,
        best_move: Option<Move>,
    ) {
        if !W::IS_ACTIVE {
            return;
        }
        let is_cutoff = best_move.is_some() && best >= node.window.beta;
        let is_check = node.position.is_check();
        if !is_cutoff && is_check && picker.skips_quiet() {
            self.observe_others(node.position, |_| true, SkipReason::EvasionFound);
        } else if !is_cutoff && !is_check && self.has(Technique::QuiescenceExchange) {
            self.observe_others(node.position, |mv| mv.is_noisy(), Technique::QuiescenceExchange.into());
        }
        let reason = match best_move {
            Some(_) if is_cutoff => Reason::BetaCutoff,
            Some(_) => Reason::RaisedAlpha,
            None if Some(best) == node.stand_pat => Reason::StandPat,
            None => Reason::FailedLow,
        };
        self.witness.decided(reason, best_move);
    }
}

/// A quiescence node.
struct QuiescenceNode<'p> {
    position: &'p Position,
    ply: usize,
    window: Window,
    stand_pat: Option<Score>,
    depth: QuiescenceDepth,
}
