//! Shared state of the threads of one search.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::signals::Signals;
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
    /// Stop, limit reached, ponder hit; searches inside this one share them.
    pub(crate) signals: Arc<Signals>,
    /// The node counter of each thread, updated from time to time.
    pub(crate) nodes: Box<[AtomicU64]>,
    /// Nodes granted to all threads under the node limit.
    pub(crate) granted_nodes: AtomicU64,
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
    /// Permille of the tree in use, where the search has one: it is reported in place of that of the transposition table.
    pub(crate) tree_hashfull: Option<AtomicU32>,
    /// The depth to which a tree search with leaf searches has searched its root.
    pub(crate) root_depth: AtomicI32,
}

impl SharedState {
    /// The state of a search on one thread, without a clock.
    pub(crate) fn single_threaded(table: Arc<TranspositionTable>, limits: Limits) -> Self {
        Self {
            table,
            signals: Arc::new(Signals::new(false)),
            nodes: Box::new([AtomicU64::new(0)]),
            granted_nodes: AtomicU64::new(0),
            start: Instant::now(),
            limits,
            plan: None,
            contempt: 0,
            probing: None,
            root_ranking: None,
            tablebase_hits: AtomicU64::new(0),
            handicap: None,
            tree_hashfull: None,
            root_depth: AtomicI32::new(0),
        }
    }

    /// The nodes of all threads, as far as they have been published.
    pub(crate) fn all_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }

    /// Grants a thread that has visited `nodes` nodes some more under the node limit: at most `most`, and 0 at the limit. Each
    /// thread gets a share of what is left, so that all end at about the same time; together they get no more than the limit.
    pub(crate) fn grant_nodes(&self, nodes: u64, most: u64) -> u64 {
        let Some(limit) = self.limits.nodes else { return most };
        let threads = self.nodes.len() as u64;
        if threads == 1 {
            return limit.saturating_sub(nodes).min(most);
        }
        let share = |granted: u64| (limit.saturating_sub(granted).div_ceil(2 * threads)).min(most);
        let grant = |granted: u64| Some(granted + share(granted));
        let granted = self.granted_nodes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, grant);
        share(granted.unwrap_or_default())
    }

    /// Whether the hard time limit has passed. While pondering the clock does not count.
    pub(crate) fn is_out_of_time(&self) -> bool {
        !self.signals.is_pondering() && self.plan.is_some_and(|plan| self.elapsed() >= plan.hard)
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
            hashfull: match &self.tree_hashfull {
                Some(hashfull) => hashfull.load(Ordering::Relaxed),
                None => self.table.hashfull(),
            },
            time: self.elapsed(),
        }
    }
}
