//! Zobrist keys, kept up to date move by move.
//!
//! Every piece on the board has one random word. Each change of a piece goes into the whole key and into one of five
//! group keys; the keys that searches ask for (pawns, minor pieces, major pieces, all but the pawns of one side) are
//! sums of groups. So a change costs two XORs whatever the piece is, and no key can drift from the others.

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

/// The random words behind all keys.
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

    /// The key of everything that the rules of repetition compare: pieces, side to move, castling rights, and
    /// whether a pawn can be taken in passing.
    #[inline]
    pub const fn whole(&self) -> u64 {
        self.whole
    }

    /// The key of the pawns.
    #[inline]
    pub const fn pawns(&self) -> u64 {
        self.groups[PAWNS]
    }

    /// The key of the knights and bishops.
    #[inline]
    pub const fn minors(&self) -> u64 {
        self.groups[MINORS] ^ self.groups[MINORS + 1]
    }

    /// The key of the rooks, queens and kings.
    #[inline]
    pub const fn majors(&self) -> u64 {
        self.groups[MAJORS] ^ self.groups[MAJORS + 1]
    }

    /// The key of all pieces of `color` but the pawns.
    #[inline]
    pub const fn non_pawns(&self, color: Color) -> u64 {
        self.groups[MINORS + color.index()] ^ self.groups[MAJORS + color.index()]
    }

    /// The key of how many pieces of each kind there are, wherever they stand.
    ///
    /// A sum of one word per piece rather than an XOR, so that no count has to be known to change it.
    #[inline]
    pub const fn material(&self) -> u64 {
        self.material
    }

    /// The whole key after a piece has moved and perhaps taken another on the square it went to, when nothing else changes.
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

    /// A piece goes from one square to another.
    #[inline]
    pub(super) const fn shift(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        let words = &WORDS.pieces[color.index()][piece.index()];
        let change = words[from.index()] ^ words[to.index()];
        self.whole ^= change;
        self.groups[group(color, piece)] ^= change;
    }

    /// A piece is put on a square.
    #[inline]
    pub(super) const fn place(&mut self, color: Color, piece: Piece, square: Square) {
        self.toggle(color, piece, square);
        self.material = self.material.wrapping_add(WORDS.material[color.index()][piece.index()]);
    }

    /// A piece is taken from a square.
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

    /// The right to castle with each of `rooks` is won or lost.
    #[inline]
    pub(super) fn toggle_castling(&mut self, rooks: Bitboard) {
        for rook in rooks {
            self.whole ^= WORDS.castling_rooks[rook.index()];
        }
    }

    /// Taking in passing on `file` becomes possible or impossible.
    #[inline]
    pub(super) const fn toggle_en_passant(&mut self, file: File) {
        self.whole ^= WORDS.en_passant[file.index()];
    }

    /// The other side is to move.
    #[inline]
    pub(super) const fn toggle_side(&mut self) {
        self.whole ^= WORDS.black_to_move;
    }
}
