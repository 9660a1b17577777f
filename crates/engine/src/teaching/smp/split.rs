//! Split points: nodes whose moves several threads search, and what the threads of a search share.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Instant;

use rukh_chess::{Move, Position};
use rukh_eval::Score;

use crate::transposition::TranspositionTable;

/// The search has no time left, or its result is no longer needed.
pub(super) struct Stopped;

/// What the threads of a search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) end: Option<Instant>,
    pub(super) is_stopped: AtomicBool,
    /// Split points with moves that nobody has taken yet.
    pub(super) open: Mutex<Vec<Arc<SplitPoint>>>,
    /// Signals that a split point was opened, or the end.
    pub(super) news: Condvar,
    /// Threads that wait for a split point.
    pub(super) idle: AtomicUsize,
}

impl<'a> Shared<'a> {
    /// The state of a new search, which ends at `end` at the latest.
    pub(super) fn new(table: &'a TranspositionTable, end: Option<Instant>) -> Self {
        Self {
            table,
            end,
            is_stopped: AtomicBool::new(false),
            open: Mutex::new(Vec::new()),
            news: Condvar::new(),
            idle: AtomicUsize::new(0),
        }
    }

    pub(super) fn stop(&self) {
        let _open = self.open();
        self.is_stopped.store(true, Ordering::Relaxed);
        self.news.notify_all();
    }

    pub(super) fn open(&self) -> MutexGuard<'_, Vec<Arc<SplitPoint>>> {
        self.open.lock().expect("no thread panics")
    }
}

/// A node whose moves are searched by several threads.
pub(super) struct SplitPoint {
    pub(super) position: Position,
    pub(super) ply: usize,
    pub(super) depth: u32,
    pub(super) beta: Score,
    pub(super) moves: Vec<Move>,
    /// The next move that nobody has taken.
    pub(super) next: AtomicUsize,
    pub(super) best: Mutex<Best>,
    /// Threads that search moves of it.
    pub(super) workers: AtomicUsize,
    /// Set by a cut-off: what is still searched below is not needed.
    pub(super) is_cut: AtomicBool,
    /// The split point below which this one is.
    pub(super) parent: Option<Arc<SplitPoint>>,
}

/// The best so far in a node.
#[derive(Clone, Copy)]
pub(super) struct Best {
    pub(super) alpha: Score,
    pub(super) value: Score,
    pub(super) mv: Option<Move>,
}

impl Best {
    pub(super) fn add(&mut self, mv: Move, value: Score) {
        if value > self.value {
            (self.value, self.mv) = (value, Some(mv));
        }
        self.alpha = self.alpha.max(value);
    }
}

impl SplitPoint {
    /// Whether this split point or one above it has a cut-off.
    pub(super) fn is_over(&self) -> bool {
        self.is_cut.load(Ordering::Relaxed) || self.parent.as_ref().is_some_and(|parent| parent.is_over())
    }

    pub(super) fn has_moves(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.moves.len() && !self.is_over()
    }

    pub(super) fn best(&self) -> Best {
        *self.best.lock().expect("no thread panics")
    }
}
