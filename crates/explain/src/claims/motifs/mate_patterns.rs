//! Named mates: patterns of the final position.
//!
//! The mated king is `king`, the field around it is the squares next to it. "The mating piece" is the piece that moved last.

use rukh_chess::types::File;
use rukh_chess::{Bitboard, MoveKind, Piece, Square};

use super::super::claim::Finding;
use super::super::fact::Predicate;
use super::super::kind::ClaimKind;
use super::board::distance;
use super::line::{MotifLine, Step};
use super::mate::{Mate, Pattern};
use super::mate_pairs::PAIRS;

/// Patterns of which at most one is named, the most specific first.
const EXCLUSIVE: &[Pattern] = &[
    (ClaimKind::SmotheredMate, is_smothered),
    (ClaimKind::BackRankMate, is_back_rank),
    (ClaimKind::AnastasiaMate, is_anastasia),
    (ClaimKind::HookMate, is_hook),
    (ClaimKind::ArabianMate, is_arabian),
    (ClaimKind::BodenMate, is_boden),
    (ClaimKind::DoubleBishopMate, is_double_bishop),
    (ClaimKind::DovetailMate, is_dovetail),
];

/// The names of the mate at the end of the line.
pub(super) fn named_mates(line: &MotifLine) -> Vec<Finding> {
    let Some(last) = line.last_own().filter(|step| step.after.is_checkmate()) else { return Vec::new() };
    let mate = Mate::new(&last);
    let one = EXCLUSIVE.iter().find(|(_, holds)| holds(&mate));
    let pairs = PAIRS.iter().filter(|(_, holds)| holds(&mate));
    let mut names: Vec<_> = one.into_iter().chain(pairs).map(|(kind, _)| *kind).collect();
    if is_legal(line, &mate) {
        names.push(ClaimKind::LegalMate);
    }
    names.into_iter().map(|kind| found(&last, &mate, kind)).collect()
}

fn found(last: &Step<'_>, mate: &Mate<'_>, kind: ClaimKind) -> Finding {
    let checkers: Vec<_> = last.after.checkers().into_iter().collect();
    let king = Predicate::Piece { color: !mate.hero, piece: Piece::King, square: mate.king }.at(last.plies());
    let facts = vec![Predicate::Checkmate.at(last.plies()), king];
    last.finding(kind, &[checkers.as_slice(), &[mate.king]].concat(), facts)
}

/// A knight gives mate, and every square next to the king has a piece of its own side.
fn is_smothered(mate: &Mate<'_>) -> bool {
    mate.board.checkers().intersects(mate.own(Piece::Knight)) && mate.field().is_subset_of(mate.them())
}

/// The king is on its first rank, checked along it, and its own pieces, none of them attacked, fill the squares in
/// front of it.
fn is_back_rank(mate: &Mate<'_>) -> bool {
    let back = Bitboard::back_rank(!mate.hero);
    if !back.contains(mate.king) || !mate.board.checkers().intersects(back) {
        return false;
    }
    let front = mate.field() & !back;
    front.is_subset_of(mate.them()) && front.into_iter().all(|square| mate.guards(square).is_empty())
}

/// A queen or rook gives mate along the edge file; beside the king is its own piece, and a knight stands two squares
/// further.
fn is_anastasia(mate: &Mate<'_>) -> bool {
    if !mate.is_edge_file() || mate.is_edge_rank() || mate.square.file() != mate.king.file() {
        return false;
    }
    if !matches!(mate.piece, Piece::Queen | Piece::Rook) {
        return false;
    }
    let inwards = if mate.king.file() == File::A { 1 } else { -1 };
    let beside = mate.king.offset(inwards, 0).is_some_and(|square| mate.them().contains(square));
    let knight =
        mate.king.offset(3 * inwards, 0).is_some_and(|square| mate.own(Piece::Knight).contains(square));
    beside && knight
}

/// A rook next to the king gives mate, protected by a knight next to the king, which a pawn protects.
fn is_hook(mate: &Mate<'_>) -> bool {
    if mate.piece != Piece::Rook || distance(mate.square, mate.king) != 1 {
        return false;
    }
    let knights = mate.guards(mate.square) & mate.own(Piece::Knight) & mate.field();
    knights.into_iter().any(|knight| mate.guards(knight).intersects(mate.own(Piece::Pawn)))
}

/// A rook next to the king in the corner gives mate, protected by a knight two squares diagonally from the king.
fn is_arabian(mate: &Mate<'_>) -> bool {
    let is_corner = mate.is_edge_file() && mate.is_edge_rank();
    if !is_corner || mate.piece != Piece::Rook || distance(mate.square, mate.king) != 1 {
        return false;
    }
    let is_diagonal = |knight: Square| {
        knight.file().index().abs_diff(mate.king.file().index()) == 2
            && knight.rank().index().abs_diff(mate.king.rank().index()) == 2
    };
    (mate.guards(mate.square) & mate.own(Piece::Knight)).into_iter().any(is_diagonal)
}

/// The two bishops, if the king and its field are attacked by bishops alone.
fn mating_bishops(mate: &Mate<'_>) -> Option<[Square; 2]> {
    let bishops = mate.own(Piece::Bishop);
    let mut squares = bishops.into_iter();
    let two = [squares.next()?, squares.next()?];
    let area = mate.field() | Bitboard::of(mate.king);
    area.into_iter().all(|square| mate.guards(square).is_subset_of(bishops)).then_some(two)
}

/// Two bishops alone give mate, from both sides of the king.
fn is_boden(mate: &Mate<'_>) -> bool {
    mating_bishops(mate).is_some_and(|[a, b]| is_crossing(mate, a, b))
}

/// Two bishops alone give mate, from one side of the king.
fn is_double_bishop(mate: &Mate<'_>) -> bool {
    mating_bishops(mate).is_some_and(|[a, b]| !is_crossing(mate, a, b))
}

fn is_crossing(mate: &Mate<'_>, a: Square, b: Square) -> bool {
    (a.file() < mate.king.file()) == (b.file() > mate.king.file())
}

/// A queen diagonally next to the king, away from the edge, gives mate; the squares that she does not attack have
/// pieces of the king's side and no other piece attacks them.
fn is_dovetail(mate: &Mate<'_>) -> bool {
    let is_diagonal = mate.square.file() != mate.king.file() && mate.square.rank() != mate.king.rank();
    if mate.is_edge_file() || mate.is_edge_rank() || mate.piece != Piece::Queen || !is_diagonal {
        return false;
    }
    let queen = Bitboard::of(mate.square);
    let is_closed = |square: Square| {
        let guards = mate.guards(square);
        guards.is_empty() || guards == queen && mate.board.piece_on(square).is_none()
    };
    mate.field().contains(mate.square) && (mate.field() & !queen).into_iter().all(is_closed)
}

/// Legal's mate: minor pieces alone, two or more, give check and guard the squares around the king, and the opponent has
/// taken the queen in the line.
fn is_legal(line: &MotifLine, mate: &Mate<'_>) -> bool {
    let minors = mate.own(Piece::Knight) | mate.own(Piece::Bishop);
    let took_queen = (1..line.plies())
        .step_by(2)
        .filter_map(|at| line.step(at))
        .any(|reply| reply.mv.kind() != MoveKind::EnPassant && reply.captured() == Some(Piece::Queen));
    let area = mate.field() | Bitboard::of(mate.king);
    let guards = area.into_iter().fold(Bitboard::EMPTY, |all, square| all | mate.guards(square));
    took_queen && guards.is_subset_of(minors) && guards.has_many()
}
