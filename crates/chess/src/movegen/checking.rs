//! Checking moves: a filter for moves that give check.

use super::sink::{MoveSink, MoveStore, origin};
use crate::position::{CheckSquares, Position};
use crate::types::{Bitboard, Move, MoveKind, Piece, Square};

/// A [`MoveSink`] that passes on the moves that give check.
#[derive(Debug)]
pub struct Checking<'a, S> {
    position: &'a Position,
    squares: CheckSquares,
    store: &'a mut S,
}

impl<'a, S: MoveStore> Checking<'a, S> {
    /// Passes the moves of `position` that give check on to `store`.
    pub fn new(position: &'a Position, store: &'a mut S) -> Self {
        Self { position, squares: position.check_squares(), store }
    }
}

impl<S: MoveStore> MoveSink for Checking<'_, S> {
    #[inline]
    fn piece_moves(&mut self, from: Square, targets: Bitboard, enemies: Bitboard) {
        let Some(piece) = self.position.piece_on(from) else { return };
        self.store.piece_moves(from, targets & self.squares.of(piece, from), enemies);
    }

    #[inline]
    fn pawn_moves(&mut self, targets: Bitboard, step: i8, kind: MoveKind) {
        for to in targets {
            let from = origin(to, step);
            if self.squares.of(Piece::Pawn, from).contains(to) {
                self.store.push(Move::new(from, to, kind));
            }
        }
    }

    fn promotions(&mut self, targets: Bitboard, step: i8, is_capture: bool) {
        for to in targets {
            for piece in Piece::PROMOTIONS {
                let kind = MoveKind::promotion_to(piece, is_capture).expect("it is a promotion piece");
                self.single(Move::new(origin(to, step), to, kind));
            }
        }
    }

    fn single(&mut self, mv: Move) {
        if self.position.gives_check(mv) {
            self.store.push(mv);
        }
    }
}
