//! The perft table: known counts, shared by threads without locks.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering};

use super::count::KnownCounts;
use crate::random::SplitMix64;

/// A hash table of perft counts by position and depth.
///
/// An entry has two words: the count with its depth, and the key XOR the first word. If a reader sees words of two
/// different writes, the key does not match. There is one entry for each slot; the newest replaces the old one.
#[derive(Debug)]
pub struct PerftTable {
    slots: Vec<[AtomicU64; 2]>,
}

/// The bits of a count; the other bits of its word are the depth.
const COUNT_BITS: u32 = 56;

impl PerftTable {
    /// A table of at most `mebibytes`; `None` if the memory is not available.
    pub fn new(mebibytes: usize) -> Option<Self> {
        let bytes = mebibytes.checked_mul(1 << 20)?;
        let count = bytes / size_of::<[AtomicU64; 2]>();
        let mut slots = Vec::new();
        slots.try_reserve_exact(count).ok()?;
        slots.resize_with(count, Default::default);
        (count > 0).then_some(Self { slots })
    }

    /// The key of a position at one depth: counts of different depths use different slots.
    const fn mixed(key: u64, depth: u32) -> u64 {
        key ^ SplitMix64::new(depth as u64).next()
    }

    fn slot(&self, key: u64) -> &[AtomicU64; 2] {
        let index = (u128::from(key) * self.slots.len() as u128) >> u64::BITS;
        &self.slots[index as usize]
    }
}

impl KnownCounts for PerftTable {
    fn probe(&self, key: u64, depth: u32) -> Option<u64> {
        let key = Self::mixed(key, depth);
        let [check, data] = self.slot(key).each_ref().map(|word| word.load(Ordering::Relaxed));
        let is_ours = check ^ data == key && data >> COUNT_BITS == u64::from(depth);
        is_ours.then_some(data & ((1 << COUNT_BITS) - 1))
    }

    /// A count too large for its bits is not stored.
    fn store(&self, key: u64, depth: u32, count: u64) {
        if count >> COUNT_BITS != 0 || depth > u32::from(u8::MAX) {
            return;
        }
        let key = Self::mixed(key, depth);
        let data = u64::from(depth) << COUNT_BITS | count;
        let [check, word] = self.slot(key);
        check.store(key ^ data, Ordering::Relaxed);
        word.store(data, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_different_depths_do_not_replace_each_other() {
        let table = PerftTable::new(1).expect("a mebibyte can be had");
        for (depth, count) in (1..).zip([20, 400, 8_902, 197_281]) {
            table.store(0x1234_5678_9ABC_DEF0, depth, count);
        }
        for (depth, count) in (1..).zip([20, 400, 8_902, 197_281]) {
            assert_eq!(table.probe(0x1234_5678_9ABC_DEF0, depth), Some(count));
        }
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF0, 5), None);
        assert_eq!(table.probe(1, 1), None);
    }

    #[test]
    fn a_count_too_large_for_its_bits_is_not_stored() {
        let table = PerftTable::new(1).expect("a mebibyte can be had");
        table.store(1, 9, u64::MAX);
        assert_eq!(table.probe(1, 9), None);
    }
}
