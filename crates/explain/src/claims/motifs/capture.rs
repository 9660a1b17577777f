//! Hanging piece: the first move takes an unprotected piece other than a pawn, and keeps it.
//!
//! It does not count if the move retakes on the square where the opponent has just captured something of the same value
//! or more. In a longer line the material after the hero's second move is not below that after the first.

use rukh_chess::Piece;

use super::super::claim::{Finding, NamedPiece};
use super::super::fact::Predicate;
use super::super::kind::ClaimKind;
use super::board::{balance, is_protected, value};
use super::line::MotifLine;

/// A piece taken that hung.
pub(super) fn hanging_piece(line: &MotifLine) -> Option<Finding> {
    let step = line.step(0)?;
    let captured =
        step.before.piece_on(step.to()).filter(|&piece| step.mv.is_capture() && piece != Piece::Pawn)?;
    if is_protected(step.before, step.to()) {
        return None;
    }
    let is_retake = line.previous().is_some_and(|(before, mv)| {
        mv.to() == step.to() && before.captured_by(mv).is_some_and(|taken| value(taken) >= value(captured))
    });
    let keeps =
        line.plies() < 3 || balance(line.position(3), line.hero()) >= balance(line.position(1), line.hero());
    (!is_retake && keeps).then(|| {
        let square = step.to();
        let facts = vec![
            Predicate::Unprotected { square }.at(0),
            Predicate::Captures { piece: captured, square }.at(1),
        ];
        let mut finding = step.finding(ClaimKind::HangingPiece, &[square], facts);
        finding.pieces.extend(NamedPiece::on(step.before, square));
        finding.plies = line.plies().min(3);
        finding
    })
}
