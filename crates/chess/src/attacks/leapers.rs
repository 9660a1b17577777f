//! Leapers: the attacks of pawn, knight and king, one table entry for each square.

use crate::types::{Bitboard, Color, Square};

const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const WHITE_PAWN_STEPS: [(i8, i8); 2] = [(-1, 1), (1, 1)];
const BLACK_PAWN_STEPS: [(i8, i8); 2] = [(-1, -1), (1, -1)];

static KNIGHT: [Bitboard; Square::COUNT] = leaper_table(&KNIGHT_STEPS);
static KING: [Bitboard; Square::COUNT] = leaper_table(&KING_STEPS);
static PAWN: [[Bitboard; Square::COUNT]; Color::COUNT] =
    [leaper_table(&WHITE_PAWN_STEPS), leaper_table(&BLACK_PAWN_STEPS)];

const fn leaper_table(steps: &[(i8, i8)]) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let mut i = 0;
        while i < steps.len() {
            if let Some(target) = Square::ALL[index].offset(steps[i].0, steps[i].1) {
                table[index].0 |= Bitboard::of(target).0;
            }
            i += 1;
        }
        index += 1;
    }
    table
}

/// The squares attacked by a knight on `square`.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares attacked by a king on `square`.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares attacked by a pawn of `color` on `square`.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}
