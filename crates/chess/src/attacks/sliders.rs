//! Magic bitboards: the attacks of bishop, rook and queen, by one multiplication and one load (fancy magics).

use super::factors::{BISHOP_FACTORS, ROOK_FACTORS};
use super::magics::{magic_index, next_subset};
use super::walker::{Slider, ray};
use crate::types::{Bitboard, Square};

/// The data of one square's lookup, side by side in memory.
#[derive(Clone, Copy)]
struct Magic {
    mask: u64,
    factor: u64,
    offset: u32,
    shift: u32,
}

/// Table entries of all rook squares.
const ROOK_ENTRIES: usize = 102_400;
/// Table entries of all bishop squares.
const BISHOP_ENTRIES: usize = 5_248;

/// The attacks of all squares and occupancies: rooks, then bishops.
type AttackTable = [Bitboard; ROOK_ENTRIES + BISHOP_ENTRIES];

static ROOK: [Magic; Square::COUNT] = magics(Slider::Rook, &ROOK_FACTORS, 0);
static BISHOP: [Magic; Square::COUNT] = magics(Slider::Bishop, &BISHOP_FACTORS, ROOK_ENTRIES);
static TABLE: AttackTable = table();

const fn magics(slider: Slider, factors: &[u64; Square::COUNT], start: usize) -> [Magic; Square::COUNT] {
    let mut magics = [Magic { mask: 0, factor: 0, offset: 0, shift: 0 }; Square::COUNT];
    let mut offset = start;
    let mut i = 0;
    while i < Square::COUNT {
        let mask = slider.relevant_squares(Square::ALL[i]).0;
        let bits = mask.count_ones();
        magics[i] = Magic { mask, factor: factors[i], offset: offset as u32, shift: u64::BITS - bits };
        offset += 1 << bits;
        i += 1;
    }
    magics
}

const fn table() -> AttackTable {
    let mut table = [Bitboard::EMPTY; _];
    fill(&mut table, [(1, 0), (0, 1)], &magics(Slider::Rook, &ROOK_FACTORS, 0));
    fill(&mut table, [(1, 1), (1, -1)], &magics(Slider::Bishop, &BISHOP_FACTORS, ROOK_ENTRIES));
    table
}

const fn fill(table: &mut AttackTable, directions: [(i8, i8); 2], magics: &[Magic; Square::COUNT]) {
    let mut i = 0;
    while i < Square::COUNT {
        let Magic { mask, factor, offset, shift } = magics[i];
        let lines = [line_from(i, directions[0]), line_from(i, directions[1])];
        let mut subset = 0;
        loop {
            let index = offset as usize + magic_index(subset, factor, shift);
            table[index] = Bitboard(along(lines[0], i, subset) | along(lines[1], i, subset));
            subset = next_subset(subset, mask);
            if subset == 0 {
                break;
            }
        }
        i += 1;
    }
}

const fn line_from(square: usize, (files, ranks): (i8, i8)) -> u64 {
    let start = Square::ALL[square];
    let ahead = ray(start, (files, ranks), Bitboard::EMPTY);
    let back = ray(start, (-files, -ranks), Bitboard::EMPTY);
    ahead.0 | back.0
}

/// The attacks along one line by hyperbola quintessence, which the compiler evaluates much faster than ray walks.
/// Subtracting the slider twice from the occupancy of the line flips every bit up to the first blocker; the reversed bits
/// give the other direction.
const fn along(line: u64, square: usize, occupied: u64) -> u64 {
    let pieces = occupied & line;
    let slider = 1_u64 << square;
    let up = pieces.wrapping_sub(slider << 1);
    let down = pieces.reverse_bits().wrapping_sub(slider.reverse_bits() << 1).reverse_bits();
    (up ^ down) & line
}

// ANCHOR: look_up
#[inline]
fn look_up(magic: &Magic, occupied: Bitboard) -> Bitboard {
    let index = magic_index(occupied.0 & magic.mask, magic.factor, magic.shift);
    TABLE[magic.offset as usize + index]
}
// ANCHOR_END: look_up

/// The squares attacked by a bishop on `square` with the given occupancy.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    look_up(&BISHOP[square.index()], occupied)
}

/// The squares attacked by a rook on `square` with the given occupancy.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    look_up(&ROOK[square.index()], occupied)
}

/// The squares attacked by a queen on `square` with the given occupancy.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

static BISHOP_RAYS: [Bitboard; Square::COUNT] = rays(Slider::Bishop);
static ROOK_RAYS: [Bitboard; Square::COUNT] = rays(Slider::Rook);

const fn rays(slider: Slider) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        table[i] = slider.walk(Square::ALL[i], Bitboard::EMPTY);
        i += 1;
    }
    table
}

/// The squares attacked by a bishop on `square` on an empty board.
#[inline]
pub fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}

/// The squares attacked by a rook on `square` on an empty board.
#[inline]
pub fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}
