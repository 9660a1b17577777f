//! Lines: the squares between two squares, and the line through them.

use super::walker::ray;
use crate::types::{Bitboard, Square};

type SquarePairs = [[Bitboard; Square::COUNT]; Square::COUNT];

static BETWEEN: SquarePairs = pairs().0;
static LINE: SquarePairs = pairs().1;

const DIRECTIONS: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The squares strictly between any two squares on one line, and the whole line.
const fn pairs() -> (SquarePairs, SquarePairs) {
    let mut between = [[Bitboard::EMPTY; Square::COUNT]; Square::COUNT];
    let mut line = between;
    let mut a = 0;
    while a < Square::COUNT {
        let start = Square::ALL[a];
        let mut i = 0;
        while i < DIRECTIONS.len() {
            let (files, ranks) = DIRECTIONS[i];
            let ahead = ray(start, (files, ranks), Bitboard::EMPTY);
            let back = ray(start, (-files, -ranks), Bitboard::EMPTY);
            let whole = Bitboard(ahead.0 | back.0 | 1 << a);
            let mut passed = Bitboard::EMPTY;
            let mut here = start;
            while let Some(next) = here.offset(files, ranks) {
                between[a][next.index()] = passed;
                line[a][next.index()] = whole;
                passed.0 |= Bitboard::of(next).0;
                here = next;
            }
            i += 1;
        }
        a += 1;
    }
    (between, line)
}

/// The squares strictly between two squares on one file, rank or diagonal; empty for all other pairs.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole file, rank or diagonal through two squares, both included; empty if there is none.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}
