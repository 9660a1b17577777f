//! Two ways to search with several threads, around one and the same search: young brothers wait and Lazy SMP.
//!
//! The search is principal variation search with a shared transposition table and quiescence, without pruning and reductions. The
//! table answers for equal depths alone, so that the value of a search does not depend on its threads, which the tests check.
//! The engine itself has a search of its own and uses Lazy SMP.

mod split;
mod thread;

use std::time::{Duration, Instant};

use rukh_chess::Position;

use self::split::Shared;
use self::thread::Thread;
use crate::api::OutOfMemory;
use crate::transposition::TranspositionTable;

pub use self::thread::Found;

/// How threads share the work of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheme {
    /// All threads search one tree: when the first move of a node has been searched, idle threads help with the others.
    YoungBrothersWait,
    /// Each thread searches the whole tree; they share the transposition table. After the first move of a node each begins with
    /// another one: in the same order they would do the same work at the same time, for the table answers for equal depths alone.
    LazySmp,
}

/// A player that searches with several threads.
#[derive(Debug)]
pub struct ParallelSearch {
    scheme: Scheme,
    threads: usize,
    table: TranspositionTable,
}

impl ParallelSearch {
    /// A search with an empty table of `mebibytes`.
    pub fn new(scheme: Scheme, threads: usize, mebibytes: usize) -> Result<Self, OutOfMemory> {
        Ok(Self { scheme, threads: threads.max(1), table: TranspositionTable::new(mebibytes, 1)? })
    }

    /// Empties the table.
    pub fn clear(&self) {
        self.table.clear(1);
    }

    /// Searches by iterative deepening to a depth, or for a time.
    pub fn search(&self, position: &Position, depth: u32, time: Option<Duration>) -> Found {
        self.table.new_search();
        let shared = Shared::new(&self.table, time.map(|time| Instant::now() + time));
        std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..self.threads)
                .map(|at| {
                    let start = match self.scheme {
                        Scheme::YoungBrothersWait => 0.0,
                        Scheme::LazySmp => at as f64 / self.threads as f64,
                    };
                    let shared = &shared;
                    scope.spawn(move || {
                        let mut thread = Thread::beginning_at(shared, start);
                        match self.scheme {
                            Scheme::YoungBrothersWait => thread.serve(),
                            Scheme::LazySmp => drop(thread.deepen(position, u32::MAX)),
                        }
                        thread.nodes()
                    })
                })
                .collect();
            let mut first = Thread::new(&shared);
            let mut found = first.deepen(position, depth);
            shared.stop();
            let others: u64 =
                helpers.into_iter().map(|helper| helper.join().expect("no thread panics")).sum();
            found.nodes = first.nodes() + others;
            found
        })
    }
}

#[cfg(test)]
mod tests;
