//! Slider attacks by walking along the rays: slow and plainly right.
//!
//! The tables are built with it, the magic search is judged by it, and the tests compare with it.

use crate::types::{Bitboard, Square};

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
    /// the first man in its way.
    pub const fn walk(self, square: Square, occupied: Bitboard) -> Bitboard {
        let mut attacks = 0;
        let directions = self.directions();
        let mut i = 0;
        while i < directions.len() {
            let (files, ranks) = directions[i];
            let mut here = square;
            while let Some(next) = here.offset(files, ranks) {
                attacks |= Bitboard::of(next).0;
                if occupied.contains(next) {
                    break;
                }
                here = next;
            }
            i += 1;
        }
        Bitboard(attacks)
    }

    /// The squares whose occupation can change the attacks from `square`: its rays without their last
    /// squares, behind which there is nothing to hide.
    pub const fn relevant_squares(self, square: Square) -> Bitboard {
        let mut relevant = 0;
        let directions = self.directions();
        let mut i = 0;
        while i < directions.len() {
            let (files, ranks) = directions[i];
            let mut here = square;
            while let Some(next) = here.offset(files, ranks) {
                if next.offset(files, ranks).is_some() {
                    relevant |= Bitboard::of(next).0;
                }
                here = next;
            }
            i += 1;
        }
        Bitboard(relevant)
    }
}
