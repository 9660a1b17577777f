//! Concurrency models: the slot of the transposition table, the signals of a search and the status of the pool, compiled with
//! the atomics and locks of loom, which runs every interleaving of their threads.

#![cfg(test)]

use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use loom::thread;

/// What the files use, from the model checker.
mod primitives {
    pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    pub(crate) use loom::sync::{Arc, Condvar, Mutex};
    pub(crate) use std::sync::PoisonError;
}

#[path = "../../crates/engine/src/search/signals.rs"]
mod signals;
#[path = "../../crates/engine/src/transposition/slot.rs"]
mod slot;
#[allow(dead_code, reason = "the models use a part of it")]
#[path = "../../crates/engine/src/pool/status.rs"]
mod status;

use signals::Signals;
use slot::Slot;
use status::{EndOfSearch, Status};

/// Two threads write entries of two keys while a third reads: it sees what was written for the key, or nothing.
#[test]
fn a_reader_sees_a_whole_entry_or_none() {
    loom::model(|| {
        let slot = Arc::new(Slot::default());
        slot.write(1, 0x10);
        let writers = [(1, 0x11), (2, 0x20)].map(|(key, data)| {
            let slot = slot.clone();
            thread::spawn(move || slot.write(key, data))
        });
        assert!(matches!(slot.read(1), None | Some(0x10 | 0x11)));
        writers.into_iter().for_each(|writer| writer.join().expect("a writer does not panic"));
        assert!(matches!(slot.read(1), None | Some(0x10 | 0x11)), "at the end");
        assert!(matches!(slot.read(2), None | Some(0x20)), "at the end");
    });
}

/// A slot that is cleared while it is written holds a whole entry or none.
#[test]
fn clearing_leaves_no_foreign_entry() {
    loom::model(|| {
        let slot = Arc::new(Slot::default());
        let writer = {
            let slot = slot.clone();
            thread::spawn(move || slot.write(5, 0x50))
        };
        slot.clear();
        assert!(matches!(slot.read(5), None | Some(0x50)));
        assert!(matches!(slot.read(0), None | Some(0)), "the key 0 has no data");
        writer.join().expect("a writer does not panic");
    });
}

/// A pondering search that has reached its limit waits for the ponder hit or the stop, whichever comes first, and ends.
#[test]
fn a_pondering_search_ends_after_the_hit_or_the_stop() {
    loom::model(|| {
        let signals = Arc::new(Signals::new(true));
        let is_released = Arc::new(AtomicBool::new(false));
        assert!(!signals.may_report(false) && !signals.must_end());
        let owner = {
            let (signals, is_released) = (signals.clone(), is_released.clone());
            thread::spawn(move || {
                is_released.store(true, Ordering::SeqCst);
                signals.ponder_hit();
                signals.stop();
            })
        };
        signals.finish();
        assert!(signals.must_end());
        while !signals.may_report(false) {
            thread::yield_now();
        }
        owner.join().expect("the owner does not panic");
        assert!(is_released.load(Ordering::SeqCst));
        assert!(!signals.is_pondering() && signals.may_report(true));
    });
}

/// Infinite analysis reports its move only after the stop, although its limit is reached and it is not pondering.
#[test]
fn infinite_analysis_ends_only_by_a_stop() {
    loom::model(|| {
        let signals = Arc::new(Signals::new(false));
        let limit = {
            let signals = signals.clone();
            thread::spawn(move || {
                signals.ponder_hit();
                signals.finish();
            })
        };
        assert!(!signals.may_report(true));
        limit.join().expect("a searcher does not panic");
        assert!(!signals.may_report(true) && signals.must_end());
        signals.stop();
        assert!(signals.may_report(true));
    });
}

/// Whoever waits for the end of a search sees everything that the search did before it, its report among it.
#[test]
fn the_end_of_a_search_comes_after_its_report() {
    loom::model(|| {
        let status = Arc::new(Status::default());
        let reported = Arc::new(AtomicU64::new(0));
        status.set(true);
        let searcher = {
            let (status, reported) = (status.clone(), reported.clone());
            thread::spawn(move || {
                let _end = EndOfSearch(status);
                reported.store(1, Ordering::Relaxed);
            })
        };
        let other = {
            let (status, reported) = (status.clone(), reported.clone());
            thread::spawn(move || {
                status.wait();
                assert_eq!(reported.load(Ordering::Relaxed), 1);
            })
        };
        status.wait();
        assert_eq!(reported.load(Ordering::Relaxed), 1);
        assert!(!status.is_searching());
        searcher.join().expect("the searcher does not panic");
        other.join().expect("a waiter does not panic");
    });
}
