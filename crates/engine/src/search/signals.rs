//! Signals between the threads of a search and its owner: stop, limit reached, ponder hit.
//!
//! All are flags that change once. `models` compiles this file with the atomics of a model checker.

use crate::primitives::{AtomicBool, Ordering};

/// The signals of one search.
#[derive(Debug)]
pub(crate) struct Signals {
    /// Set to stop the search and report its move.
    is_stopped: AtomicBool,
    /// Set when a limit is reached: all threads end. The move is reported when it may be: not while pondering.
    is_finished: AtomicBool,
    /// While set, the clocks do not count.
    is_pondering: AtomicBool,
}

impl Signals {
    /// The signals of a search that starts.
    pub(crate) fn new(is_pondering: bool) -> Self {
        let flag = AtomicBool::new;
        Self { is_stopped: flag(false), is_finished: flag(false), is_pondering: flag(is_pondering) }
    }

    /// Stops the search: its threads end, and its move is reported at once.
    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// A limit is reached: the threads end.
    pub(crate) fn finish(&self) {
        self.is_finished.store(true, Ordering::Relaxed);
    }

    /// The ponder move was played: the clocks count.
    pub(crate) fn ponder_hit(&self) {
        self.is_pondering.store(false, Ordering::Relaxed);
    }

    /// Whether the clocks do not count.
    pub(crate) fn is_pondering(&self) -> bool {
        self.is_pondering.load(Ordering::Relaxed)
    }

    /// Whether the threads must end: the search was stopped, or a limit is reached.
    pub(crate) fn must_end(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed) || self.is_finished.load(Ordering::Relaxed)
    }

    /// Whether a search that has ended may report its move. Infinite analysis and pondering wait for [`Self::stop`], pondering
    /// also for [`Self::ponder_hit`].
    pub(crate) fn may_report(&self, is_infinite: bool) -> bool {
        self.is_stopped.load(Ordering::Relaxed) || !is_infinite && !self.is_pondering()
    }
}
