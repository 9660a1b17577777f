//! Slider attacks by walking along the rays: slow and plainly right.
//!
//! The lines, the masks and the rays on an empty board are built with it, the magic search is judged by it, and the tests
//! compare the big tables with it; those are filled another way, which the compiler is quicker at.

use crate::types::{Bitboard, File, Rank, Square};

/// The two kinds of line along which pieces slide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slider {
    /// Moves along diagonals.
    Bishop,
    /// Moves along files and ranks.
    Rook,
}

impl Slider {
    /// The four directions as steps in files and ranks.
    const fn directions(self) -> [(i8, i8); 4] {
        match self {
            Self::Bishop => [(1, 1), (1, -1), (-1, 1), (-1, -1)],
            Self::Rook => [(1, 0), (-1, 0), (0, 1), (0, -1)],
        }
    }

    /// The squares attacked from `square` when the squares of `occupied` are taken: each ray up to and with
    /// the first piece in its way.
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

    /// The squares whose occupation can change the attacks from `square`: its rays without their last
    /// squares, behind which there is nothing to hide.
    pub const fn relevant_squares(self, square: Square) -> Bitboard {
        let files = Bitboard::file(File::A).0 | Bitboard::file(File::H).0;
        let ranks = Bitboard::rank(Rank::First).0 | Bitboard::rank(Rank::Eighth).0;
        // A ray along the edge does not end where it begins to touch it.
        let ends = files & !Bitboard::file(square.file()).0 | ranks & !Bitboard::rank(square.rank()).0;
        Bitboard(self.walk(square, Bitboard::EMPTY).0 & !ends)
    }
}

/// The squares from `start`, which is not included, in one direction: up to and with the first of `occupied`, or to the
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
