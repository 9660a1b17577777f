//! The whole evaluation: all terms, the phase, the scale, the fifty-move rule.

use rukh_chess::types::{Black, White};
use rukh_chess::{Color, Position};

use super::balance::{imbalance, initiative, space};
use super::base::Base;
use super::context::Context;
use super::endgame::{self, Ending, SCALE_NORMAL};
use super::king::king;
use super::passed::passed;
use super::pawns::PawnEntry;
use super::pieces::pieces;
use super::tapered::Tapered;
use super::threats::threats;
use super::trace::{Ledger, Trace};
use super::weights;

/// With pieces of this phase or less the endgame alone counts.
const PHASE_ENDGAME: i32 = 4;
/// With pieces of this phase or more the middlegame alone counts.
const PHASE_MIDGAME: i32 = 22;
/// The share of the middlegame when it alone counts.
pub const MIDGAME_FULL: i32 = PHASE_MIDGAME - PHASE_ENDGAME;
/// A score shrinks in proportion to this less the moves since the last capture or pawn move.
const FIFTY_MOVES_SPAN: i32 = 200;
/// The longest clock that still shrinks a score: the game is drawn then.
const FIFTY_MOVES: i32 = 100;

/// How the worth of a position came about; all values as White sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The sum of all terms; nothing if the ending is known.
    pub sum: Tapered,
    /// The share of the middlegame, of [`MIDGAME_FULL`].
    pub midgame_share: i32,
    /// The factor of the endgame, of [`SCALE_NORMAL`].
    pub scale: i32,
    /// The ending that was judged by itself, if it was.
    pub ending: Option<Ending>,
    /// The worth before the fifty-move rule: phases and scale applied, or the worth of the known ending.
    pub undamped: i32,
    /// The worth.
    pub worth: i32,
}

impl Summary {
    /// The worth for the side to move.
    #[inline]
    pub fn worth_for(&self, side: Color) -> i32 {
        match side {
            Color::White => self.worth,
            Color::Black => -self.worth,
        }
    }
}

/// The mean of both phases, the endgame scaled.
#[inline]
pub fn interpolate(sum: Tapered, midgame_share: i32, scale: i32) -> i32 {
    let endgame = sum.endgame() * scale / SCALE_NORMAL;
    (sum.midgame() * midgame_share + endgame * (MIDGAME_FULL - midgame_share)) / MIDGAME_FULL
}

/// The worth that is left with this many moves of either side since the last capture or pawn move.
#[inline]
pub fn damp(worth: i32, halfmove_clock: u16) -> i32 {
    worth * (FIFTY_MOVES_SPAN - i32::from(halfmove_clock).min(FIFTY_MOVES)) / FIFTY_MOVES_SPAN
}

/// Judges a position from nothing and tells `trace` of every term.
pub fn judge(position: &Position, trace: &mut impl Trace) -> Summary {
    let phase = Base::of(position).phase;
    if let Some(summary) = known(position, phase) {
        return summary;
    }
    let mut ledger = Ledger::new(Tapered::ZERO, trace);
    Base::emit(position, &mut ledger);
    let sum = ledger.sum();
    let pawns = PawnEntry::new(position, trace);
    finish(position, Base { sum, phase }, &pawns, trace)
}

/// The judgement of an ending that is known, if it is one.
#[inline]
pub(super) fn known(position: &Position, phase: i32) -> Option<Summary> {
    let (ending, undamped) = endgame::known(position)?;
    Some(Summary {
        sum: Tapered::ZERO,
        midgame_share: midgame_share(phase),
        scale: SCALE_NORMAL,
        ending: Some(ending),
        undamped,
        worth: damp(undamped, position.halfmove_clock()),
    })
}

#[inline]
fn midgame_share(phase: i32) -> i32 {
    (phase - PHASE_ENDGAME).clamp(0, MIDGAME_FULL)
}

/// Adds everything that is neither in `base` nor in `pawns`.
#[inline]
pub(super) fn finish(position: &Position, base: Base, pawns: &PawnEntry, trace: &mut impl Trace) -> Summary {
    let mut ledger = Ledger::new(base.sum + pawns.sum, trace);
    let ledger = &mut ledger;
    let mut context = Context::new(position, pawns);
    imbalance::<White>(&context, ledger);
    imbalance::<Black>(&context, ledger);
    pieces::<White>(&mut context, ledger);
    pieces::<Black>(&mut context, ledger);
    let context = &context;
    king::<White>(context, ledger);
    king::<Black>(context, ledger);
    threats::<White>(context, ledger);
    threats::<Black>(context, ledger);
    passed::<White>(context, ledger);
    passed::<Black>(context, ledger);
    space::<White>(context, ledger);
    space::<Black>(context, ledger);
    match position.side_to_move() {
        Color::White => ledger.add::<White>(weights::TEMPO.one(), 1),
        Color::Black => ledger.add::<Black>(weights::TEMPO.one(), 1),
    }
    initiative(context, ledger);

    let sum = ledger.sum();
    let strong = if sum.endgame() >= 0 { Color::White } else { Color::Black };
    let scale = endgame::scale(position, strong, pawns);
    let midgame_share = midgame_share(base.phase);
    let undamped = interpolate(sum, midgame_share, scale);
    let worth = damp(undamped, position.halfmove_clock());
    Summary { sum, midgame_share, scale, ending: None, undamped, worth }
}
