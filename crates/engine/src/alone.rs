//! A search on one thread with any choice of techniques: the laboratory's way.

use std::sync::Arc;
use std::thread;

use rukh_chess::Move;
use rukh_eval::{Evaluation, Judge, Score};

use crate::alphabeta::{Job, Shared, Worker, progress};
use crate::api::{Limits, OutOfMemory, Request};
use crate::pool::spawn_search;
use crate::table::Table;
use crate::technique::Toolbox;

/// What such a search found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Finding {
    /// The best move.
    pub best: Option<Move>,
    /// Its score.
    pub score: Option<Score>,
    /// Positions visited.
    pub nodes: u64,
}

/// A searcher without threads of its own. What it learns stays until it is told to forget; the same searches in the same
/// order find the same.
pub struct Solo<T> {
    worker: Worker<Judge, T>,
    table: Arc<Table>,
}

impl<T: Toolbox> Solo<T> {
    /// A searcher with the techniques of `tools`, an evaluation, and a table of `mebibytes`.
    pub fn new(tools: T, evaluation: &Evaluation, mebibytes: usize) -> Result<Self, OutOfMemory> {
        let table = Arc::new(Table::new(mebibytes, 1)?);
        let shared = Arc::new(Shared::alone(table.clone(), Limits::default()));
        Ok(Self { worker: Worker::new(shared, Judge::new(evaluation), tools), table })
    }

    /// Forgets everything learnt from earlier searches.
    pub fn clear(&mut self) {
        self.table.clear(1);
        self.worker.clear();
    }

    /// Searches on the calling thread, which [`spawn_search`] gave: searches recurse deeply. Clocks do not count.
    pub fn search(&mut self, request: Request) -> Finding {
        self.table.grow_older();
        let shared = Arc::new(Shared::alone(self.table.clone(), request.limits.clone()));
        let found = self.worker.run(&Job::silent(shared.clone(), request), 0);
        Finding {
            best: found.as_ref().and_then(|found| found.pv.first().copied()),
            score: found.as_ref().map(|found| found.score),
            nodes: progress(&shared).nodes,
        }
    }
}

/// Searches once with the techniques of `tools`, an evaluation, and a fresh table of `mebibytes`.
pub fn search_alone(
    tools: impl Toolbox,
    evaluation: &Evaluation,
    request: Request,
    mebibytes: usize,
) -> Result<Finding, OutOfMemory> {
    thread::scope(|scope| {
        let work = || Ok(Solo::new(tools, evaluation, mebibytes)?.search(request));
        spawn_search(scope, work).join().expect("a search does not panic")
    })
}
