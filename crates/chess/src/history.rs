//! Repetitions: the keys of the positions that came before.

use alloc::vec::Vec;

use crate::position::Position;

/// The keys of the positions of a game or line, the newest last, the present one not among them.
#[derive(Clone, Debug, Default)]
pub struct KeyHistory {
    keys: Vec<u64>,
}

impl KeyHistory {
    /// No position yet.
    pub const fn new() -> Self {
        Self { keys: Vec::new() }
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Remembers a position before a move is made in it.
    #[inline]
    pub fn push(&mut self, position: &Position) {
        self.keys.push(position.key());
    }

    /// Forgets the newest position.
    #[inline]
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// How often `position` occurred before.
    ///
    /// Only positions since the last capture or pawn move with the same side to move can be equal.
    pub fn occurrences(&self, position: &Position) -> usize {
        self.earlier(position).count()
    }

    /// Whether `position`, reached in a search that began when there were `root_len` positions, counts as a draw by
    /// repetition: it occurred once since then, which could be repeated again, or twice at all.
    #[inline]
    pub fn is_draw_in_search(&self, position: &Position, root_len: usize) -> bool {
        self.earlier(position).enumerate().any(|(before, index)| before == 1 || index >= root_len)
    }

    /// The indices at which `position` occurred before, the newest first.
    #[inline]
    fn earlier(&self, position: &Position) -> impl Iterator<Item = usize> {
        let key = position.key();
        let reach = usize::from(position.halfmove_clock()).min(self.keys.len());
        let oldest = self.keys.len() - reach;
        // A side needs two moves to go somewhere and come back, and both sides must: four plies ago, the fourth from the
        // end, is the first position that can be equal. Only two passed turns in a row would be quicker.
        (oldest..self.keys.len()).rev().skip(3).step_by(2).filter(move |&index| self.keys[index] == key)
    }
}
