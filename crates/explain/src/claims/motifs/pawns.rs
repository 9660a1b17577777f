//! Pawn motifs: advanced pawn (a pawn move to the seventh or eighth rank), promotion, underpromotion, en-passant capture.

use rukh_chess::types::Rank;
use rukh_chess::{MoveKind, Piece};

use super::super::claim::Finding;
use super::super::fact::Predicate;
use super::super::kind::ClaimKind;
use super::line::{MotifLine, Step};

/// A pawn that reaches the seventh or eighth rank.
pub(super) fn advanced_pawn(line: &MotifLine) -> Option<Finding> {
    let is_far = |step: &Step<'_>| {
        let rank = step.to().rank().relative_to(line.hero());
        step.piece() == Piece::Pawn && matches!(rank, Rank::Seventh | Rank::Eighth)
    };
    line.own().find(is_far).map(|step| {
        let (square, piece) = (step.to(), step.arrived());
        let facts = vec![Predicate::Piece { color: line.hero(), piece, square }.at(step.plies())];
        step.finding(ClaimKind::AdvancedPawn, &[square], facts)
    })
}

/// The first promotion.
pub(super) fn promotion(line: &MotifLine) -> Option<Finding> {
    line.own().find_map(|step| promotes(&step, ClaimKind::Promotion))
}

/// The first promotion to another piece than a queen.
pub(super) fn underpromotion(line: &MotifLine) -> Option<Finding> {
    let is_under = |step: &Step<'_>| step.mv.promotion().is_some_and(|piece| piece != Piece::Queen);
    line.own().find(is_under).and_then(|step| promotes(&step, ClaimKind::Underpromotion))
}

fn promotes(step: &Step<'_>, kind: ClaimKind) -> Option<Finding> {
    let piece = step.mv.promotion()?;
    Some(step.finding(kind, &[step.to()], vec![Predicate::Promotes { piece }.at(step.plies())]))
}

/// The first en-passant capture.
pub(super) fn en_passant(line: &MotifLine) -> Option<Finding> {
    let step = line.own().find(|step| step.mv.kind() == MoveKind::EnPassant)?;
    let facts = step.capture_fact().into_iter().collect();
    Some(step.finding(ClaimKind::EnPassant, &[step.to()], facts))
}
