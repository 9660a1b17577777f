//! Sinks for generated moves: lists and counters.

use core::ops::Deref;

use crate::types::{Bitboard, Move, MoveKind, Piece, Square};

/// Receives generated moves in sets, so that a counter need not visit single moves.
pub trait MoveSink {
    /// Moves of a piece other than a pawn from `from` to each of `targets`. Moves to `enemies` are captures.
    fn piece_moves(&mut self, from: Square, targets: Bitboard, enemies: Bitboard);

    /// Pawn moves to `targets`, each from the square `step` before it, without promotions.
    fn pawn_moves(&mut self, targets: Bitboard, step: i8, kind: MoveKind);

    /// Promotions on `targets`, each from the square `step` before it.
    fn promotions(&mut self, targets: Bitboard, step: i8, is_capture: bool);

    /// A single move: castling or an en-passant capture.
    fn single(&mut self, mv: Move);
}

/// Counts moves without listing them.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveCount(pub u64);

impl MoveSink for MoveCount {
    #[inline]
    fn piece_moves(&mut self, _from: Square, targets: Bitboard, _enemies: Bitboard) {
        self.0 += u64::from(targets.count());
    }

    #[inline]
    fn pawn_moves(&mut self, targets: Bitboard, _step: i8, _kind: MoveKind) {
        self.0 += u64::from(targets.count());
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _step: i8, _is_capture: bool) {
        self.0 += Piece::PROMOTIONS.len() as u64 * u64::from(targets.count());
    }

    #[inline]
    fn single(&mut self, _mv: Move) {
        self.0 += 1;
    }
}

/// A move list on the stack, with a capacity for all moves of any valid position.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; Self::CAPACITY],
    len: usize,
}

impl MoveList {
    /// An upper bound for positions with at most sixteen pieces a side: fifteen queens with 27 moves each, eight king moves
    /// and two castling moves. Positions that can occur in a game have at most 218.
    pub const CAPACITY: usize = 15 * 27 + 8 + 2;

    /// An empty list.
    pub const fn new() -> Self {
        let filler = Move::new(Square::A1, Square::B1, MoveKind::Quiet);
        Self { moves: [filler; Self::CAPACITY], len: 0 }
    }

    /// Removes all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = core::slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl core::fmt::Debug for MoveList {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl MoveStore for MoveList {
    #[inline]
    fn push(&mut self, mv: Move) {
        self.moves[self.len] = mv;
        self.len += 1;
    }
}

/// Stores generated moves one by one. Every store is a [`MoveSink`].
pub trait MoveStore {
    /// Adds a move.
    fn push(&mut self, mv: Move);
}

impl<S: MoveStore> MoveSink for S {
    #[inline]
    fn piece_moves(&mut self, from: Square, targets: Bitboard, enemies: Bitboard) {
        for to in targets {
            let kind = if enemies.contains(to) { MoveKind::Capture } else { MoveKind::Quiet };
            self.push(Move::new(from, to, kind));
        }
    }

    #[inline]
    fn pawn_moves(&mut self, targets: Bitboard, step: i8, kind: MoveKind) {
        for to in targets {
            self.push(Move::new(origin(to, step), to, kind));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, step: i8, is_capture: bool) {
        for to in targets {
            for piece in Piece::PROMOTIONS {
                let kind = MoveKind::promotion_to(piece, is_capture).expect("it is a promotion piece");
                self.push(Move::new(origin(to, step), to, kind));
            }
        }
    }

    #[inline]
    fn single(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// The origin of a pawn that reaches `to` with the given step.
#[inline]
pub(super) fn origin(to: Square, step: i8) -> Square {
    Square::from_low_bits((to as u8).wrapping_sub_signed(step))
}
