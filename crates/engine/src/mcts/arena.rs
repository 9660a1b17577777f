//! Tree memory: a circular arena of blocks. When it is full, blocks that matter little are overwritten.
//!
//! A block is a header and the children of one node. Blocks lie one after the other. A hand moves around the arena: a new
//! block is written where it stands, over free memory, over blocks that no longer belong to the tree, and over blocks
//! whose owner has few visits; blocks with more visits are skipped. So memory is bounded, all of it is used, and no
//! search ever stops to collect garbage. An owner whose block was overwritten keeps its statistics and is expanded again
//! when it is visited. It knows nothing of chess.

use std::sync::{Mutex, PoisonError};

use super::slot::{EXPANDING, NO_CHILDREN, Slot};
use crate::memory;

/// The slot of the root.
pub(super) const ROOT: u32 = 0;
/// The first slot of the first block; slot 1 is unused, because its index means that a node is being expanded.
const FIRST: u32 = 2;
/// A block is kept if its owner has at least this many visits; the least value of the threshold.
const LEAST_KEPT: u32 = 2;
/// The threshold doubles when the hand has skipped the arena divided by this.
const SKIPPED_PART: u32 = 8;
/// Laps of the hand after which an allocation fails: everything is in use by descents.
const LAPS: u32 = 40;

/// The memory of the tree.
#[derive(Debug)]
pub(super) struct Arena {
    slots: Vec<Slot>,
    hand: Mutex<Hand>,
}

/// The state of the allocator.
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

impl Arena {
    /// An arena of `bytes`, initialised by `threads` threads; `None` if the memory is not available.
    pub(super) fn new(bytes: usize, threads: usize) -> Option<Self> {
        let count = (bytes / size_of::<Slot>()).clamp(1 << 10, u32::MAX as usize - 1);
        let arena = Self { slots: memory::defaults(count, threads)?, hand: Mutex::new(Hand::EMPTY) };
        arena.clear();
        Some(arena)
    }

    /// Removes all blocks. No thread may be searching.
    pub(super) fn clear(&self) {
        *self.lock() = Hand::EMPTY;
        self.slots[ROOT as usize].reset(None, 1.0);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Hand> {
        self.hand.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Permille of the memory in use.
    pub(super) fn permille(&self) -> u32 {
        let used = u64::from(self.lock().frontier - FIRST);
        (used * 1000 / (self.slots.len() as u64 - u64::from(FIRST))) as u32
    }

    /// Blocks that were overwritten while they belonged to the tree.
    #[cfg(test)]
    pub(super) fn evicted(&self) -> u64 {
        self.lock().evicted
    }

    /// A block for `count` children of `owner`, whose children are [`EXPANDING`]. The children must be written before the
    /// block is published. `None` if all memory is in use by descents.
    pub(super) fn allocate(&self, owner: u32, count: u32) -> Option<u32> {
        let len = self.slots.len() as u32;
        let need = count + 1;
        if need > len - FIRST {
            return None;
        }
        let mut hand = self.lock();
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
                    hand.at = FIRST;
                    return None;
                }
                (start, end) = (FIRST, FIRST);
                continue;
            }
            if end >= hand.frontier {
                // Never used: as much as is needed, or the rest.
                end = (start + need).min(len).max(end);
                hand.frontier = hand.frontier.max(end);
                continue;
            }
            let size = self.slot(end).block_len() + 1;
            if self.evict(end, &mut hand) {
                end += size;
                continue;
            }
            self.free(start, end);
            end += size;
            start = end;
            skipped += size;
            if skipped > len / SKIPPED_PART {
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
    /// counted: one of the two sides always sees the other.
    fn evict(&self, block: u32, hand: &mut Hand) -> bool {
        let Some(owner) = self.slot(block).owner() else { return true };
        let owner = self.slot(owner);
        match owner.children() {
            // The owner may be waiting for this very block.
            EXPANDING => return false,
            children if children != block => return true,
            _ => {}
        }
        if owner.visits() >= hand.keep
            || owner.in_flight() > 0
            || !owner.exchange_children(block, NO_CHILDREN)
        {
            return false;
        }
        if owner.in_flight() > 0 {
            // A descent has come between. If it has begun to expand the owner again, the block is free after all.
            return !owner.exchange_children(NO_CHILDREN, block);
        }
        hand.evicted += 1;
        true
    }

    /// Makes the slot `new_root`, which lies in the tree, the root. No thread may be searching. The blocks outside its
    /// subtree no longer belong to the tree.
    pub(super) fn set_root(&self, new_root: u32) {
        let root = self.slot(ROOT);
        root.copy(self.slot(new_root));
        if let Some((first, _)) = self.children_of(ROOT) {
            let header = self.slot(first - 1);
            header.make_header(Some(ROOT), header.block_len());
        }
    }
}

impl Hand {
    const EMPTY: Self = Self { at: FIRST, frontier: FIRST, keep: LEAST_KEPT, evicted: 0 };
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
    }
}
