//! Evaluation cache: WDL by position, so that a position reached by several orders of moves is evaluated once.
//!
//! The tree is a tree of paths, because repetitions and the fifty-move rule depend on the path; only evaluations are shared.
//! It knows keys and WDL, not where they come from.

use std::sync::atomic::{AtomicU64, Ordering};

use rukh_chess::Position;

use super::wdl::WinDrawLoss;
use crate::memory;

/// A cached evaluation. A torn entry is a miss.
#[derive(Debug, Default)]
struct Entry {
    check: AtomicU64,
    data: AtomicU64,
}

/// The evaluation cache: direct-mapped, always replaced, without locks.
#[derive(Debug)]
pub(super) struct EvaluationCache {
    entries: Vec<Entry>,
}

/// The halfmove clock damps evaluations; positions are shared within so many plies of it.
const CLOCK_STEP: u16 = 16;
/// Spreads the clock over the bits of the key.
const CLOCK_FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl EvaluationCache {
    /// A cache of `bytes`; `None` if the memory is not available.
    pub(super) fn new(bytes: usize, threads: usize) -> Option<Self> {
        let count = (bytes / size_of::<Entry>()).max(1);
        Some(Self { entries: memory::defaults(count, threads)? })
    }

    /// Removes all entries.
    pub(super) fn clear(&self) {
        for entry in &self.entries {
            entry.check.store(0, Ordering::Relaxed);
            entry.data.store(0, Ordering::Relaxed);
        }
    }

    fn key(position: &Position) -> u64 {
        position.key() ^ u64::from(position.halfmove_clock() / CLOCK_STEP).wrapping_mul(CLOCK_FACTOR)
    }

    fn entry(&self, key: u64) -> &Entry {
        let index = (u128::from(key) * self.entries.len() as u128) >> u64::BITS;
        &self.entries[index as usize]
    }

    /// The evaluation of a position.
    pub(super) fn probe(&self, position: &Position) -> Option<WinDrawLoss> {
        let key = Self::key(position);
        let entry = self.entry(key);
        let data = entry.data.load(Ordering::Relaxed);
        // No evaluation has all bits zero: one of the probabilities is above zero.
        let is_ours = entry.check.load(Ordering::Relaxed) ^ data == key && data != 0;
        is_ours.then(|| {
            let (win, loss) = (f32::from_bits(data as u32), f32::from_bits((data >> 32) as u32));
            WinDrawLoss { win, draw: (1.0 - win - loss).max(0.0), loss }
        })
    }

    /// Stores the evaluation of a position.
    pub(super) fn store(&self, position: &Position, wdl: WinDrawLoss) {
        let key = Self::key(position);
        let entry = self.entry(key);
        let data = u64::from(wdl.win.to_bits()) | u64::from(wdl.loss.to_bits()) << 32;
        entry.check.store(key ^ data, Ordering::Relaxed);
        entry.data.store(data, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluation_is_found_by_its_position() {
        let cache = EvaluationCache::new(1 << 12, 1).expect("4 KiB are available");
        let start = Position::default();
        let other = start.after(start.parse_uci("e2e4").expect("it is legal"));
        let wdl = WinDrawLoss { win: 0.5, draw: 0.25, loss: 0.25 };
        assert_eq!(cache.probe(&start), None);
        cache.store(&start, wdl);
        assert_eq!((cache.probe(&start), cache.probe(&other)), (Some(wdl), None));
        let late: Position =
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 60 40".parse().expect("it is valid");
        assert_eq!(cache.probe(&late), None, "the fifty-move rule is nearer");
        cache.clear();
        assert_eq!(cache.probe(&start), None);
    }
}
