//! Key history: the Zobrist keys of earlier positions, for repetitions.

use alloc::vec::Vec;

use crate::attacks;
use crate::position::Position;
use crate::reversible::ReversibleMoves;

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

    /// Whether a move of the side to move leads back to an earlier position, so that it counts as a draw by repetition in a
    /// search whose root has a history of length `root_len` ([`Self::is_draw_in_search`]).
    ///
    /// Pins and checks are not considered: a king in check may be left there by the move.
    pub fn is_repetition_upcoming(
        &self,
        position: &Position,
        root_len: usize,
        moves: &ReversibleMoves,
    ) -> bool {
        let len = self.keys.len();
        let reach = usize::from(position.halfmove_clock()).min(len);
        // After the move the other side is to move, as it was an odd number of plies ago, three at least.
        (3..=reach).step_by(2).any(|plies| {
            let index = len - plies;
            let earlier = self.keys[index];
            let Some((a, b)) = moves.find(position.key() ^ earlier) else { return false };
            let is_own = position.color(position.side_to_move());
            let is_free = !attacks::between(a, b).intersects(position.occupied());
            let is_twice = || {
                let oldest = len - reach;
                (oldest..index).rev().skip(3).step_by(2).any(|before| self.keys[before] == earlier)
            };
            is_free && (is_own.contains(a) || is_own.contains(b)) && (index >= root_len || is_twice())
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    /// Whether a legal move leads to a position that counts as a draw by repetition.
    fn can_repeat(keys: &KeyHistory, position: &Position, root_len: usize) -> bool {
        let mut keys = keys.clone();
        keys.push(position);
        let moves = position.legal_moves();
        moves.iter().any(|&mv| keys.is_draw_in_search(&position.after(mv), root_len))
    }

    #[test]
    fn an_upcoming_repetition_is_found_without_trying_moves() {
        let moves = ReversibleMoves::new();
        let mut random = SplitMix64::new(7);
        let mut counts = [0; 2];
        for root_len in [0, 6, 1000] {
            for _ in 0..300 {
                let mut position: Position = "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1".parse().expect("valid");
                let mut keys = KeyHistory::new();
                for _ in 0..20 {
                    let legal = position.legal_moves();
                    if legal.is_empty() {
                        break;
                    }
                    let is_upcoming = keys.is_repetition_upcoming(&position, root_len, &moves);
                    // A pinned piece or a king in check may seem to have the move.
                    if !position.is_check() && is_upcoming == can_repeat(&keys, &position, root_len) {
                        counts[usize::from(is_upcoming)] += 1;
                    } else {
                        assert!(is_upcoming || !can_repeat(&keys, &position, root_len), "{position:?}");
                    }
                    keys.push(&position);
                    position = position.after(legal[random.next() as usize % legal.len()]);
                }
            }
        }
        assert!(counts[0] > 1000 && counts[1] > 20, "{counts:?}");
    }
}
