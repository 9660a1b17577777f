//! Move buffer: scored moves, of which the best is selected step by step (selection sort).

use rukh_chess::Move;
use rukh_chess::movegen::{MoveList, MoveStore};

/// Moves and their ranks in two arrays, so that the maximum of the ranks can be vectorised.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    moves: Vec<Move>,
    ranks: Vec<i32>,
}

/// A rank is the score with the place in the low bits: of equal scores the first move has the greater rank.
const PLACE_BITS: u32 = 9;
const LAST_PLACE: i32 = (1 << PLACE_BITS) - 1;
const _: () = assert!(MoveList::CAPACITY <= LAST_PLACE as usize);

#[inline]
fn rank(score: i32, place: usize) -> i32 {
    (score << PLACE_BITS) | (LAST_PLACE - place as i32)
}

impl Buffer {
    /// Keeps the first `len` moves.
    #[inline]
    pub(super) fn truncate(&mut self, len: usize) {
        self.moves.truncate(len);
    }

    #[inline]
    pub(super) fn get(&self, place: usize) -> Option<Move> {
        self.moves.get(place).copied()
    }

    /// Overwrites the move at a place that was selected before.
    #[inline]
    pub(super) fn put(&mut self, place: usize, mv: Move) {
        self.moves[place] = mv;
    }

    /// Scores the moves from `start` on.
    #[inline]
    pub(super) fn score(&mut self, start: usize, score: impl Fn(Move) -> i32) {
        self.ranks.clear();
        self.ranks.resize(start, 0);
        let moves = self.moves.iter().enumerate().skip(start);
        self.ranks.extend(moves.map(|(place, &mv)| rank(score(mv), place)));
    }

    /// Swaps the best of the moves from `next` on to that place and returns it with its score.
    #[inline]
    pub(super) fn bring_best(&mut self, next: usize) -> Option<(Move, i32)> {
        let best = self.ranks.get(next..)?.iter().copied().max()?;
        let place = (LAST_PLACE - (best & LAST_PLACE)) as usize;
        self.moves.swap(next, place);
        self.ranks[place] = rank(self.ranks[next] >> PLACE_BITS, place);
        Some((self.moves[next], best >> PLACE_BITS))
    }
}

impl MoveStore for Buffer {
    #[inline]
    fn push(&mut self, mv: Move) {
        self.moves.push(mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::random::SplitMix64;
    use rukh_chess::{Position, Square};

    #[test]
    fn moves_come_by_score_and_each_once() {
        let position: Position =
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse().expect("valid");
        let mut random = SplitMix64::new(5);
        for range in [1, 3, 1 << 16] {
            let scores: Vec<i32> =
                (0..Square::COUNT).map(|_| (random.next() % range) as i32 - 40_000).collect();
            let score = |mv: Move| scores[mv.to() as usize];
            let mut buffer = Buffer::default();
            let legal = position.legal_moves();
            legal.iter().for_each(|&mv| buffer.push(mv));
            buffer.score(0, score);
            let mut taken: Vec<Move> = Vec::new();
            let mut last = i32::MAX;
            while let Some((mv, ordering_score)) = buffer.bring_best(taken.len()) {
                assert_eq!(ordering_score, score(mv));
                assert!(ordering_score <= last);
                last = ordering_score;
                taken.push(mv);
            }
            assert_eq!(taken.len(), legal.len());
            assert!(legal.iter().all(|mv| taken.contains(mv)));
        }
    }

    #[test]
    fn only_moves_from_the_start_index_are_scored() {
        let position = Position::default();
        let mut buffer = Buffer::default();
        position.legal_moves().iter().for_each(|&mv| buffer.push(mv));
        let first = buffer.get(0).expect("there are moves");
        buffer.score(1, |_| 7);
        assert_eq!(buffer.bring_best(1).map(|(mv, score)| (mv != first, score)), Some((true, 7)));
        buffer.truncate(1);
        assert_eq!((buffer.get(0), buffer.get(1)), (Some(first), None));
    }
}
