//! Unstoppable pawn: whatever the opponent plays, a pawn of the hero steps forward on every move, promotes, and the new
//! queen is not captured at once.
//!
//! What is found: the opponent has only king and pawns and is not in check; the pawn has at most four steps to go and
//! nothing before it; the opponent's king needs at least two moves more to the promotion square than the pawn (the king
//! is outside the square of the pawn); every opponent's pawn is two files away or behind it, needs more moves to promote,
//! and cannot come to check the hero's king.

use rukh_chess::{Bitboard, Color, Piece, Position, Square};

use super::super::claim::Finding;
use super::super::fact::Predicate;
use super::super::kind::ClaimKind;
use super::board::distance;
use super::line::MotifLine;

/// The most steps to promotion that are claimed: the verifier tries every defence.
const LONGEST_RUN: usize = 4;

/// The first pawn of the line that cannot be stopped.
pub(super) fn unstoppable_pawn(line: &MotifLine) -> Option<Finding> {
    line.own().find_map(|step| {
        let (board, hero) = (step.after, line.hero());
        let simple = board.colored_pieces(!hero, Piece::Pawn) | board.colored_pieces(!hero, Piece::King);
        if board.is_check() || board.color(!hero) != simple || board.legal_moves().is_empty() {
            return None;
        }
        let pawns = board.colored_pieces(hero, Piece::Pawn);
        let square = pawns.into_iter().find(|&pawn| runs(board, hero, pawn))?;
        let facts = vec![Predicate::Unstoppable { square }.at(step.plies())];
        Some(step.finding(ClaimKind::UnstoppablePawn, &[square], facts))
    })
}

/// Whether a pawn of the hero, the opponent to move, cannot be stopped.
fn runs(board: &Position, hero: Color, pawn: Square) -> bool {
    let path = squares_before(hero, pawn);
    let steps = path.len();
    let Some(&goal) = path.last().filter(|_| steps <= LONGEST_RUN) else { return false };
    let is_free = path.iter().all(|&square| board.piece_on(square).is_none());
    let is_outside = distance(board.king(!hero), goal) > steps + 1;
    let others: Bitboard = board.colored_pieces(!hero, Piece::Pawn);
    is_free && is_outside && others.into_iter().all(|other| is_harmless(board, hero, pawn, other))
}

/// Whether an opponent's pawn can neither block or take the pawn, nor promote before it, nor check the hero's king.
fn is_harmless(board: &Position, hero: Color, pawn: Square, other: Square) -> bool {
    let files = |a: Square, b: Square| a.file().index().abs_diff(b.file().index());
    let is_behind = other.rank().relative_to(hero) <= pawn.rank().relative_to(hero);
    let king = board.king(hero);
    let is_past_king = other.rank().relative_to(hero) <= king.rank().relative_to(hero);
    let is_slower = squares_before(!hero, other).len() > squares_before(hero, pawn).len() + 1;
    (is_behind || files(other, pawn) > 2) && (is_past_king || files(other, king) > 2) && is_slower
}

/// The squares in front of a pawn, the promotion square last.
fn squares_before(side: Color, pawn: Square) -> Vec<Square> {
    let forward = if side == Color::White { 1 } else { -1 };
    let mut squares = Vec::new();
    let mut here = pawn;
    while let Some(next) = here.offset(0, forward) {
        squares.push(next);
        here = next;
    }
    squares
}
