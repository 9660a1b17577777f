//! Trapped piece: a piece other than pawn and king, not pinned and not in check, is en prise, wherever it goes it is en
//! prise again, and it can take nothing of its own value. The hero then captures it, where it stood or where it went.

use rukh_chess::{Piece, Position, Square};

use super::super::claim::Finding;
use super::super::fact::Predicate;
use super::super::kind::ClaimKind;
use super::board::{is_en_prise, pinned_by, value};
use super::line::MotifLine;

/// The first trapped piece of the line.
pub(super) fn trapped_piece(line: &MotifLine) -> Option<Finding> {
    line.own_pairs().find_map(|(trap, reply, step)| {
        let captured = step.captured().filter(|&piece| piece != Piece::Pawn)?;
        let square = if reply.to() == step.to() { reply.from() } else { step.to() };
        is_trapped(trap.after, square).then(|| {
            let ply = trap.plies();
            let facts = vec![
                Predicate::Trapped { square }.at(ply),
                Predicate::Captures { piece: captured, square: step.to() }.at(step.plies()),
            ];
            let mut finding = trap.finding(ClaimKind::TrappedPiece, &[square], facts);
            finding.plies = step.plies();
            finding
        })
    })
}

/// Whether the piece of the side to move on `square` is trapped.
fn is_trapped(board: &Position, square: Square) -> bool {
    let Some(piece) = board.piece_on(square) else { return false };
    if matches!(piece, Piece::Pawn | Piece::King) || board.is_check() || pinned_by(board, square).is_some() {
        return false;
    }
    if !is_en_prise(board, square) {
        return false;
    }
    board.legal_moves().iter().filter(|mv| mv.from() == square).all(|&mv| {
        let takes_enough = board.captured_by(mv).is_some_and(|taken| value(taken) >= value(piece));
        !takes_enough && is_en_prise(&board.after(mv), mv.to())
    })
}
