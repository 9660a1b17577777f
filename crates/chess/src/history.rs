//! Key history: the Zobrist keys of earlier positions, for repetitions.

use alloc::vec::Vec;

use crate::position::Position;

/// The Zobrist keys of the earlier positions of a game or a line, the newest last. The current position is not included.
#[derive(Clone, Debug, Default)]
pub struct KeyHistory {
    keys: Vec<u64>,
}

impl KeyHistory {
    /// An empty history.
    pub const fn new() -> Self {
        Self { keys: Vec::new() }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether the history is empty.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Adds a position, before a move is made in it.
    #[inline]
    pub fn push(&mut self, position: &Position) {
        self.keys.push(position.key());
    }

    /// Removes the newest position.
    #[inline]
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// The number of earlier occurrences of `position`.
    ///
    /// Only positions since the last capture or pawn move, with the same side to move, are compared.
    pub fn occurrences(&self, position: &Position) -> usize {
        self.earlier(position).count()
    }

    /// Whether `position` counts as a draw by repetition in a search whose root has a history of length `root_len`: it
    /// occurred once since the root, or twice in all.
    #[inline]
    pub fn is_draw_in_search(&self, position: &Position, root_len: usize) -> bool {
        self.earlier(position).enumerate().any(|(before, index)| before == 1 || index >= root_len)
    }

    /// The indices of the earlier occurrences of `position`, the newest first.
    #[inline]
    fn earlier(&self, position: &Position) -> impl Iterator<Item = usize> {
        let key = position.key();
        let reach = usize::from(position.halfmove_clock()).min(self.keys.len());
        let oldest = self.keys.len() - reach;
        // Both sides need two moves to leave and return, so the first position that can be equal is four plies ago, the
        // fourth from the end. Only two null moves in a row would be faster.
        (oldest..self.keys.len()).rev().skip(3).step_by(2).filter(move |&index| self.keys[index] == key)
    }
}
