//! Tree memory: a circular arena of blocks. When it is full, blocks that matter little are overwritten.
//!
//! A block is a header and the children of one node. Blocks lie one after the other. A hand moves around the arena: a new
//! block is written where it stands, over free memory, over blocks that no longer belong to the tree, and over blocks
//! whose owner has few visits; blocks with more visits are skipped. So memory is bounded, all of it is used, and no
//! search ever stops to collect garbage. An owner whose block was overwritten keeps its statistics and is expanded again
//! when it is visited.
//!
//! There are as many segments as threads, as far as the memory is large enough, each with a hand of its own, so that no
//! thread waits for another: where one is allocating the next segment is taken. It knows nothing of chess.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use super::slot::{EXPANDING, NO_CHILDREN, Slot};
use crate::memory;

/// The slot of the root.
pub(super) const ROOT: u32 = 0;
/// The first slot of the first block; slot 1 is unused, because its index means that a node is being expanded.
const FIRST: u32 = 2;
/// The least number of slots of a segment: the children of some nodes, however many moves they have.
const SEGMENT_LEN_MIN: u32 = 1 << 12;
/// A block is kept if its owner has at least this many visits; the least value of the threshold.
const LEAST_KEPT: u32 = 2;
/// The threshold doubles when the hand has skipped the segment divided by this.
const SKIPPED_PART: u32 = 8;
/// Laps of the hand after which an allocation fails: everything is in use by descents.
const LAPS: u32 = 40;

/// The memory of the tree.
#[derive(Debug)]
pub(super) struct Arena {
    slots: Vec<Slot>,
    /// One after the other.
    segments: Vec<Segment>,
}

/// A part of the memory, in which one thread at a time allocates.
#[derive(Debug)]
struct Segment {
    first: u32,
    end: u32,
    hand: Mutex<Hand>,
}

/// The state of the allocator of a segment.
#[derive(Clone, Copy, Debug)]
struct Hand {
    /// Where the next block is tried.
    at: u32,
    /// The end of the memory used so far; everything behind it is free.
    frontier: u32,
    /// Blocks of owners with fewer visits are overwritten.
    keep: u32,
    /// Blocks overwritten while they belonged to the tree.
    evicted: u64,
}

impl Hand {
    const fn starting_at(first: u32) -> Self {
        Self { at: first, frontier: first, keep: LEAST_KEPT, evicted: 0 }
    }
}

impl Segment {
    fn new(first: u32, end: u32) -> Self {
        Self { first, end, hand: Mutex::new(Hand::starting_at(first)) }
    }

    /// Waits for a thread that is allocating.
    fn lock(&self) -> MutexGuard<'_, Hand> {
        self.hand.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `None` while another thread is allocating.
    fn try_lock(&self) -> Option<MutexGuard<'_, Hand>> {
        match self.hand.try_lock() {
            Ok(hand) => Some(hand),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

impl Arena {
    /// An arena of `bytes` for `threads` threads, which also initialise it; `None` if the memory is not available.
    pub(super) fn new(bytes: usize, threads: usize) -> Option<Self> {
        let len = (bytes / size_of::<Slot>()).clamp(1 << 10, u32::MAX as usize - 1);
        let slots = memory::defaults(len, threads)?;
        let len = len as u32;
        let count = (len / SEGMENT_LEN_MIN).clamp(1, u32::try_from(threads.max(1)).unwrap_or(u32::MAX));
        let starts =
            |number: u32| FIRST + (u64::from(len - FIRST) * u64::from(number) / u64::from(count)) as u32;
        let segments = (0..count).map(|number| Segment::new(starts(number), starts(number + 1))).collect();
        let arena = Self { slots, segments };
        arena.clear();
        Some(arena)
    }

    /// Removes all blocks. No thread may be searching.
    pub(super) fn clear(&self) {
        self.segments.iter().for_each(|segment| *segment.lock() = Hand::starting_at(segment.first));
        self.slots[ROOT as usize].reset(None, 1.0);
    }

    /// The slot of this index.
    #[inline]
    pub(super) fn slot(&self, index: u32) -> &Slot {
        &self.slots[index as usize]
    }

    /// The index of the first child and the children of a block.
    #[inline]
    pub(super) fn block(&self, block: u32) -> (u32, &[Slot]) {
        let first = block as usize + 1;
        let len = self.slots[block as usize].block_len() as usize;
        // A reader that does not hold the block (a report during the search) may see one that is being overwritten.
        let end = (first + len).min(self.slots.len());
        (block + 1, &self.slots[first.min(end)..end])
    }

    /// The children of a slot, if it has any.
    pub(super) fn children_of(&self, index: u32) -> Option<(u32, &[Slot])> {
        match self.slot(index).children() {
            NO_CHILDREN | EXPANDING => None,
            block => Some(self.block(block)),
        }
    }

    /// Prefetches the header and the first children of a slot, those that selection reads first.
    #[inline]
    pub(super) fn prefetch_children(&self, slot: &Slot) {
        /// Slots that are prefetched; two share a cache line.
        const SLOTS: usize = 8;
        let block = slot.children() as usize;
        if block as u32 > EXPANDING {
            self.slots[block..].iter().take(SLOTS).step_by(2).for_each(memory::prefetch);
        }
    }

    /// Permille of the memory in use.
    pub(super) fn permille(&self) -> u32 {
        let used: u64 =
            self.segments.iter().map(|segment| u64::from(segment.lock().frontier - segment.first)).sum();
        (used * 1000 / (self.slots.len() as u64 - u64::from(FIRST))) as u32
    }

    /// The number of segments.
    #[cfg(test)]
    pub(super) fn segments(&self) -> usize {
        self.segments.len()
    }

    /// Blocks that were overwritten while they belonged to the tree.
    #[cfg(test)]
    pub(super) fn evicted(&self) -> u64 {
        self.segments.iter().map(|segment| segment.lock().evicted).sum()
    }

    /// A block for `count` children of `owner`, whose children are [`EXPANDING`]. The children must be written before the
    /// block is published. `None` if all memory is in use by descents.
    pub(super) fn allocate(&self, owner: u32, count: u32) -> Option<u32> {
        let segments = self.segments.len();
        // Owners lie everywhere, so all segments fill alike.
        let first = owner as usize % segments;
        let (mut at, mut refused) = (first, 0);
        while refused < segments {
            let segment = &self.segments[at];
            if let Some(mut hand) = segment.try_lock() {
                if let Some(block) = self.allocate_in(segment, &mut hand, owner, count) {
                    return Some(block);
                }
                refused += 1;
            }
            at = (at + 1) % segments;
        }
        None
    }

    /// The same in one segment.
    fn allocate_in(&self, segment: &Segment, hand: &mut Hand, owner: u32, count: u32) -> Option<u32> {
        let (first, len) = (segment.first, segment.end);
        let need = count + 1;
        if need > len - first {
            return None;
        }
        let (mut skipped, mut laps) = (0, 0);
        // The free run that the hand has collected begins here.
        let mut start = hand.at;
        let mut end = start;
        loop {
            if end - start >= need {
                break;
            }
            if end == len {
                self.free(start, end);
                hand.keep = (hand.keep / 2).max(LEAST_KEPT);
                laps += 1;
                if laps > LAPS {
                    hand.at = first;
                    return None;
                }
                (start, end) = (first, first);
                continue;
            }
            if end >= hand.frontier {
                // Never used: as much as is needed, or the rest.
                end = (start + need).min(len).max(end);
                hand.frontier = hand.frontier.max(end);
                continue;
            }
            let size = self.slot(end).block_len() + 1;
            if self.evict(end, hand) {
                end += size;
                continue;
            }
            self.free(start, end);
            end += size;
            start = end;
            skipped += size;
            if skipped > (len - first) / SKIPPED_PART {
                skipped = 0;
                hand.keep = hand.keep.saturating_mul(2);
            }
        }
        self.free(start + need, end);
        hand.at = start + need;
        self.slot(start).make_header(Some(owner), count);
        Some(start)
    }

    /// Makes the slots from `start` to `end` a free block.
    fn free(&self, start: u32, end: u32) {
        if start < end {
            self.slot(start).make_header(None, end - start - 1);
        }
    }

    /// Whether the block can be overwritten; if it belongs to the tree, it is taken from its owner.
    ///
    /// A descent enters the owner before it reads the block, and the block is taken before the descents inside the owner are
    /// counted: one of the two sides always sees the other. While a descent may be in a block that was taken it is kept; the
    /// memory of its owner is kept as well, because the descent is also inside the owner of that.
    fn evict(&self, block: u32, hand: &mut Hand) -> bool {
        let Some(owner) = self.slot(block).owner() else { return true };
        let owner = self.slot(owner);
        match owner.children() {
            // The owner may be waiting for this very block.
            EXPANDING => return false,
            children if children != block => {}
            _ if owner.visits() >= hand.keep || owner.in_flight() > 0 => return false,
            _ => hand.evicted += u64::from(owner.exchange_children(block, NO_CHILDREN)),
        }
        owner.in_flight() == 0
    }

    /// Makes the slot `new_root`, which lies in the tree, the root. No thread may be searching. The blocks outside its
    /// subtree no longer belong to the tree.
    pub(super) fn set_root(&self, new_root: u32) {
        let root = self.slot(ROOT);
        // Descents are always inside the root, so that its old block would never be given up.
        if let Some((first, children)) = self.children_of(ROOT) {
            self.slot(first - 1).make_header(None, children.len() as u32);
        }
        root.copy(self.slot(new_root));
        if let Some((first, _)) = self.children_of(ROOT) {
            let header = self.slot(first - 1);
            header.make_header(Some(ROOT), header.block_len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::slot::Visit;
    use super::*;
    use rukh_chess::random::SplitMix64;

    const VISIT: Visit = Visit { value: 0.0, draw: 0.0 };

    /// Expands `owner` with `count` children.
    fn expand(arena: &Arena, owner: u32, count: u32) -> Option<u32> {
        assert!(arena.slot(owner).exchange_children(NO_CHILDREN, EXPANDING));
        let Some(block) = arena.allocate(owner, count) else {
            assert!(arena.slot(owner).exchange_children(EXPANDING, NO_CHILDREN));
            return None;
        };
        arena.block(block).1.iter().for_each(|child| child.reset(None, 0.0));
        assert!(arena.slot(owner).exchange_children(EXPANDING, block));
        Some(block)
    }

    /// All blocks of the tree, each with its end.
    fn blocks(arena: &Arena, owner: u32, found: &mut Vec<(u32, u32)>) {
        let Some((first, children)) = arena.children_of(owner) else { return };
        assert_eq!(arena.slot(first - 1).owner(), Some(owner));
        found.push((first - 1, first + children.len() as u32));
        for child in 0..children.len() as u32 {
            blocks(arena, first + child, found);
        }
    }

    #[test]
    fn a_full_arena_keeps_the_most_visited_and_no_block_overlaps() {
        let arena = Arena::new(64 << 10, 1).expect("64 KiB are available");
        let mut random = SplitMix64::new(5);
        for _ in 0..30_000 {
            // A descent by random, biased to the first child.
            let (mut at, mut path) = (ROOT, vec![ROOT]);
            arena.slot(ROOT).enter();
            while let Some((first, children)) = arena.children_of(at) {
                let last = random.below(children.len() as u64) as u32;
                at = first + if random.below(3) == 0 { last } else { last.min(1) };
                arena.slot(at).enter();
                path.push(at);
            }
            expand(&arena, at, 1 + random.below(40) as u32);
            for index in path {
                arena.slot(index).add(VISIT);
                arena.slot(index).leave();
            }
        }
        assert!(
            arena.evicted() > 1_000 && arena.permille() > 950,
            "{} {}",
            arena.evicted(),
            arena.permille()
        );
        let mut found = Vec::new();
        blocks(&arena, ROOT, &mut found);
        found.sort_unstable();
        assert!(found.windows(2).all(|pair| pair[0].1 <= pair[1].0), "blocks overlap");
        assert!(found.last().is_some_and(|&(_, end)| end as usize <= arena.slots.len()));
        assert!(found.len() > 20, "{}", found.len());
        assert_eq!(arena.slot(ROOT).visits(), 30_000);
    }

    #[test]
    fn an_arena_in_use_refuses_and_recovers() {
        let arena = Arena::new(32 << 10, 1).expect("32 KiB are available");
        let mut at = ROOT;
        let mut path = Vec::new();
        while let Some(block) = expand(&arena, at, 100) {
            arena.slot(at).enter();
            path.push(at);
            at = block + 1;
        }
        assert!(path.len() >= 9, "{}", path.len());
        path.iter().for_each(|&index| arena.slot(index).leave());
        assert!(expand(&arena, at, 100).is_some(), "blocks without visits are overwritten");
    }

    #[test]
    fn a_new_root_keeps_its_subtree() {
        let arena = Arena::new(32 << 10, 1).expect("32 KiB are available");
        let first = expand(&arena, ROOT, 3).expect("there is memory");
        let second = expand(&arena, first + 2, 2).expect("there is memory");
        let third = expand(&arena, second + 1, 4).expect("there is memory");
        arena.slot(second + 1).add(Visit { value: 0.5, draw: 0.25 });
        arena.set_root(second + 1);
        assert_eq!((arena.slot(ROOT).visits(), arena.slot(ROOT).mean()), (1, Some(0.5)));
        let mut found = Vec::new();
        blocks(&arena, ROOT, &mut found);
        assert_eq!(found, [(third, third + 5)]);
        arena.slot(ROOT).enter();
        let mut hand = Hand { keep: 1, ..Hand::starting_at(FIRST) };
        assert!(
            arena.evict(first, &mut hand) && arena.evict(second, &mut hand),
            "they belong to the tree no longer"
        );
        assert!(!arena.evict(third, &mut hand));
    }

    /// A block that was taken from its owner is used again when all descents have left the owner.
    #[test]
    fn a_block_is_kept_while_a_descent_may_be_in_it() {
        let arena = Arena::new(32 << 10, 1).expect("32 KiB are available");
        let block = expand(&arena, ROOT, 3).expect("there is memory");
        let mut hand = Hand { keep: 1, ..Hand::starting_at(FIRST) };
        arena.slot(ROOT).enter();
        assert!(!arena.evict(block, &mut hand));
        assert!(arena.slot(ROOT).exchange_children(block, NO_CHILDREN), "another thread has come between");
        assert!(!arena.evict(block, &mut hand));
        arena.slot(ROOT).leave();
        assert!(arena.evict(block, &mut hand));
    }
}
