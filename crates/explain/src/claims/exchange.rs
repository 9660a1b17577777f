//! Material along a line, counted where the exchanges are over.

use rukh_chess::types::ByPiece;
use rukh_chess::{Color, Move, Piece, Position};

use super::motifs::board::{balance, value};

/// The values of the pieces for exchanges.
fn values() -> ByPiece<i32> {
    ByPiece(Piece::ALL.map(value))
}

/// Whether no exchange is going on: the side to move is not in check, and it has no capture that wins a pawn or more.
pub(super) fn is_quiet(position: &Position) -> bool {
    let values = values();
    let wins = |mv: &&Move| mv.is_noisy() && position.see_at_least(**mv, 1, &values);
    !position.is_check() && !position.legal_moves().iter().any(|mv| wins(&mv))
}

/// The change of the material balance of `side` at each quiet position of a line, with the ply of that position.
fn quiet_balances(start: &Position, line: &[Move], side: Color) -> Vec<(usize, i32)> {
    let before = balance(start, side);
    let mut here = start.clone();
    let mut found = Vec::new();
    for (at, &mv) in line.iter().enumerate() {
        here.make(mv, &mut ());
        if is_quiet(&here) {
            found.push((at + 1, balance(&here, side) - before));
        }
    }
    found
}

/// The change of the material balance of `side` at the last quiet position of a line, and the ply of that position.
/// `None` if no position after the first move is quiet.
pub(super) fn settled(start: &Position, line: &[Move], side: Color) -> Option<(usize, i32)> {
    quiet_balances(start, line, side).pop()
}

/// The same change with the ply of the first quiet position that has it: what follows is not needed to show it.
pub(super) fn first_settled(start: &Position, line: &[Move], side: Color) -> Option<(usize, i32)> {
    let balances = quiet_balances(start, line, side);
    let (_, last) = *balances.last()?;
    balances.into_iter().find(|(_, pawns)| *pawns == last)
}
