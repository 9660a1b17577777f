//! Transposition table: lockless, shared by all threads.
//!
//! An entry is one word of data in a [`Slot`], which detects torn writes. Four entries form a cluster of one cache line.
//! Replacement is by depth and age.

mod slot;

use std::sync::atomic::{AtomicU8, Ordering};

use rukh_chess::{Move, Position};
use rukh_eval::Score;

use crate::api::{Bound, OutOfMemory};
use crate::memory;
use crate::threads::share;
use slot::Slot;

/// A transposition table entry, as it is probed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The best move. After a key collision it may be illegal, so legality is tested before it is made.
    pub(crate) mv: Option<Move>,
    /// The score in the form of [`Score::to_table`]: mates are counted from this position.
    score: i16,
    /// The static evaluation before correction history; `None` in check.
    pub(crate) eval: Option<Score>,
    /// The search depth.
    pub(crate) depth: i32,
    /// Whether the score is exact or a bound.
    pub(crate) bound: Bound,
    /// PV flag: whether the position has been in a principal variation.
    pub(crate) was_pv: bool,
}

/// A transposition table entry to be stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewEntry {
    /// The best move; with `None` the move of the old entry stays.
    pub(crate) mv: Option<Move>,
    /// The score, with mates counted from the root.
    pub(crate) score: Score,
    /// The distance from the root.
    pub(crate) ply: usize,
    /// The static evaluation before correction history.
    pub(crate) eval: Option<Score>,
    /// The search depth.
    pub(crate) depth: i32,
    /// Whether the score is exact or a bound.
    pub(crate) bound: Bound,
    /// PV flag: whether the position is or was in a principal variation.
    pub(crate) was_pv: bool,
}

impl Entry {
    /// The score at `ply`, with mates counted from the root.
    #[inline]
    pub(crate) fn score(&self, ply: usize) -> Score {
        Score::from_table(self.score, ply)
    }

    /// Whether a mate score can be reached in `position` before the fifty-move rule ends the game; true for other scores.
    #[inline]
    pub(crate) fn is_within_fifty_moves(&self, position: &Position) -> bool {
        let plies = self.score(0).mate_plies().unwrap_or(0);
        plies + usize::from(position.halfmove_clock()) <= usize::from(Position::FIFTY_MOVES)
    }

    /// Whether the entry is valid for `position`. Keys do not contain the halfmove clock, so entries are ignored when the
    /// fifty-move rule is near.
    #[inline]
    pub(crate) fn holds_for(&self, position: &Position) -> bool {
        const NEAR_FIFTY_MOVES: u16 = 90;
        position.halfmove_clock() < NEAR_FIFTY_MOVES && self.is_within_fifty_moves(position)
    }

    /// The static evaluation `eval` refined by the entry: the score replaces it where the bound says more. Mate and tablebase
    /// scores never do.
    #[inline]
    pub(crate) fn refine_by_bound(&self, eval: Score, ply: usize) -> Score {
        let score = self.score(ply);
        let is_better_known = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        };
        if is_better_known && !score.is_decisive() { score } else { eval }
    }

    /// Whether the bound is sufficient for a cut-off in a zero window at `beta`.
    #[inline]
    pub(crate) fn decides(&self, score: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score < beta,
        }
    }
}

/// Encodes the absence of an evaluation.
const NO_EVAL: i16 = i16::MIN;
/// Added to stored depths, so that negative ones fit into eight unsigned bits.
const DEPTH_OFFSET: i32 = 8;
const AGE_BITS: u8 = 5;
const AGES: u8 = 1 << AGE_BITS;
/// Replacement: plies of depth by which one generation of age lowers the value of an entry.
const AGE_WEIGHT: i32 = 4;

const CLUSTER: usize = 4;

/// The entries of one cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(crate) struct Cluster([Slot; CLUSTER]);

/// The data word: move 16, score 16, evaluation 16, depth 8, age 5, was_pv 1, bound 2 bits.
#[derive(Clone, Copy)]
struct Data(u64);

impl Data {
    #[inline]
    fn pack(entry: &Entry, age: u8) -> Self {
        let mv = entry.mv.map_or(0, Move::bits);
        let eval = entry.eval.map_or(NO_EVAL, |eval| eval.value() as i16);
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let depth = (entry.depth + DEPTH_OFFSET).clamp(0, i32::from(u8::MAX)) as u8;
        let flags = age << 3 | u8::from(entry.was_pv) << 2 | bound;
        Self(
            u64::from(mv)
                | u64::from(entry.score as u16) << 16
                | u64::from(eval as u16) << 32
                | u64::from(depth) << 48
                | u64::from(flags) << 56,
        )
    }

    /// `None` for an empty slot, which has no bound.
    #[inline]
    fn unpack(self) -> Option<Entry> {
        let flags = (self.0 >> 56) as u8;
        let bound = match flags & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let eval = (self.0 >> 32) as i16;
        Some(Entry {
            mv: Move::from_bits(self.0 as u16),
            score: (self.0 >> 16) as i16,
            eval: (eval != NO_EVAL).then(|| Score::new(i32::from(eval))),
            depth: self.depth(),
            bound,
            was_pv: flags & 4 != 0,
        })
    }

    #[inline]
    fn depth(self) -> i32 {
        i32::from((self.0 >> 48) as u8) - DEPTH_OFFSET
    }

    #[inline]
    fn age(self) -> u8 {
        (self.0 >> 59) as u8
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.0 >> 56 & 3 == 0
    }

    // ANCHOR: replacement
    /// The replacement value at the given table age: the entry with the least is replaced.
    #[inline]
    fn replacement_value(self, age: u8) -> i32 {
        let generations = age.wrapping_sub(self.age()) & (AGES - 1);
        self.depth() - AGE_WEIGHT * i32::from(generations)
    }
    // ANCHOR_END: replacement
}

/// The transposition table.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    clusters: Vec<Cluster>,
    age: AtomicU8,
}

impl TranspositionTable {
    /// An empty table of `mebibytes`, initialised by `threads` threads.
    pub(crate) fn new(mebibytes: usize, threads: usize) -> Result<Self, OutOfMemory> {
        let out_of_memory = OutOfMemory { mebibytes };
        let bytes = mebibytes.checked_mul(1 << 20).ok_or(out_of_memory)?;
        Self::with_bytes(bytes, threads).ok_or(out_of_memory)
    }

    /// An empty table of `bytes`; `None` if the memory is not available.
    pub(crate) fn with_bytes(bytes: usize, threads: usize) -> Option<Self> {
        let clusters = memory::defaults((bytes / size_of::<Cluster>()).max(1), threads)?;
        Some(Self { clusters, age: AtomicU8::new(0) })
    }

    /// Clears all entries with `threads` threads.
    pub(crate) fn clear(&self, threads: usize) {
        let parts = self.clusters.chunks(self.clusters.len().div_ceil(threads.max(1)));
        share(threads, parts, |clusters| {
            for cluster in clusters {
                for slot in &cluster.0 {
                    slot.clear();
                }
            }
        });
        self.age.store(0, Ordering::Relaxed);
    }

    /// Starts a new generation: existing entries age by one.
    pub(crate) fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) & (AGES - 1), Ordering::Relaxed);
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = (u128::from(key) * self.clusters.len() as u128) >> u64::BITS;
        &self.clusters[index as usize]
    }

    /// Prefetches the cluster of `key`.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        memory::prefetch(self.cluster(key));
    }

    // ANCHOR: probe
    /// The entry of `key`.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        self.cluster(key).0.iter().find_map(|slot| Data(slot.read(key)?).unpack())
    }
    // ANCHOR_END: probe

    /// The entry of `key`, if the current or last search stored it. The age wraps around: an entry that is exactly a full
    /// cycle of generations old is taken for a current one.
    pub(crate) fn probe_current(&self, key: u64) -> Option<Entry> {
        let age = self.age.load(Ordering::Relaxed);
        let current = |slot: &Slot| slot.read(key).map(Data).filter(|data| data.age() == age);
        self.cluster(key).0.iter().find_map(|slot| current(slot)?.unpack())
    }

    /// Stores an entry in place of the old one of the same key or, without one, of the least valuable of the cluster. A much
    /// shallower bound does not replace a deeper entry of the same key and generation.
    #[inline]
    pub(crate) fn store(&self, key: u64, new: NewEntry) {
        let age = self.age.load(Ordering::Relaxed);
        let slots = &self.cluster(key).0;
        let data = |slot: &Slot| Data(slot.data());
        let is_ours = |slot: &&Slot| slot.read(key).is_some_and(|data| !Data(data).is_empty());
        let mut mv = new.mv;
        let slot = match slots.iter().find(is_ours) {
            Some(slot) => {
                let old = data(slot);
                let is_much_deeper = old.depth() > new.depth + AGE_WEIGHT && old.age() == age;
                if is_much_deeper && new.bound != Bound::Exact {
                    return;
                }
                mv = mv.or_else(|| Move::from_bits(old.0 as u16));
                slot
            }
            None => {
                let value = |slot: &&Slot| {
                    if data(slot).is_empty() { i32::MIN } else { data(slot).replacement_value(age) }
                };
                slots.iter().min_by_key(value).expect("a cluster has slots")
            }
        };
        let entry = Entry {
            mv,
            score: new.score.to_table(new.ply),
            eval: new.eval,
            depth: new.depth,
            bound: new.bound,
            was_pv: new.was_pv,
        };
        slot.write(key, Data::pack(&entry, age).0);
    }

    /// Permille of the table in use by the current search, from a sample.
    pub(crate) fn hashfull(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(250)];
        let slots = sample.iter().flat_map(|cluster| &cluster.0).map(|slot| Data(slot.data()));
        let used = slots.filter(|data| !data.is_empty() && data.age() == age).count();
        (used * 1000 / (sample.len() * CLUSTER)) as u32
    }

    /// The number of entries that the current search has stored.
    #[cfg(test)]
    pub(crate) fn current_entries(&self) -> usize {
        let age = self.age.load(Ordering::Relaxed);
        let slots = self.clusters.iter().flat_map(|cluster| &cluster.0);
        let data = slots.map(|slot| Data(slot.data()));
        data.filter(|data| !data.is_empty() && data.age() == age).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::{MoveKind, Square};

    fn entry(depth: i32, bound: Bound, score: Score) -> NewEntry {
        let mv = Some(Move::new(Square::E2, Square::E4, MoveKind::DoublePush));
        NewEntry { mv, score, ply: 3, eval: Some(Score::new(-77)), depth, bound, was_pv: true }
    }

    #[test]
    fn a_mate_beyond_the_fifty_move_rule_is_not_valid() {
        let table = TranspositionTable::new(1, 1).expect("a mebibyte is available");
        // Seven plies from a position three plies from the root.
        table.store(1, entry(5, Bound::Lower, Score::mate_at(10)));
        table.store(2, entry(5, Bound::Lower, Score::new(900)));
        let is_within_fifty_moves = |key, clock| {
            let position: Position = format!("8/8/8/8/8/2k5/r7/4K3 b - - {clock} 80").parse().expect("valid");
            table.probe(key).expect("it was stored").is_within_fifty_moves(&position)
        };
        assert!(is_within_fifty_moves(1, 0) && is_within_fifty_moves(1, 93) && !is_within_fifty_moves(1, 94));
        assert!(is_within_fifty_moves(2, 99));
    }

    #[test]
    fn a_stored_entry_is_probed_unchanged() {
        let table = TranspositionTable::new(1, 2).expect("a mebibyte is available");
        assert_eq!(table.probe(42), None);
        for (i, score) in
            [Score::DRAW, Score::mate_at(9), Score::mated_at(8), Score::new(-300)].into_iter().enumerate()
        {
            let key = 0x1234_5678_9ABC_DEF0_u64.wrapping_mul(i as u64 + 1);
            table.store(key, entry(5, Bound::Lower, score));
            let found = table.probe(key).expect("it was stored");
            assert_eq!(
                (found.score(3), found.depth, found.bound, found.was_pv),
                (score, 5, Bound::Lower, true)
            );
            assert_eq!(found.eval, Some(Score::new(-77)));
            assert_eq!(found.mv.map(Move::from), Some(Square::E2));
        }
        table.clear(2);
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF0), None);
    }

    #[test]
    fn the_shallowest_and_oldest_entry_is_replaced() {
        let table = TranspositionTable::new(1, 1).expect("a mebibyte is available");
        // Keys that differ in their low bits share a cluster.
        for key in 0..4 {
            table.store(key, entry(10 + key as i32, Bound::Exact, Score::DRAW));
        }
        table.store(4, entry(1, Bound::Exact, Score::DRAW));
        assert_eq!(table.probe(0), None, "the shallowest entry is replaced");
        for _ in 0..4 {
            table.new_search();
        }
        table.store(5, entry(2, Bound::Exact, Score::DRAW));
        assert_eq!(table.probe(4), None, "the shallow old entry is replaced");
        assert!(table.probe(3).is_some());
    }

    #[test]
    fn probe_current_ignores_earlier_searches() {
        let table = TranspositionTable::new(1, 1).expect("a mebibyte is available");
        table.store(7, entry(5, Bound::Exact, Score::DRAW));
        assert_eq!(table.probe_current(7), table.probe(7));
        assert!(table.probe_current(7).is_some() && table.probe_current(8).is_none());
        table.new_search();
        table.store(8, entry(5, Bound::Exact, Score::DRAW));
        assert!(
            table.probe(7).is_some() && table.probe_current(7).is_none() && table.probe_current(8).is_some()
        );
        table.store(7, entry(6, Bound::Exact, Score::DRAW));
        assert!(table.probe_current(7).is_some(), "it was searched again");
    }

    #[test]
    fn an_old_move_is_kept_when_the_new_entry_has_none() {
        let table = TranspositionTable::new(1, 1).expect("a mebibyte is available");
        table.store(7, entry(5, Bound::Exact, Score::DRAW));
        table.store(7, NewEntry { mv: None, ..entry(6, Bound::Upper, Score::DRAW) });
        assert!(table.probe(7).is_some_and(|found| found.mv.is_some() && found.depth == 6));
        table.store(7, entry(0, Bound::Lower, Score::DRAW));
        assert!(
            table.probe(7).is_some_and(|found| found.depth == 6),
            "a shallow bound does not replace a deep entry"
        );
    }

    #[test]
    fn a_torn_entry_is_a_miss() {
        let table = TranspositionTable::new(1, 1).expect("a mebibyte is available");
        table.store(9, entry(5, Bound::Exact, Score::DRAW));
        let slot = &table.cluster(9).0[0];
        // The words of two writes.
        slot.write(9 ^ 1 << 20, slot.data() ^ 1 << 20);
        assert_eq!(table.probe(9), None);
    }

    #[test]
    fn an_impossible_size_is_an_error() {
        assert_eq!(TranspositionTable::new(usize::MAX, 1).err(), Some(OutOfMemory { mebibytes: usize::MAX }));
        assert!(TranspositionTable::new(1 << 30, 1).is_err(), "no machine has a pebibyte");
    }

    #[test]
    fn hashfull_counts_the_current_search() {
        let table = TranspositionTable::new(1, 1).expect("a mebibyte is available");
        let mut random = rukh_chess::random::SplitMix64::new(1);
        for _ in 0..table.clusters.len() * 2 {
            table.store(random.next(), entry(5, Bound::Exact, Score::DRAW));
        }
        let used = table.hashfull();
        assert!((350..650).contains(&used), "{used}");
        table.new_search();
        assert_eq!(table.hashfull(), 0);
    }
}
