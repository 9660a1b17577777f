//! Reversible moves: a cuckoo table from the difference of two Zobrist keys to the piece move that leads from one to the other.
//!
//! It knows the keys and the empty board, nothing of positions or games.

use alloc::boxed::Box;
use alloc::vec;

use crate::attacks;
use crate::position::Keys;
use crate::types::{Bitboard, Color, Piece, Square};

/// Slots; twice as many as there are moves, so that every move finds one.
const SIZE: usize = 1 << 13;

/// The moves of pieces other than pawns on an empty board, by the change of the key. A move and its reverse are one entry.
#[derive(Clone, Debug)]
pub struct ReversibleMoves {
    slots: Box<[Slot]>,
}

/// The change of the key, and the two squares.
type Slot = Option<(u64, Square, Square)>;

/// The two slots in which a key may be.
#[inline]
const fn slots_of(change: u64) -> [usize; 2] {
    [change as usize % SIZE, (change >> 16) as usize % SIZE]
}

impl Default for ReversibleMoves {
    fn default() -> Self {
        Self::new()
    }
}

impl ReversibleMoves {
    /// The table.
    pub fn new() -> Self {
        let mut moves = Self { slots: vec![None; SIZE].into_boxed_slice() };
        for color in Color::ALL {
            for piece in Piece::ALL.into_iter().filter(|&piece| piece != Piece::Pawn) {
                for from in Square::ALL {
                    let targets = attacks::of_piece(color, piece, from, Bitboard::EMPTY);
                    for to in targets.into_iter().filter(|&to| to > from) {
                        moves.insert((Keys::change_by_move(color, piece, from, to), from, to));
                    }
                }
            }
        }
        moves
    }

    /// Inserts a move; a move that is displaced goes to its other slot (cuckoo hashing).
    fn insert(&mut self, new: (u64, Square, Square)) {
        let (mut index, mut new) = (slots_of(new.0)[0], new);
        while let Some(displaced) = self.slots[index].replace(new) {
            new = displaced;
            let [first, second] = slots_of(new.0);
            index = if index == first { second } else { first };
        }
    }

    /// The squares of the move that changes the key so, in either direction.
    #[inline]
    pub fn find(&self, change: u64) -> Option<(Square, Square)> {
        let found = |index: usize| self.slots[index].filter(|slot| slot.0 == change);
        let [first, second] = slots_of(change);
        found(first).or_else(|| found(second)).map(|(_, from, to)| (from, to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn every_piece_move_is_found_once() {
        let moves = ReversibleMoves::new();
        // The number of moves of knights, bishops, rooks, queens and kings on an empty board, halved, for two colours.
        assert_eq!(moves.slots.iter().flatten().count(), 336 + 560 + 896 + 1456 + 420);
    }

    #[test]
    fn the_difference_of_two_keys_is_the_move() {
        let moves = ReversibleMoves::new();
        for (fen, san) in [
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", Some("Ra7")),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", Some("Kd2")),
            ("4k1n1/8/8/8/8/8/8/R3K3 b - - 0 1", Some("Nf6")),
            ("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1", None),
        ] {
            let position: Position = fen.parse().expect("valid");
            let mv = position.parse_san(san.unwrap_or("a3")).expect("legal");
            let after = position.after(mv);
            let found = moves.find(position.key() ^ after.key());
            let squares = (mv.from().min(mv.to()), mv.from().max(mv.to()));
            assert_eq!(found, san.map(|_| squares), "{fen} {mv:?}");
        }
        assert_eq!(moves.find(0), None);
    }
}
