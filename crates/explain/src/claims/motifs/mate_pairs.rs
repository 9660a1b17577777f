//! Named mates by two pieces: one gives check, the other guards. More than one of these names can fit a position.

use rukh_chess::{Bitboard, Piece, Square};

use super::super::kind::ClaimKind;
use super::board::{attacks_from, distance};
use super::mate::{Mate, Pattern};

/// The patterns.
pub(super) const PAIRS: &[Pattern] = &[
    (ClaimKind::OperaMate, is_opera),
    (ClaimKind::PillsburyMate, is_pillsbury),
    (ClaimKind::MorphyMate, is_morphy),
    (ClaimKind::BalestraMate, is_balestra),
    (ClaimKind::CornerMate, is_corner),
    (ClaimKind::TriangleMate, is_triangle),
    (ClaimKind::KillBoxMate, is_kill_box),
    (ClaimKind::VukovicMate, is_vukovic),
    (ClaimKind::BlindSwineMate, is_blind_swine),
    (ClaimKind::EpauletteMate, is_epaulette),
];

/// Whether some empty square next to the king is guarded, and by these pieces alone.
fn is_confined_by(mate: &Mate<'_>, pieces: Bitboard) -> bool {
    mate.empty_field().into_iter().any(|square| {
        let guards = mate.guards_behind_king(square);
        !guards.is_empty() && guards.is_subset_of(pieces)
    })
}

fn is_checked_by(mate: &Mate<'_>, piece: Piece) -> bool {
    mate.board.checkers().intersects(mate.own(piece))
}

/// A rook next to the king gives mate, protected by a bishop.
fn is_opera(mate: &Mate<'_>) -> bool {
    mate.piece == Piece::Rook
        && distance(mate.square, mate.king) == 1
        && mate.guards(mate.square).intersects(mate.own(Piece::Bishop))
}

/// A rook checks, and bishops alone guard an empty square next to the king; a bishop that protects a rook next to the
/// king does not count.
fn is_pillsbury(mate: &Mate<'_>) -> bool {
    let rooks = mate.board.checkers() & mate.own(Piece::Rook);
    rooks.into_iter().any(|rook| {
        let is_busy = |bishop: &Square| {
            distance(rook, mate.king) == 1 && attacks_from(mate.board, *bishop).contains(rook)
        };
        let bishops = mate.own(Piece::Bishop);
        let free = bishops
            .into_iter()
            .filter(|bishop| !is_busy(bishop))
            .fold(Bitboard::EMPTY, |all, one| all | Bitboard::of(one));
        mate.empty_field().into_iter().any(|square| {
            let guards = mate.guards_behind_king(square);
            guards.intersects(free) && guards.is_subset_of(bishops)
        })
    })
}

/// A bishop checks, and rooks alone guard an empty square next to the king.
fn is_morphy(mate: &Mate<'_>) -> bool {
    is_checked_by(mate, Piece::Bishop) && is_confined_by(mate, mate.own(Piece::Rook))
}

/// A bishop moves to give check, the queen alone guards every empty square next to the king, and nothing else is needed.
fn is_balestra(mate: &Mate<'_>) -> bool {
    let helpers = mate.own(Piece::Bishop) | mate.own(Piece::Queen);
    let only_two =
        mate.field().into_iter().all(|square| mate.guards_behind_king(square).is_subset_of(helpers));
    is_checked_by(mate, Piece::Bishop) && only_two && is_confined_by(mate, mate.own(Piece::Queen))
}

/// A knight checks, and queens or rooks alone guard an empty square next to the king.
fn is_corner(mate: &Mate<'_>) -> bool {
    let heavy = mate.own(Piece::Rook) | mate.own(Piece::Queen);
    is_checked_by(mate, Piece::Knight) && is_confined_by(mate, heavy)
}

/// The pairs of a rook and a queen of the winner.
fn rook_and_queen<'m>(mate: &'m Mate<'_>) -> impl Iterator<Item = (Square, Square)> + 'm {
    let queens = mate.own(Piece::Queen);
    mate.own(Piece::Rook).into_iter().flat_map(move |rook| queens.into_iter().map(move |queen| (rook, queen)))
}

/// The distance of two squares in files and in ranks.
fn steps(a: Square, b: Square) -> (usize, usize) {
    (a.file().index().abs_diff(b.file().index()), a.rank().index().abs_diff(b.rank().index()))
}

/// Queen and rook stand next to the king on one file or rank, with one square between them.
fn is_triangle(mate: &Mate<'_>) -> bool {
    rook_and_queen(mate).any(|(rook, queen)| {
        let is_next = distance(rook, mate.king) == 1 && distance(queen, mate.king) == 1;
        is_next && matches!(steps(rook, queen), (0, 2) | (2, 0))
    })
}

/// Queen and rook stand in opposite corners of an area of three by three squares, with the king in it.
fn is_kill_box(mate: &Mate<'_>) -> bool {
    let is_inside = |a: usize, king: usize, b: usize| (a.min(b)..=a.max(b)).contains(&king);
    rook_and_queen(mate).any(|(rook, queen)| {
        steps(rook, queen) == (2, 2)
            && is_inside(rook.file().index(), mate.king.file().index(), queen.file().index())
            && is_inside(rook.rank().index(), mate.king.rank().index(), queen.rank().index())
    })
}

/// A rook stands next to the king on its file or rank, and a knight directly behind the rook.
fn is_vukovic(mate: &Mate<'_>) -> bool {
    mate.own(Piece::Rook).into_iter().any(|rook| {
        let (files, ranks) = (
            rook.file().index() as i8 - mate.king.file().index() as i8,
            rook.rank().index() as i8 - mate.king.rank().index() as i8,
        );
        let is_next = files.abs() + ranks.abs() == 1;
        is_next && rook.offset(files, ranks).is_some_and(|behind| mate.own(Piece::Knight).contains(behind))
    })
}

/// Two rooks and the king fill three of four squares of an area of two by two.
fn is_blind_swine(mate: &Mate<'_>) -> bool {
    let rooks = mate.own(Piece::Rook);
    rooks.into_iter().any(|first| {
        rooks.into_iter().any(|second| {
            let is_next = [(first, second), (first, mate.king), (second, mate.king)]
                .into_iter()
                .all(|(a, b)| distance(a, b) == 1);
            first != second && is_next
        })
    })
}

/// A queen two squares from the king on its file or rank gives mate, and the squares beside the king have pieces of its
/// side.
fn is_epaulette(mate: &Mate<'_>) -> bool {
    let sides = match steps(mate.square, mate.king) {
        (0, 2) => [(-1, 0), (1, 0)],
        (2, 0) => [(0, -1), (0, 1)],
        _ => return false,
    };
    let is_own = |(files, ranks): (i8, i8)| {
        mate.king.offset(files, ranks).is_some_and(|square| mate.them().contains(square))
    };
    mate.piece == Piece::Queen && sides.into_iter().all(is_own)
}
