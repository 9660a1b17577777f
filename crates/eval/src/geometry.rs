//! Board geometry: spans, adjacent files, distances.
//!
//! It knows squares alone.

use rukh_chess::types::{File, Rank, Side};
use rukh_chess::{Bitboard, Color, Square};

/// The difference of the indices of squares on adjacent ranks.
const RANK_STEP: u32 = 8;

type Spans = [[Bitboard; Square::COUNT]; Color::COUNT];

static FORWARD_FILE: Spans = spans(false);
static PASSED_SPAN: Spans = spans(true);
static ADJACENT_FILES: [Bitboard; File::COUNT] = adjacent_files();
static DISTANCE: [[u8; Square::COUNT]; Square::COUNT] = distances();

const fn adjacent_files() -> [Bitboard; File::COUNT] {
    let mut table = [Bitboard::EMPTY; File::COUNT];
    let mut i = 0;
    while i < File::COUNT {
        let file = Bitboard::file(File::from_low_bits(i as u8));
        table[i] = Bitboard(file.shifted(1).0 | file.shifted(-1).0);
        i += 1;
    }
    table
}

const fn spans(with_neighbours: bool) -> Spans {
    let neighbours = adjacent_files();
    let mut table = [[Bitboard::EMPTY; Square::COUNT]; Color::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        let square = Square::ALL[i];
        let mut files = Bitboard::file(square.file()).0;
        if with_neighbours {
            files |= neighbours[square.file().index()].0;
        }
        let rank = Bitboard::rank(square.rank()).0;
        let below = (1 << rank.trailing_zeros()) - 1;
        table[Color::White.index()][i] = Bitboard(files & !(below | rank));
        table[Color::Black.index()][i] = Bitboard(files & below);
        i += 1;
    }
    table
}

const fn distances() -> [[u8; Square::COUNT]; Square::COUNT] {
    let mut table = [[0; Square::COUNT]; Square::COUNT];
    let mut a = 0;
    while a < Square::COUNT {
        let mut b = 0;
        while b < Square::COUNT {
            let (from, to) = (Square::ALL[a], Square::ALL[b]);
            let files = (from.file() as u8).abs_diff(to.file() as u8);
            let ranks = (from.rank() as u8).abs_diff(to.rank() as u8);
            table[a][b] = if files > ranks { files } else { ranks };
            b += 1;
        }
        a += 1;
    }
    table
}

/// The squares in front of a piece of `color` on its file.
#[inline]
pub(crate) fn forward_file(color: Color, square: Square) -> Bitboard {
    FORWARD_FILE[color.index()][square.index()]
}

/// The passed-pawn span: the squares in front of a pawn of `color` on its own and the adjacent files.
#[inline]
pub(crate) fn passed_span(color: Color, square: Square) -> Bitboard {
    PASSED_SPAN[color.index()][square.index()]
}

/// The files to the left and right of `file`.
#[inline]
pub(crate) fn adjacent(file: File) -> Bitboard {
    ADJACENT_FILES[file.index()]
}

/// The distance of two squares in king moves.
#[inline]
pub(crate) fn distance(a: Square, b: Square) -> i32 {
    i32::from(DISTANCE[a.index()][b.index()])
}

/// The set shifted one rank forward.
#[inline(always)]
pub(crate) fn forward<Us: Side>(set: Bitboard) -> Bitboard {
    match Us::COLOR {
        Color::White => Bitboard(set.0 << RANK_STEP),
        Color::Black => Bitboard(set.0 >> RANK_STEP),
    }
}

/// The set and all squares in front of it.
#[inline(always)]
pub(crate) fn fill_forward<Us: Side>(set: Bitboard) -> Bitboard {
    let mut bits = set.0;
    match Us::COLOR {
        Color::White => {
            bits |= bits << RANK_STEP;
            bits |= bits << (2 * RANK_STEP);
            bits |= bits << (4 * RANK_STEP);
        }
        Color::Black => {
            bits |= bits >> RANK_STEP;
            bits |= bits >> (2 * RANK_STEP);
            bits |= bits >> (4 * RANK_STEP);
        }
    }
    Bitboard(bits)
}

/// The rank of `square` from the side of `color`.
#[inline]
pub(crate) fn relative_rank(color: Color, square: Square) -> Rank {
    square.rank().relative_to(color)
}

/// The distance of `file` to the nearest edge: 0 to 3.
#[inline]
pub(crate) const fn edge_distance(file: File) -> usize {
    let file = file.index();
    if file < File::COUNT / 2 { file } else { File::COUNT - 1 - file }
}

/// The squares of a rank from the side of `color`.
#[inline(always)]
pub(crate) const fn rank_of(color: Color, rank: Rank) -> Bitboard {
    Bitboard::rank(rank.relative_to(color))
}

/// The squares of the same colour as `square`.
#[inline]
pub(crate) fn same_color_squares(square: Square) -> Bitboard {
    if Bitboard::DARK_SQUARES.contains(square) { Bitboard::DARK_SQUARES } else { !Bitboard::DARK_SQUARES }
}
