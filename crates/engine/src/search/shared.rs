//! Shared state of the threads of one search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::api::{Limits, Progress};
use crate::clock::TimePlan;
use crate::strength::Handicap;
use crate::tablebase::{Probing, RootRanking};
use crate::transposition::TranspositionTable;

/// The state shared by all threads of one search.
#[derive(Debug)]
pub(crate) struct SharedState {
    /// The transposition table.
    pub(crate) table: Arc<TranspositionTable>,
    /// Set to stop the search.
    pub(crate) is_stopped: AtomicBool,
    /// While set, the clocks do not count.
    pub(crate) is_pondering: AtomicBool,
    /// The node counter of each thread, updated from time to time.
    pub(crate) nodes: Box<[AtomicU64]>,
    /// The start of the search.
    pub(crate) start: Instant,
    /// The limits of the request.
    pub(crate) limits: Limits,
    /// The time limits.
    pub(crate) plan: Option<TimePlan>,
    /// Internal units by which a draw is worse than equal for the side to move at the root.
    pub(crate) contempt: i32,
    /// Tablebases to probe inside the search.
    pub(crate) probing: Option<Probing>,
    /// The ranking of the root moves by the tablebases, if they contain the root.
    pub(crate) root_ranking: Option<RootRanking>,
    /// Successful tablebase probes.
    pub(crate) tablebase_hits: AtomicU64,
    /// The errors of limited strength.
    pub(crate) handicap: Option<Handicap>,
}

impl SharedState {
    /// The state of a search on one thread, without a clock.
    pub(crate) fn single_threaded(table: Arc<TranspositionTable>, limits: Limits) -> Self {
        Self {
            table,
            is_stopped: AtomicBool::new(false),
            is_pondering: AtomicBool::new(false),
            nodes: Box::new([AtomicU64::new(0)]),
            start: Instant::now(),
            limits,
            plan: None,
            contempt: 0,
            probing: None,
            root_ranking: None,
            tablebase_hits: AtomicU64::new(0),
            handicap: None,
        }
    }

    /// The nodes of all threads, as far as they have been published.
    pub(crate) fn all_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }

    /// The time since the start of the search.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The progress of all threads together.
    pub(crate) fn progress(&self) -> Progress {
        Progress {
            nodes: self.all_nodes(),
            tablebase_hits: self.tablebase_hits.load(Ordering::Relaxed),
            hashfull: self.table.hashfull(),
            time: self.elapsed(),
        }
    }
}
