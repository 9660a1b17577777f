//! A table of counts, shared by threads without locks.

use std::sync::atomic::{AtomicU64, Ordering};

/// Remembers how many lines of a depth a position has.
///
/// An entry is two words: the count with its depth, and the key XOR the first word. A reader that sees the words of
/// two writers sees a key that does not fit. One entry for each slot, the newest wins.
#[derive(Debug)]
pub struct PerftTable {
    slots: Vec<[AtomicU64; 2]>,
}

/// Counts share their word with the depth and have these bits.
const COUNT_BITS: u32 = 56;

impl PerftTable {
    /// A table of at most `mebibytes`, if the system has that much memory to give.
    pub fn new(mebibytes: usize) -> Option<Self> {
        let bytes = mebibytes.checked_mul(1 << 20)?;
        let count = bytes / size_of::<[AtomicU64; 2]>();
        let mut slots = Vec::new();
        slots.try_reserve_exact(count).ok()?;
        slots.resize_with(count, Default::default);
        (count > 0).then_some(Self { slots })
    }

    fn slot(&self, key: u64) -> &[AtomicU64; 2] {
        let index = (u128::from(key) * self.slots.len() as u128) >> u64::BITS;
        &self.slots[index as usize]
    }

    /// The count for a position and depth, if it is remembered.
    pub(super) fn get(&self, key: u64, depth: u32) -> Option<u64> {
        let [check, data] = self.slot(key).each_ref().map(|word| word.load(Ordering::Relaxed));
        let is_ours = check ^ data == key && data >> COUNT_BITS == u64::from(depth);
        is_ours.then_some(data & ((1 << COUNT_BITS) - 1))
    }

    /// Remembers a count; one too large for its bits is not kept.
    pub(super) fn put(&self, key: u64, depth: u32, count: u64) {
        if count >> COUNT_BITS != 0 || depth > u32::from(u8::MAX) {
            return;
        }
        let data = u64::from(depth) << COUNT_BITS | count;
        let [check, word] = self.slot(key);
        check.store(key ^ data, Ordering::Relaxed);
        word.store(data, Ordering::Relaxed);
    }
}
