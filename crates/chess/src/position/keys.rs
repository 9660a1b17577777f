//! Zobrist keys, updated incrementally.
//!
//! Every piece on every square has one random word. A change of a piece updates the whole key and one of five group keys.
//! The keys that searches use (pawns, minor pieces, major pieces, non-pawns of one side) are XORs of groups. So a change
//! costs two XORs for any piece, and all keys agree by construction.

use crate::random::SplitMix64;
use crate::types::{Bitboard, Color, File, Piece, Square};

/// The keys of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Keys {
    whole: u64,
    groups: [u64; GROUPS],
    material: u64,
}

const GROUPS: usize = 5;
const PAWNS: usize = 0;
const MINORS: usize = 1;
const MAJORS: usize = 3;

/// The random words of all keys.
struct Words {
    pieces: [[[u64; Square::COUNT]; Piece::COUNT]; Color::COUNT],
    material: [[u64; Piece::COUNT]; Color::COUNT],
    castling_rooks: [u64; Square::COUNT],
    en_passant: [u64; File::COUNT],
    black_to_move: u64,
}

static WORDS: Words = words();

const fn words() -> Words {
    let mut random = SplitMix64::new(0x0052_756B_6821);
    let mut words = Words {
        pieces: [[[0; Square::COUNT]; Piece::COUNT]; Color::COUNT],
        material: [[0; Piece::COUNT]; Color::COUNT],
        castling_rooks: [0; Square::COUNT],
        en_passant: [0; File::COUNT],
        black_to_move: random.next(),
    };
    let mut color = 0;
    while color < Color::COUNT {
        let mut piece = 0;
        while piece < Piece::COUNT {
            words.material[color][piece] = random.next();
            fill(&mut words.pieces[color][piece], &mut random);
            piece += 1;
        }
        color += 1;
    }
    fill(&mut words.castling_rooks, &mut random);
    fill(&mut words.en_passant, &mut random);
    words
}

const fn fill(words: &mut [u64], random: &mut SplitMix64) {
    let mut i = 0;
    while i < words.len() {
        words[i] = random.next();
        i += 1;
    }
}

#[inline]
const fn group(color: Color, piece: Piece) -> usize {
    match piece {
        Piece::Pawn => PAWNS,
        Piece::Knight | Piece::Bishop => MINORS + color.index(),
        Piece::Rook | Piece::Queen | Piece::King => MAJORS + color.index(),
    }
}

impl Keys {
    /// The keys of an empty board, White to move.
    pub(super) const EMPTY: Self = Self { whole: 0, groups: [0; GROUPS], material: 0 };

    /// The key of the whole position, as the rules of repetition compare it: pieces, side to move, castling rights, and a
    /// legal en-passant capture.
    #[inline]
    pub const fn whole(&self) -> u64 {
        self.whole
    }

    /// The pawn key.
    #[inline]
    pub const fn pawns(&self) -> u64 {
        self.groups[PAWNS]
    }

    /// The minor piece key: knights and bishops.
    #[inline]
    pub const fn minors(&self) -> u64 {
        self.groups[MINORS] ^ self.groups[MINORS + 1]
    }

    /// The major piece key: rooks, queens and kings.
    #[inline]
    pub const fn majors(&self) -> u64 {
        self.groups[MAJORS] ^ self.groups[MAJORS + 1]
    }

    /// The non-pawn key of `color`: all its pieces except pawns.
    #[inline]
    pub const fn non_pawns(&self, color: Color) -> u64 {
        self.groups[MINORS + color.index()] ^ self.groups[MAJORS + color.index()]
    }

    /// The material key: the number of pieces of each kind and colour.
    ///
    /// It is a sum of one word per piece rather than an XOR, so an update does not need the counts.
    #[inline]
    pub const fn material(&self) -> u64 {
        self.material
    }

    /// The whole key after a plain move or capture, if nothing else changes.
    #[inline]
    pub(super) fn whole_after(
        &self,
        (color, piece): (Color, Piece),
        from: Square,
        to: Square,
        captured: Option<Piece>,
    ) -> u64 {
        let own = &WORDS.pieces[color.index()][piece.index()];
        let key = self.whole ^ own[from.index()] ^ own[to.index()] ^ WORDS.black_to_move;
        match captured {
            Some(captured) => key ^ WORDS.pieces[(!color).index()][captured.index()][to.index()],
            None => key,
        }
    }

    // ANCHOR: shift
    /// Updates the keys for a piece that moves.
    #[inline]
    pub(super) const fn shift(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        let words = &WORDS.pieces[color.index()][piece.index()];
        let change = words[from.index()] ^ words[to.index()];
        self.whole ^= change;
        self.groups[group(color, piece)] ^= change;
    }
    // ANCHOR_END: shift

    /// Updates the keys for a piece that is placed.
    #[inline]
    pub(super) const fn place(&mut self, color: Color, piece: Piece, square: Square) {
        self.toggle(color, piece, square);
        self.material = self.material.wrapping_add(WORDS.material[color.index()][piece.index()]);
    }

    /// Updates the keys for a piece that is removed.
    #[inline]
    pub(super) const fn remove(&mut self, color: Color, piece: Piece, square: Square) {
        self.toggle(color, piece, square);
        self.material = self.material.wrapping_sub(WORDS.material[color.index()][piece.index()]);
    }

    #[inline]
    const fn toggle(&mut self, color: Color, piece: Piece, square: Square) {
        let word = WORDS.pieces[color.index()][piece.index()][square.index()];
        self.whole ^= word;
        self.groups[group(color, piece)] ^= word;
    }

    /// Toggles the castling rights of `rooks`.
    #[inline]
    pub(super) fn toggle_castling(&mut self, rooks: Bitboard) {
        for rook in rooks {
            self.whole ^= WORDS.castling_rooks[rook.index()];
        }
    }

    /// Toggles the en-passant capture on `file`.
    #[inline]
    pub(super) const fn toggle_en_passant(&mut self, file: File) {
        self.whole ^= WORDS.en_passant[file.index()];
    }

    /// Toggles the side to move.
    #[inline]
    pub(super) const fn toggle_side(&mut self) {
        self.whole ^= WORDS.black_to_move;
    }
}
