//! Quiet and defensive moves.
//!
//! Quiet move: before the last move of the line, a move of a piece other than the king that neither gives nor answers
//! check, captures nothing, attacks no piece or pawn and is no pawn move beyond the fifth rank. Defensive move: the
//! last move of the line is of that kind (kings included) among at least three legal ones, or the hero answers a check
//! among at least three legal moves before it checks or captures.

use rukh_chess::Piece;
use rukh_chess::types::Rank;

use super::super::claim::Finding;
use super::super::kind::ClaimKind;
use super::board::attacks_from;
use super::line::{MotifLine, Step};

/// The least number of legal moves among which finding one is a decision.
const CHOICE: usize = 3;

/// The first quiet move of the line.
pub(super) fn quiet_move(line: &MotifLine) -> Option<Finding> {
    let is_quiet = |step: &Step<'_>| {
        step.at + 1 < line.plies() && !step.before.is_check() && step.piece() != Piece::King && is_calm(step)
    };
    line.own().find(is_quiet).map(|step| step.finding(ClaimKind::QuietMove, &[step.to()], Vec::new()))
}

/// A defensive move.
pub(super) fn defensive_move(line: &MotifLine) -> Option<Finding> {
    let has_choice = |step: &Step<'_>| step.before.legal_moves().len() >= CHOICE;
    let last = line.last_own().filter(|step| has_choice(step) && is_calm(step));
    let escape = || {
        let mut steps =
            line.own().take_while(|step| !step.after.is_check() && !step.mv.is_capture() && has_choice(step));
        steps.find(|step| step.before.is_check())
    };
    last.or_else(escape).map(|step| step.finding(ClaimKind::DefensiveMove, &[step.to()], Vec::new()))
}

/// An answer to a check that neither checks nor captures.
pub(super) fn is_escape(step: &Step<'_>) -> bool {
    step.before.is_check() && !step.after.is_check() && !step.mv.is_capture()
}

/// No check, no capture, no piece attacked, no far pawn move.
pub(super) fn is_calm(step: &Step<'_>) -> bool {
    let rank = step.to().rank().relative_to(step.before.side_to_move());
    let is_far_pawn = step.piece() == Piece::Pawn && rank >= Rank::Sixth;
    let them = step.after.color(step.after.side_to_move());
    let attacks = |square| attacks_from(step.after, square).intersects(them);
    !step.after.is_check()
        && !step.mv.is_capture()
        && !is_far_pawn
        && !step.arrivals().into_iter().any(attacks)
}
