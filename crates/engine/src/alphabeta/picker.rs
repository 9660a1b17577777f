//! Staged move picker: returns the moves of a position one by one, best first, and generates them as late as possible.
//!
//! Stages: hash move, good captures and promotions (MVV-LVA with capture history, SEE), killer, countermove, quiet moves by
//! history, bad captures. Quiescence and ProbCut use the captures alone, with or without quiet checks.

use rukh_chess::movegen::{Checking, MoveStore, Noisy, Quiet};
use rukh_chess::{Move, Piece, Position};

use super::buffer::Buffer;
use crate::histories::{Context, Histories, QuietHistories};
use crate::params::{self, exchange_values};
use crate::technique::{Technique, TechniqueSet};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Listed,
    TableMove,
    GenerateNoisy,
    GoodNoisy,
    Killer,
    Countermove,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    GenerateChecks,
    Checks,
    Done,
}

/// The move picker of one node.
#[derive(Debug)]
pub(super) struct Picker {
    buffer: Buffer,
    stage: Stage,
    /// The hash move.
    table_move: Option<Move>,
    refutations: Refutations,
    /// The ordering score of the last move, if it was a scored quiet move.
    ordering_score: Option<i32>,
    /// The index of the next move of the stage.
    next: usize,
    /// The number of bad captures, which are moved to the front of the buffer.
    bad_noisy: usize,
    /// Captures below this SEE value are bad; `None` derives the threshold from the ordering score.
    noisy_threshold: Option<i32>,
    wants_quiet: bool,
    /// Whether quiet checks follow the captures.
    wants_checks: bool,
}

/// Quiet moves that caused cut-offs in related nodes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Refutations {
    /// The killer move of the same ply.
    pub(super) killer: Option<Move>,
    /// The countermove to the previous move.
    pub(super) countermove: Option<Move>,
}

impl Picker {
    /// A picker of all legal moves.
    pub(super) fn all(buffer: Buffer, table_move: Option<Move>, refutations: Refutations) -> Self {
        Self {
            buffer,
            stage: Stage::TableMove,
            table_move,
            refutations,
            ordering_score: None,
            next: 0,
            bad_noisy: 0,
            noisy_threshold: None,
            wants_quiet: true,
            wants_checks: false,
        }
    }

    /// A picker of the captures and promotions with a SEE value of at least `threshold`.
    pub(super) fn noisy(buffer: Buffer, table_move: Option<Move>, threshold: i32) -> Self {
        let table_move = table_move.filter(|mv| mv.is_noisy());
        Self {
            noisy_threshold: Some(threshold),
            wants_quiet: false,
            ..Self::all(buffer, table_move, Refutations::default())
        }
    }

    /// The same, followed by the quiet checks that do not lose material.
    pub(super) fn noisy_and_checks(buffer: Buffer, table_move: Option<Move>, threshold: i32) -> Self {
        Self { wants_checks: true, ..Self::noisy(buffer, table_move, threshold) }
    }

    /// A picker of these moves in this order, for the root.
    pub(super) fn listed(mut buffer: Buffer, moves: impl Iterator<Item = Move>) -> Self {
        buffer.truncate(0);
        moves.for_each(|mv| buffer.push(mv));
        Self { stage: Stage::Listed, ..Self::all(buffer, None, Refutations::default()) }
    }

    /// Skips the remaining quiet moves. If it is called before the quiet stages, the bad captures are skipped too.
    pub(super) fn skip_quiet(&mut self) {
        self.wants_quiet = false;
    }

    /// Whether the remaining quiet moves are skipped.
    pub(super) fn skips_quiet(&self) -> bool {
        !self.wants_quiet
    }

    /// The ordering score of the last move, if it was a scored quiet move.
    pub(super) fn ordering_score(&self) -> Option<i32> {
        self.ordering_score
    }

    /// Returns the buffer for reuse.
    pub(super) fn into_buffer(self) -> Buffer {
        self.buffer
    }

    /// The next move.
    pub(super) fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &Context,
        techniques: &impl TechniqueSet,
    ) -> Option<Move> {
        // A stage without further moves falls through to the next.
        if self.stage == Stage::Listed {
            self.next += 1;
            return self.buffer.get(self.next - 1);
        }
        if self.stage == Stage::TableMove {
            self.stage = Stage::GenerateNoisy;
            self.table_move = self.table_move.filter(|&mv| position.is_legal(mv));
            if self.table_move.is_some() {
                return self.table_move;
            }
        }
        if self.stage == Stage::GenerateNoisy {
            self.stage = Stage::GoodNoisy;
            self.buffer.truncate(0);
            position.generate::<Noisy>(&mut self.buffer);
            self.buffer.score(0, |mv| noisy_score(mv, position, histories, techniques));
        }
        if self.stage == Stage::GoodNoisy {
            if let Some(mv) = self.good_noisy(position) {
                return Some(mv);
            }
            self.stage = match (self.wants_quiet, self.wants_checks) {
                (true, _) => Stage::Killer,
                (false, true) => Stage::GenerateChecks,
                (false, false) => Stage::Done,
            };
        }
        if self.stage == Stage::Killer {
            self.stage = Stage::Countermove;
            let killer = self.refutations.killer.filter(|&mv| self.is_valid_refutation(mv, position));
            self.refutations.killer = killer;
            if killer.is_some() {
                return killer;
            }
        }
        if self.stage == Stage::Countermove {
            self.stage = Stage::GenerateQuiet;
            let Refutations { killer, countermove } = self.refutations;
            let countermove =
                countermove.filter(|&mv| Some(mv) != killer && self.is_valid_refutation(mv, position));
            self.refutations.countermove = countermove;
            if countermove.is_some() {
                return countermove;
            }
        }
        if self.stage == Stage::GenerateQuiet {
            self.stage = Stage::Quiet;
            self.drop_good_noisy();
            if self.wants_quiet {
                histories.prefetch_quiet(position, context);
                position.generate::<Quiet>(&mut self.buffer);
                self.score_quiet(&histories.quiet(position, context), techniques);
            }
        }
        if self.stage == Stage::Quiet {
            while let Some(mv) = self.wants_quiet.then(|| self.next_best()).flatten() {
                if !self.is_already_picked(mv) {
                    return Some(mv);
                }
            }
            self.stage = Stage::BadNoisy;
            self.ordering_score = None;
            self.next = 0;
        }
        if self.stage == Stage::BadNoisy {
            self.next += 1;
            return (self.next <= self.bad_noisy).then(|| self.buffer.get(self.next - 1)).flatten();
        }
        if self.stage == Stage::GenerateChecks {
            self.stage = Stage::Checks;
            self.drop_good_noisy();
            position.generate::<Quiet>(&mut Checking::new(position, &mut self.buffer));
            self.score_quiet(&histories.quiet(position, context), techniques);
        }
        if self.stage == Stage::Checks {
            while let Some(mv) = self.next_best() {
                if position.see_at_least(mv, 0, &exchange_values()) {
                    return Some(mv);
                }
            }
            self.stage = Stage::Done;
        }
        None
    }

    /// The best capture that is good by SEE; bad captures are kept for later.
    fn good_noisy(&mut self, position: &Position) -> Option<Move> {
        while let Some((mv, ordering_score)) = self.buffer.bring_best(self.next) {
            self.next += 1;
            if Some(mv) == self.table_move {
                continue;
            }
            let threshold = self.noisy_threshold.unwrap_or(-ordering_score / params::noisy_history_divisor());
            if position.see_at_least(mv, threshold, &exchange_values()) {
                return Some(mv);
            }
            self.buffer.put(self.bad_noisy, mv);
            self.bad_noisy += 1;
        }
        None
    }

    /// Drops all captures but the bad ones, to make room for quiet moves behind them.
    fn drop_good_noisy(&mut self) {
        self.buffer.truncate(self.bad_noisy);
        self.next = self.bad_noisy;
    }

    #[inline]
    fn score_quiet(&mut self, histories: &QuietHistories<'_>, techniques: &impl TechniqueSet) {
        self.buffer.score(self.bad_noisy, |mv| quiet_score(mv, histories, techniques));
    }

    /// The best of the remaining moves (selection sort).
    #[inline]
    fn next_best(&mut self) -> Option<Move> {
        let (mv, ordering_score) = self.buffer.bring_best(self.next)?;
        self.ordering_score = Some(ordering_score);
        self.next += 1;
        Some(mv)
    }

    /// Whether a killer or countermove is legal here and has not been returned yet.
    fn is_valid_refutation(&self, mv: Move, position: &Position) -> bool {
        self.wants_quiet && Some(mv) != self.table_move && !mv.is_noisy() && position.is_legal(mv)
    }

    /// Whether a quiet move was returned already as hash move, killer or countermove.
    #[inline]
    fn is_already_picked(&self, mv: Move) -> bool {
        [self.table_move, self.refutations.killer, self.refutations.countermove].contains(&Some(mv))
    }
}

/// The ordering score of captures and promotions: MVV-LVA (most valuable victim, least valuable attacker) with capture
/// history. A queen promotion counts like a captured queen.
#[inline]
fn noisy_score(mv: Move, position: &Position, histories: &Histories, techniques: &impl TechniqueSet) -> i32 {
    /// Weight of the victim against capture history.
    const VICTIM_WEIGHT: i32 = 7;
    let victim = position.captured_by(mv).map_or(0, |piece| exchange_values()[piece]);
    let promotion = match mv.promotion() {
        None => 0,
        Some(Piece::Queen) => exchange_values()[Piece::Queen],
        Some(_) => -exchange_values()[Piece::Queen],
    };
    let history =
        if techniques.has(Technique::CaptureHistory) { histories.capture_of(position, mv) } else { 0 };
    // Least valuable attacker: breaks ties.
    let attacker = position.piece_on(mv.from()).map_or(0, Piece::index) as i32;
    VICTIM_WEIGHT * (victim + promotion) + history - attacker
}

// ANCHOR: quiet_score
/// The ordering score of a quiet move: butterfly, continuation and pawn history, defensive bonus and check bonus.
#[inline(always)]
pub(super) fn quiet_score(mv: Move, histories: &QuietHistories<'_>, techniques: &impl TechniqueSet) -> i32 {
    let mut score = 0;
    if techniques.has(Technique::QuietHistory) {
        score += histories.butterfly(mv);
    }
    if techniques.has(Technique::ContinuationHistory) {
        score += histories.continuation(mv);
    }
    if techniques.has(Technique::PawnHistory) {
        score += histories.pawn(mv);
    }
    if techniques.has(Technique::DefensiveBonus) {
        score += histories.threat_escape(mv) * params::defensive_bonus();
    }
    if techniques.has(Technique::CheckBonus) && histories.is_good_check(mv, &exchange_values()) {
        score += params::check_bonus();
    }
    score
}
// ANCHOR_END: quiet_score
