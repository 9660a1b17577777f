//! A slot of the transposition table: two relaxed atomic words, the data, and the key XOR the data (Hyatt's lockless
//! hashing).
//!
//! A reader that sees words of two different writes computes a wrong key, and the slot is a miss. The meaning of the data is
//! unknown here. `models` compiles this file with the atomics of a model checker.

use crate::primitives::{AtomicU64, Ordering};

/// A slot; empty slots have data 0.
#[derive(Debug, Default)]
pub(super) struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// The data, whatever their key.
    #[inline]
    pub(super) fn data(&self) -> u64 {
        self.data.load(Ordering::Relaxed)
    }

    // ANCHOR: read
    /// The data, if they were written for `key`.
    #[inline]
    pub(super) fn read(&self, key: u64) -> Option<u64> {
        let data = self.data();
        (self.check.load(Ordering::Relaxed) ^ data == key).then_some(data)
    }
    // ANCHOR_END: read

    /// Writes the data of `key`.
    #[inline]
    pub(super) fn write(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
    }

    /// Empties the slot.
    #[inline]
    pub(super) fn clear(&self) {
        self.check.store(0, Ordering::Relaxed);
        self.data.store(0, Ordering::Relaxed);
    }
}
