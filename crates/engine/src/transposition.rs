//! The table of positions: lockless, shared by all threads.
//!
//! An entry is two relaxed atomic words: the data, and the key XOR the data. A reader that sees the halves of two writers
//! computes a key that does not fit and takes nothing. Four entries make a cluster of one cache line.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::thread;

use rukh_chess::{Move, Position};
use rukh_eval::Score;

use crate::api::{Bound, OutOfMemory};
use crate::memory;

/// What is remembered of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move, which may belong to another position with the same key: it is tested before it is made.
    pub mv: Option<Move>,
    /// The score, as [`Score::to_table`] gives it.
    score: i16,
    /// The static evaluation before corrections; none if the side to move was in check.
    pub eval: Option<Score>,
    /// How deep it was searched.
    pub depth: i32,
    /// How the score is meant.
    pub bound: Bound,
    /// Whether the position has been in a principal variation.
    pub was_pv: bool,
}

/// What is to be remembered of a position.
#[derive(Clone, Copy, Debug)]
pub struct NewEntry {
    /// The best move; the one known before is kept if there is none.
    pub mv: Option<Move>,
    /// The score at `ply` moves from the root.
    pub score: Score,
    /// Moves from the root.
    pub ply: usize,
    /// The static evaluation before corrections.
    pub eval: Option<Score>,
    /// How deep it was searched.
    pub depth: i32,
    /// How the score is meant.
    pub bound: Bound,
    /// Whether the position is or was in a principal variation.
    pub was_pv: bool,
}

impl Entry {
    /// The score, counted from a root `ply` moves before.
    #[inline]
    pub fn score(&self, ply: usize) -> Score {
        Score::from_table(self.score, ply)
    }

    /// Whether the score holds for `position`, whose fifty moves may be over before the mate the score speaks of.
    #[inline]
    pub fn is_in_time(&self, position: &Position) -> bool {
        let plies = self.score(0).mate_plies().unwrap_or(0);
        plies + usize::from(position.halfmove_clock()) <= usize::from(Position::FIFTY_MOVES)
    }

    /// Whether what is known can be so in `position`: keys know nothing of the fifty moves, which may be near.
    #[inline]
    pub fn holds_for(&self, position: &Position) -> bool {
        const NEAR_THE_END: u16 = 90;
        position.halfmove_clock() < NEAR_THE_END && self.is_in_time(position)
    }

    /// The score in place of `eval`, where it says more than that and nothing proven.
    #[inline]
    pub fn sharpen(&self, eval: Score, ply: usize) -> Score {
        let score = self.score(ply);
        let is_better_known = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        };
        if is_better_known && !score.is_decisive() { score } else { eval }
    }

    /// Whether the score settles the question of a window around `beta`.
    #[inline]
    pub fn decides(&self, score: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score < beta,
        }
    }
}

/// The evaluation that stands for none.
const NO_EVAL: i16 = i16::MIN;
/// Depths are kept with this added, so that quiescence fits.
const DEPTH_OFFSET: i32 = 8;
const AGE_BITS: u8 = 5;
const AGES: u8 = 1 << AGE_BITS;
/// Plies that one generation of age is worth when an entry must go.
const AGE_WEIGHT: i32 = 4;

const CLUSTER: usize = 4;

/// Entries that share a cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(crate) struct Cluster([Slot; CLUSTER]);

#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// The fields of the data word: move 16, score 16, evaluation 16, depth 8, age 5, was_pv 1, bound 2 bits.
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

    /// Nothing has ever been written where the bound is missing.
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
            eval: (eval != NO_EVAL).then(|| Score::centipawns(i32::from(eval))),
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

    /// How much it is worth keeping in a table of the given age.
    #[inline]
    fn worth(self, age: u8) -> i32 {
        let generations = age.wrapping_sub(self.age()) & (AGES - 1);
        self.depth() - AGE_WEIGHT * i32::from(generations)
    }
}

/// The table.
#[derive(Debug)]
pub struct TranspositionTable {
    clusters: Vec<Cluster>,
    age: AtomicU8,
}

impl TranspositionTable {
    /// An empty table of `mebibytes`, made by `threads` threads, if the system has the memory.
    pub fn new(mebibytes: usize, threads: usize) -> Result<Self, OutOfMemory> {
        let out_of_memory = OutOfMemory { mebibytes };
        let count = mebibytes.checked_mul(1 << 20).ok_or(out_of_memory)? / size_of::<Cluster>();
        let clusters = memory::defaults(count.max(1), threads).ok_or(out_of_memory)?;
        Ok(Self { clusters, age: AtomicU8::new(0) })
    }

    /// Forgets everything.
    pub fn clear(&self, threads: usize) {
        let share = self.clusters.len().div_ceil(threads.max(1));
        thread::scope(|scope| {
            for clusters in self.clusters.chunks(share) {
                scope.spawn(move || {
                    for slot in clusters.iter().flat_map(|cluster| &cluster.0) {
                        slot.check.store(0, Ordering::Relaxed);
                        slot.data.store(0, Ordering::Relaxed);
                    }
                });
            }
        });
        self.age.store(0, Ordering::Relaxed);
    }

    /// A new search begins: what is there grows older.
    pub fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) & (AGES - 1), Ordering::Relaxed);
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = (u128::from(key) * self.clusters.len() as u128) >> u64::BITS;
        &self.clusters[index as usize]
    }

    /// Asks the processor to fetch what belongs to `key`.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        memory::prefetch(self.cluster(key));
    }

    /// What is remembered of the position with `key`.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let is_ours = slot.check.load(Ordering::Relaxed) ^ data == key;
            if is_ours { Data(data).unpack() } else { None }
        })
    }

    /// What the present search, or the last one that has ended, has put in of the position with `key`. Ages come round: what is
    /// as old as there are ages looks new.
    pub fn probe_current(&self, key: u64) -> Option<Entry> {
        let age = self.age.load(Ordering::Relaxed);
        self.cluster(key).0.iter().find_map(|slot| {
            let data = Data(slot.data.load(Ordering::Relaxed));
            let is_ours = slot.check.load(Ordering::Relaxed) ^ data.0 == key && data.age() == age;
            if is_ours { data.unpack() } else { None }
        })
    }

    /// Remembers a position, in place of what is least worth keeping. A much shallower bound does not displace a deeper
    /// entry of the same position.
    #[inline]
    pub fn store(&self, key: u64, new: NewEntry) {
        let age = self.age.load(Ordering::Relaxed);
        let slots = &self.cluster(key).0;
        let data = |slot: &Slot| Data(slot.data.load(Ordering::Relaxed));
        let is_ours =
            |slot: &&Slot| slot.check.load(Ordering::Relaxed) ^ data(slot).0 == key && !data(slot).is_empty();
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
                let worth =
                    |slot: &&Slot| if data(slot).is_empty() { i32::MIN } else { data(slot).worth(age) };
                slots.iter().min_by_key(worth).expect("a cluster has slots")
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
        let data = Data::pack(&entry, age).0;
        slot.check.store(key ^ data, Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
    }

    /// Thousandths of the table in use by the present search, from a sample.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(250)];
        let slots =
            sample.iter().flat_map(|cluster| &cluster.0).map(|slot| Data(slot.data.load(Ordering::Relaxed)));
        let used = slots.filter(|data| !data.is_empty() && data.age() == age).count();
        (used * 1000 / (sample.len() * CLUSTER)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::{MoveKind, Square};

    fn entry(depth: i32, bound: Bound, score: Score) -> NewEntry {
        let mv = Some(Move::new(Square::E2, Square::E4, MoveKind::DoublePush));
        NewEntry { mv, score, ply: 3, eval: Some(Score::centipawns(-77)), depth, bound, was_pv: true }
    }

    #[test]
    fn a_mate_must_come_before_the_fiftieth_move() {
        let table = TranspositionTable::new(1, 1).expect("a mebibyte can be had");
        // Seven plies from a position three plies from the root.
        table.store(1, entry(5, Bound::Lower, Score::mate_at(10)));
        table.store(2, entry(5, Bound::Lower, Score::centipawns(900)));
        let is_in_time = |key, clock| {
            let position: Position = format!("8/8/8/8/8/2k5/r7/4K3 b - - {clock} 80").parse().expect("valid");
            table.probe(key).expect("it was put in").is_in_time(&position)
        };
        assert!(is_in_time(1, 0) && is_in_time(1, 93) && !is_in_time(1, 94));
        assert!(is_in_time(2, 99));
    }

    #[test]
    fn what_is_put_in_is_found_again() {
        let table = TranspositionTable::new(1, 2).expect("a mebibyte can be had");
        assert_eq!(table.probe(42), None);
        for (i, score) in [Score::DRAW, Score::mate_at(9), Score::mated_at(8), Score::centipawns(-300)]
            .into_iter()
            .enumerate()
        {
            let key = 0x1234_5678_9ABC_DEF0_u64.wrapping_mul(i as u64 + 1);
            table.store(key, entry(5, Bound::Lower, score));
            let found = table.probe(key).expect("it has just been put in");
            assert_eq!(
                (found.score(3), found.depth, found.bound, found.was_pv),
                (score, 5, Bound::Lower, true)
            );
            assert_eq!(found.eval, Some(Score::centipawns(-77)));
            assert_eq!(found.mv.map(Move::from), Some(Square::E2));
        }
        table.clear(2);
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF0), None);
    }

    #[test]
    fn the_shallowest_and_oldest_goes_first() {
        let table = TranspositionTable::new(1, 1).expect("a mebibyte can be had");
        // Keys that differ in their low bits share a cluster.
        for key in 0..4 {
            table.store(key, entry(10 + key as i32, Bound::Exact, Score::DRAW));
        }
        table.store(4, entry(1, Bound::Exact, Score::DRAW));
        assert_eq!(table.probe(0), None, "the shallowest of them has gone");
        for _ in 0..4 {
            table.new_search();
        }
        table.store(5, entry(2, Bound::Exact, Score::DRAW));
        assert_eq!(table.probe(4), None, "it was shallow and old");
        assert!(table.probe(3).is_some());
    }

    #[test]
    fn what_an_earlier_search_put_in_is_told_apart() {
        let table = TranspositionTable::new(1, 1).expect("a mebibyte can be had");
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
    fn a_move_known_before_is_kept() {
        let table = TranspositionTable::new(1, 1).expect("a mebibyte can be had");
        table.store(7, entry(5, Bound::Exact, Score::DRAW));
        table.store(7, NewEntry { mv: None, ..entry(6, Bound::Upper, Score::DRAW) });
        assert!(table.probe(7).is_some_and(|found| found.mv.is_some() && found.depth == 6));
        table.store(7, entry(0, Bound::Lower, Score::DRAW));
        assert!(
            table.probe(7).is_some_and(|found| found.depth == 6),
            "a shallow bound displaces nothing deep"
        );
    }

    #[test]
    fn a_torn_entry_is_not_believed() {
        let table = TranspositionTable::new(1, 1).expect("a mebibyte can be had");
        table.store(9, entry(5, Bound::Exact, Score::DRAW));
        let slot = &table.cluster(9).0[0];
        slot.data.store(slot.data.load(Ordering::Relaxed) ^ 1 << 20, Ordering::Relaxed);
        assert_eq!(table.probe(9), None);
    }

    #[test]
    fn too_much_memory_is_refused() {
        assert_eq!(TranspositionTable::new(usize::MAX, 1).err(), Some(OutOfMemory { mebibytes: usize::MAX }));
        assert!(TranspositionTable::new(1 << 30, 1).is_err(), "no machine has a pebibyte");
    }

    #[test]
    fn hashfull_counts_the_present_search() {
        let table = TranspositionTable::new(1, 1).expect("a mebibyte can be had");
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
