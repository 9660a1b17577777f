//! The classical evaluation from its terms: phase interpolation, endgame scaling, fifty-move damping.
//!
//! It calls every term and knows nothing of search.

use rukh_chess::types::{Black, White};
use rukh_chess::{Color, Position};

use super::balance::{imbalance, initiative, space};
use super::context::Context;
use super::king::king;
use super::passed::passed;
use super::pawns::PawnEntry;
use super::pieces::pieces;
use super::psqt::Psqt;
use super::tapered::Tapered;
use super::threats::threats;
use super::trace::{Ledger, Trace};
use super::weights;
use crate::knowledge::endgame::{self, KnownEndgame};
use crate::knowledge::fifty_moves::damp;
use crate::knowledge::scale::{SCALE_NORMAL, scale};

/// At this phase or below, only the endgame value counts.
const PHASE_ENDGAME: i32 = 4;
/// At this phase or above, only the middlegame value counts.
const PHASE_MIDGAME: i32 = 22;
/// The middlegame share at which only the middlegame value counts.
pub const MIDGAME_FULL: i32 = PHASE_MIDGAME - PHASE_ENDGAME;

/// The steps from the sum of terms to the value of a position. All values are for White.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The sum of all terms; zero in a known endgame.
    pub sum: Tapered,
    /// The weight of the middlegame value, of [`MIDGAME_FULL`].
    pub midgame_share: i32,
    /// The factor of the endgame value, of [`SCALE_NORMAL`].
    pub scale: i32,
    /// The known endgame whose rule gave the value.
    pub endgame: Option<KnownEndgame>,
    /// The value before fifty-move damping: interpolated and scaled, or that of the known endgame.
    pub undamped: i32,
    /// The value in internal units.
    pub value: i32,
}

impl Summary {
    /// The value for one side.
    #[inline]
    pub fn value_for(&self, side: Color) -> i32 {
        match side {
            Color::White => self.value,
            Color::Black => -self.value,
        }
    }
}

// ANCHOR: interpolate
/// The tapered evaluation: the mean of both phases, weighted by the middlegame share, the endgame value scaled.
#[inline]
pub fn interpolate(sum: Tapered, midgame_share: i32, scale: i32) -> i32 {
    let endgame = sum.endgame() * scale / SCALE_NORMAL;
    (sum.midgame() * midgame_share + endgame * (MIDGAME_FULL - midgame_share)) / MIDGAME_FULL
}
// ANCHOR_END: interpolate

/// Evaluates a position from scratch and reports every term to `trace`.
pub fn evaluate(position: &Position, trace: &mut impl Trace) -> Summary {
    let phase = Psqt::of(position).phase;
    if let Some(summary) = known(position, phase) {
        return summary;
    }
    let mut ledger = Ledger::new(Tapered::ZERO, trace);
    Psqt::emit(position, &mut ledger);
    let sum = ledger.sum();
    let pawns = PawnEntry::new(position, trace);
    finish(position, Psqt { sum, phase }, &pawns, trace)
}

/// The evaluation of a known endgame; `None` in any other position.
#[inline]
pub(super) fn known(position: &Position, phase: i32) -> Option<Summary> {
    let (endgame, undamped) = endgame::known(position)?;
    Some(Summary {
        sum: Tapered::ZERO,
        midgame_share: midgame_share(phase),
        scale: SCALE_NORMAL,
        endgame: Some(endgame),
        undamped,
        value: damp(undamped, position.halfmove_clock()),
    })
}

#[inline]
fn midgame_share(phase: i32) -> i32 {
    (phase - PHASE_ENDGAME).clamp(0, MIDGAME_FULL)
}

/// Adds every term that is neither in `psqt` nor in `pawns`, and makes the value of the sum.
#[inline]
pub(super) fn finish(position: &Position, psqt: Psqt, pawns: &PawnEntry, trace: &mut impl Trace) -> Summary {
    let mut ledger = Ledger::new(psqt.sum + pawns.sum, trace);
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
    let scale = scale(position, strong, pawns.passed[strong]);
    let midgame_share = midgame_share(psqt.phase);
    let undamped = interpolate(sum, midgame_share, scale);
    let value = damp(undamped, position.halfmove_clock());
    Summary { sum, midgame_share, scale, endgame: None, undamped, value }
}
