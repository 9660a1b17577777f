//! Material along a line, counted where the exchanges are over.

use rukh_chess::types::ByPiece;
use rukh_chess::{Color, Move, Piece, Position};

use super::motifs::board::{balance, value};

/// The values of the pieces for exchanges.
fn values() -> ByPiece<i32> {
    ByPiece(Piece::ALL.map(value))
}

/// Whether no exchange is going on: the side to move is not in check, and it has no capture that wins a pawn or more.
pub fn is_quiet(position: &Position) -> bool {
    let values = values();
    let wins = |mv: &&Move| mv.is_noisy() && position.see_at_least(**mv, 1, &values);
    !position.is_check() && !position.legal_moves().iter().any(|mv| wins(&mv))
}

/// The change of the material balance of `side` at the last quiet position of a line, and the ply of that position.
/// `None` if no position after the first move is quiet.
pub fn settled(start: &Position, line: &[Move], side: Color) -> Option<(usize, i32)> {
    let before = balance(start, side);
    let mut here = start.clone();
    let mut found = None;
    for (at, &mv) in line.iter().enumerate() {
        here.make(mv, &mut ());
        if is_quiet(&here) {
            found = Some((at + 1, balance(&here, side) - before));
        }
    }
    found
}
