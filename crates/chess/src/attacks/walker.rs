//! Ray walks: slider attacks square by square, the reference for the magic bitboards.
//!
//! The lines, the masks and the rays on an empty board are computed with ray walks, and so are the attacks that the magic
//! search compares. The large attack tables are filled by another method, which is faster at compile time; the tests
//! compare the two.

use crate::types::{Bitboard, File, Rank, Square};

/// The two kinds of sliding pieces; a queen is both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slider {
    /// Moves along diagonals.
    Bishop,
    /// Moves along files and ranks.
    Rook,
}

impl Slider {
    /// The four directions, in files and ranks.
    const fn directions(self) -> [(i8, i8); 4] {
        match self {
            Self::Bishop => [(1, 1), (1, -1), (-1, 1), (-1, -1)],
            Self::Rook => [(1, 0), (-1, 0), (0, 1), (0, -1)],
        }
    }

    /// The squares attacked from `square` with the given occupancy: each ray up to the first blocker, which is included.
    pub const fn walk(self, square: Square, occupied: Bitboard) -> Bitboard {
        let mut attacks = 0;
        let directions = self.directions();
        let mut i = 0;
        while i < directions.len() {
            attacks |= ray(square, directions[i], occupied).0;
            i += 1;
        }
        Bitboard(attacks)
    }

    /// The relevant squares: those whose occupancy can change the attacks from `square`. They are its rays without the last
    /// square of each ray.
    pub const fn relevant_squares(self, square: Square) -> Bitboard {
        let files = Bitboard::file(File::A).0 | Bitboard::file(File::H).0;
        let ranks = Bitboard::rank(Rank::First).0 | Bitboard::rank(Rank::Eighth).0;
        // A ray along an edge does not end at its first square on that edge.
        let ends = files & !Bitboard::file(square.file()).0 | ranks & !Bitboard::rank(square.rank()).0;
        Bitboard(self.walk(square, Bitboard::EMPTY).0 & !ends)
    }
}

// ANCHOR: ray
/// The squares from `start`, which is excluded, in one direction: up to the first blocker, which is included, or to the
/// edge of the board.
pub(super) const fn ray(start: Square, (files, ranks): (i8, i8), occupied: Bitboard) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    let mut here = start;
    while let Some(next) = here.offset(files, ranks) {
        squares.0 |= Bitboard::of(next).0;
        if occupied.contains(next) {
            break;
        }
        here = next;
    }
    squares
}
// ANCHOR_END: ray
