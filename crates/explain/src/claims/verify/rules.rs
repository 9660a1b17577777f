//! Facts that the rules decide, by a walk over the board instead of the attack tables of the detectors.

use rukh_chess::types::ByPiece;
use rukh_chess::{Color, Move, MoveKind, Piece, Position, Square};
use rukh_eval::hce::{EvalTrace, Term, trace};

use super::super::fact::{Fact, Predicate};

/// Pawns for each piece; the king is priceless.
const VALUES: ByPiece<i32> = ByPiece([1, 3, 3, 5, 9, 1000]);

/// Positions of the proof that a pawn cannot be stopped.
const RUN_LIMIT: u32 = 200_000;

const DIAGONALS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const STRAIGHTS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const KNIGHT: [(i8, i8); 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

/// Whether a fact of the rules holds.
pub(super) fn holds(fact: &Fact, positions: &[Position], line: &[Move]) -> bool {
    let board = &positions[fact.ply];
    match &fact.predicate {
        Predicate::Piece { color, piece, square } => {
            (board.color_on(*square), board.piece_on(*square)) == (Some(*color), Some(*piece))
        }
        Predicate::Attacks { from, to } => attacks(board, *from, *to),
        Predicate::AttacksNot { from, to } => !attacks(board, *from, *to),
        Predicate::Checkers { squares } => {
            let king = board.king(board.side_to_move());
            let mut own: Vec<_> = attackers(board, !board.side_to_move(), king);
            let mut claimed = squares.clone();
            own.sort();
            claimed.sort();
            own == claimed && !own.is_empty()
        }
        Predicate::Checkmate => {
            let king = board.king(board.side_to_move());
            board.legal_moves().is_empty() && !attackers(board, !board.side_to_move(), king).is_empty()
        }
        Predicate::Pin { pinned, by, target } => is_pin(board, *pinned, *by, *target),
        Predicate::Captures { piece, square } => captures(positions, line, fact.ply, *piece, *square),
        Predicate::Promotes { piece } => fact
            .ply
            .checked_sub(1)
            .and_then(|at| line.get(at))
            .is_some_and(|mv| mv.promotion() == Some(*piece)),
        Predicate::Unprotected { square } => {
            board.color_on(*square).is_some() && !is_protected(board, *square)
        }
        Predicate::EnPrise { square } => is_en_prise(board, *square),
        Predicate::Trapped { square } => is_trapped(board, *square),
        Predicate::Unstoppable { square } => is_unstoppable(board, *square, &mut RUN_LIMIT.clone()),
        Predicate::Material { side, pawns } => {
            balance(board, *side) - balance(&positions[0], *side) == *pawns
        }
        Predicate::LegalMoves { count } => board.legal_moves().len() == *count,
        Predicate::TermChange { side, term, by } => term_rises(&positions[0], board, *side, term, *by),
        _ => false,
    }
}

/// The squares that a piece on `from` attacks, by walking over the board.
fn attacked(board: &Position, from: Square) -> Vec<Square> {
    let (Some(color), Some(piece)) = (board.color_on(from), board.piece_on(from)) else { return Vec::new() };
    let walk = |steps: &[(i8, i8)], far: bool| {
        let mut found = Vec::new();
        for &(files, ranks) in steps {
            let mut here = from;
            while let Some(next) = here.offset(files, ranks) {
                found.push(next);
                here = next;
                if !far || board.piece_on(next).is_some() {
                    break;
                }
            }
        }
        found
    };
    let forward = if color == Color::White { 1 } else { -1 };
    match piece {
        Piece::Pawn => walk(&[(-1, forward), (1, forward)], false),
        Piece::Knight => walk(&KNIGHT, false),
        Piece::Bishop => walk(&DIAGONALS, true),
        Piece::Rook => walk(&STRAIGHTS, true),
        Piece::Queen => [walk(&DIAGONALS, true), walk(&STRAIGHTS, true)].concat(),
        Piece::King => [walk(&DIAGONALS, false), walk(&STRAIGHTS, false)].concat(),
    }
}

fn attacks(board: &Position, from: Square, to: Square) -> bool {
    attacked(board, from).contains(&to)
}

fn attackers(board: &Position, color: Color, square: Square) -> Vec<Square> {
    let own = Square::ALL.into_iter().filter(|&from| board.color_on(from) == Some(color));
    own.filter(|&from| attacks(board, from, square)).collect()
}

fn is_pin(board: &Position, pinned: Square, by: Square, target: Square) -> bool {
    let (Some(color), true) = (board.color_on(pinned), attacks(board, by, pinned)) else { return false };
    if board.color_on(by) == Some(color) || board.color_on(target) != Some(color) {
        return false;
    }
    let direction = |a: Square, b: Square| {
        let files = b.file().index() as i8 - a.file().index() as i8;
        let ranks = b.rank().index() as i8 - a.rank().index() as i8;
        (files.signum(), ranks.signum())
    };
    let (files, ranks) = direction(by, pinned);
    let mut here = pinned;
    while let Some(next) = here.offset(files, ranks) {
        if next == target {
            return matches!(board.piece_on(by), Some(Piece::Bishop | Piece::Rook | Piece::Queen));
        }
        if board.piece_on(next).is_some() {
            return false;
        }
        here = next;
    }
    false
}

fn captures(positions: &[Position], line: &[Move], ply: usize, piece: Piece, square: Square) -> bool {
    let Some(at) = ply.checked_sub(1) else { return false };
    let (Some(&mv), before, after) = (line.get(at), &positions[at], &positions[ply]) else { return false };
    let victim = if mv.kind() == MoveKind::EnPassant { square } else { mv.to() };
    let was_there =
        before.piece_on(square) == Some(piece) && before.color_on(square) == Some(!before.side_to_move());
    was_there
        && victim == square
        && after.color(!before.side_to_move()).count() + 1 == before.color(!before.side_to_move()).count()
}

/// Whether a piece of its colour attacks the square, directly or behind a slider that attacks it along the same line.
fn is_protected(board: &Position, square: Square) -> bool {
    let Some(color) = board.color_on(square) else { return false };
    if !attackers(board, color, square).is_empty() {
        return true;
    }
    // Behind an attacker: the next piece on the ray through it.
    let lines = DIAGONALS.iter().map(|step| (step, true)).chain(STRAIGHTS.iter().map(|step| (step, false)));
    lines.into_iter().any(|(&(files, ranks), is_diagonal)| {
        let runs = |piece: Piece| match piece {
            Piece::Queen => true,
            Piece::Bishop => is_diagonal,
            Piece::Rook => !is_diagonal,
            _ => false,
        };
        let mut here = square;
        let mut has_passed = false;
        while let Some(next) = here.offset(files, ranks) {
            here = next;
            let (Some(piece), Some(owner)) = (board.piece_on(next), board.color_on(next)) else { continue };
            if has_passed {
                return owner == color && runs(piece);
            }
            if owner == color || !runs(piece) {
                return false;
            }
            has_passed = true;
        }
        false
    })
}

fn is_en_prise(board: &Position, square: Square) -> bool {
    let (Some(color), Some(piece)) = (board.color_on(square), board.piece_on(square)) else { return false };
    let by = attackers(board, !color, square);
    let is_less = |from: &Square| board.piece_on(*from).is_some_and(|other| VALUES[other] < VALUES[piece]);
    !by.is_empty() && (by.iter().any(is_less) || !is_protected(board, square))
}

fn is_trapped(board: &Position, square: Square) -> bool {
    let Some(piece) = board.piece_on(square) else { return false };
    if board.color_on(square) != Some(board.side_to_move()) || !is_en_prise(board, square) {
        return false;
    }
    let moves = board.legal_moves();
    moves.iter().filter(|mv| mv.from() == square).all(|&mv| {
        let gain = board.captured_by(mv).map_or(0, |taken| VALUES[taken]);
        gain < VALUES[piece] && is_en_prise(&board.after(mv), mv.to())
    })
}

/// Whether the pawn on `square` promotes whatever the side to move plays: every defence is tried.
fn is_unstoppable(board: &Position, square: Square, limit: &mut u32) -> bool {
    let us = !board.side_to_move();
    let forward = if us == Color::White { 1 } else { -1 };
    let is_pawn = (board.color_on(square), board.piece_on(square)) == (Some(us), Some(Piece::Pawn));
    let Some(next) = square.offset(0, forward).filter(|_| is_pawn) else { return false };
    let defences = board.legal_moves();
    !defences.is_empty()
        && defences.iter().all(|&defence| {
            if *limit == 0 {
                return false;
            }
            *limit -= 1;
            let defended = board.after(defence);
            let is_step = |mv: &&Move| {
                mv.from() == square && mv.to() == next && mv.promotion().is_none_or(|to| to == Piece::Queen)
            };
            let replies = defended.legal_moves();
            let Some(&step) = replies.iter().find(is_step) else { return false };
            let after = defended.after(step);
            match step.promotion() {
                Some(_) => !after.legal_moves().iter().any(|mv| mv.is_capture() && mv.to() == next),
                None => is_unstoppable(&after, next, limit),
            }
        })
}

fn balance(board: &Position, side: Color) -> i32 {
    let count = |square: Square| match (board.color_on(square), board.piece_on(square)) {
        (_, None | Some(Piece::King)) | (None, _) => 0,
        (Some(color), Some(piece)) if color == side => VALUES[piece],
        (Some(_), Some(piece)) => -VALUES[piece],
    };
    Square::ALL.into_iter().map(count).sum()
}

fn term_rises(start: &Position, end: &Position, side: Color, name: &str, by: i32) -> bool {
    let Some(term) = Term::ALL.into_iter().find(|term| term.to_string() == name) else { return false };
    let value = |trace: &EvalTrace| {
        let difference = trace.difference(term);
        let share =
            f64::from(trace.summary.midgame_share) / f64::from(rukh_eval::hce::evaluate::MIDGAME_FULL);
        let white = f64::from(difference.midgame()) * share + f64::from(difference.endgame()) * (1.0 - share);
        if side == Color::White { white } else { -white }
    };
    // Both values were rounded to centipawns.
    value(&trace(end)) - value(&trace(start)) >= f64::from(by) - 2.0
}
