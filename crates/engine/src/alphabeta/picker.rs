//! Moves in the order in which they are worth looking at, generated no sooner than needed.

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
    MakeNoisy,
    GoodNoisy,
    Killer,
    Countermove,
    MakeQuiet,
    Quiet,
    BadNoisy,
    MakeChecks,
    Checks,
    Done,
}

/// Hands out the moves of a position one by one.
#[derive(Debug)]
pub(super) struct Picker {
    buffer: Buffer,
    stage: Stage,
    table_move: Option<Move>,
    refutations: Refutations,
    /// What is known of the quiet move that was handed out last, if it had to be ordered.
    ordering_score: Option<i32>,
    /// The next move of the stage.
    next: usize,
    /// Captures that lose material are put to the front of the buffer, up to here.
    bad_noisy: usize,
    /// Captures below this in exchange are bad; `None`: by their ordering_score, which is the victim and the history.
    noisy_threshold: Option<i32>,
    wants_quiet: bool,
    /// Whether quiet moves that give check come after the captures.
    wants_checks: bool,
}

/// Quiet moves that refuted something nearby.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Refutations {
    /// At the same ply.
    pub(super) killer: Option<Move>,
    /// After the same move.
    pub(super) countermove: Option<Move>,
}

/// Captures whose exchange loses more than this part of their ordering_score are looked at last.
const NOISY_HISTORY_DIVISOR: i32 = 32;

impl Picker {
    /// All moves.
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

    /// Captures and promotions that win at least `threshold` in exchange.
    pub(super) fn noisy(buffer: Buffer, table_move: Option<Move>, threshold: i32) -> Self {
        let table_move = table_move.filter(|mv| mv.is_noisy());
        Self {
            noisy_threshold: Some(threshold),
            wants_quiet: false,
            ..Self::all(buffer, table_move, Refutations::default())
        }
    }

    /// The same, and then the quiet moves that give check and lose nothing by it.
    pub(super) fn noisy_and_checks(buffer: Buffer, table_move: Option<Move>, threshold: i32) -> Self {
        Self { wants_checks: true, ..Self::noisy(buffer, table_move, threshold) }
    }

    /// These moves in this order.
    pub(super) fn listed(mut buffer: Buffer, moves: impl Iterator<Item = Move>) -> Self {
        buffer.truncate(0);
        moves.for_each(|mv| buffer.push(mv));
        Self { stage: Stage::Listed, ..Self::all(buffer, None, Refutations::default()) }
    }

    /// Leaves out the quiet moves that have not been handed out yet; before their turn has come, the losing captures behind
    /// them as well.
    pub(super) fn skip_quiet(&mut self) {
        self.wants_quiet = false;
    }

    /// What is known of the quiet move that was handed out last, if it had to be ordered.
    pub(super) fn ordering_score(&self) -> Option<i32> {
        self.ordering_score
    }

    /// Gives the room back.
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
        // The stages follow one another, and each that has nothing more to hand out leads to the next.
        if self.stage == Stage::Listed {
            self.next += 1;
            return self.buffer.get(self.next - 1);
        }
        if self.stage == Stage::TableMove {
            self.stage = Stage::MakeNoisy;
            self.table_move = self.table_move.filter(|&mv| position.is_legal(mv));
            if self.table_move.is_some() {
                return self.table_move;
            }
        }
        if self.stage == Stage::MakeNoisy {
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
                (false, true) => Stage::MakeChecks,
                (false, false) => Stage::Done,
            };
        }
        if self.stage == Stage::Killer {
            self.stage = Stage::Countermove;
            let killer = self.refutations.killer.filter(|&mv| self.may_refute(mv, position));
            self.refutations.killer = killer;
            if killer.is_some() {
                return killer;
            }
        }
        if self.stage == Stage::Countermove {
            self.stage = Stage::MakeQuiet;
            let Refutations { killer, countermove } = self.refutations;
            let countermove = countermove.filter(|&mv| Some(mv) != killer && self.may_refute(mv, position));
            self.refutations.countermove = countermove;
            if countermove.is_some() {
                return countermove;
            }
        }
        if self.stage == Stage::MakeQuiet {
            self.stage = Stage::Quiet;
            self.forget_good_noisy();
            if self.wants_quiet {
                position.generate::<Quiet>(&mut self.buffer);
                self.score_quiet(&histories.quiet(position, context), techniques);
            }
        }
        if self.stage == Stage::Quiet {
            while let Some(mv) = self.wants_quiet.then(|| self.best_of_rest()).flatten() {
                if !self.has_come(mv) {
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
        if self.stage == Stage::MakeChecks {
            self.stage = Stage::Checks;
            self.forget_good_noisy();
            position.generate::<Quiet>(&mut Checking::new(position, &mut self.buffer));
            self.score_quiet(&histories.quiet(position, context), techniques);
        }
        if self.stage == Stage::Checks {
            while let Some(mv) = self.best_of_rest() {
                if position.see_at_least(mv, 0, &exchange_values()) {
                    return Some(mv);
                }
            }
            self.stage = Stage::Done;
        }
        None
    }

    /// The most promising capture that does not lose by exchange; those that do are kept for later.
    fn good_noisy(&mut self, position: &Position) -> Option<Move> {
        while let Some((mv, ordering_score)) = self.buffer.bring_best(self.next) {
            self.next += 1;
            if Some(mv) == self.table_move {
                continue;
            }
            let threshold = self.noisy_threshold.unwrap_or(-ordering_score / NOISY_HISTORY_DIVISOR);
            if position.see_at_least(mv, threshold, &exchange_values()) {
                return Some(mv);
            }
            self.buffer.put(self.bad_noisy, mv);
            self.bad_noisy += 1;
        }
        None
    }

    /// Makes room for quiet moves behind the captures that are kept for later.
    fn forget_good_noisy(&mut self) {
        self.buffer.truncate(self.bad_noisy);
        self.next = self.bad_noisy;
    }

    #[inline]
    fn score_quiet(&mut self, histories: &QuietHistories<'_>, techniques: &impl TechniqueSet) {
        self.buffer.score(self.bad_noisy, |mv| quiet_score(mv, histories, techniques));
    }

    /// Takes the best of the moves that are left.
    #[inline]
    fn best_of_rest(&mut self) -> Option<Move> {
        let (mv, ordering_score) = self.buffer.bring_best(self.next)?;
        self.ordering_score = Some(ordering_score);
        self.next += 1;
        Some(mv)
    }

    /// Whether a move that refuted something nearby is one to be tried here.
    fn may_refute(&self, mv: Move, position: &Position) -> bool {
        self.wants_quiet && Some(mv) != self.table_move && !mv.is_noisy() && position.is_legal(mv)
    }

    /// Whether a quiet move has been handed out before the others were ordered.
    #[inline]
    fn has_come(&self, mv: Move) -> bool {
        [self.table_move, self.refutations.killer, self.refutations.countermove].contains(&Some(mv))
    }
}

/// Victims first, then what captures like this one have brought; a new queen is as good as a captured one.
#[inline]
fn noisy_score(mv: Move, position: &Position, histories: &Histories, techniques: &impl TechniqueSet) -> i32 {
    /// Worth of the victim against its history.
    const VICTIM_WEIGHT: i32 = 7;
    let victim = position.captured_by(mv).map_or(0, |piece| exchange_values()[piece]);
    let promotion = match mv.promotion() {
        None => 0,
        Some(Piece::Queen) => exchange_values()[Piece::Queen],
        Some(_) => -exchange_values()[Piece::Queen],
    };
    let history =
        if techniques.has(Technique::CaptureHistory) { histories.capture_of(position, mv) } else { 0 };
    // Without history the cheapest attacker comes first.
    let attacker = position.piece_on(mv.from()).map_or(0, Piece::index) as i32;
    VICTIM_WEIGHT * (victim + promotion) + history - attacker
}

/// What is known of a quiet move from elsewhere in the tree, and what it does at first sight.
#[inline]
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
        score += histories.rescue(mv) * params::defensive_bonus();
    }
    if techniques.has(Technique::CheckBonus) && histories.is_good_check(mv, &exchange_values()) {
        score += params::check_bonus();
    }
    score
}
