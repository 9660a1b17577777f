//! One search on one thread with any choice of techniques: the laboratory's way.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rukh_chess::Move;
use rukh_eval::{Classical, Score};

use crate::alphabeta::{Job, Shared, Worker, progress};
use crate::api::{OutOfMemory, Request};
use crate::pool::STACK_BYTES;
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

/// Searches with the techniques of `tools` and a fresh table of `mebibytes`.
pub fn search_alone(tools: impl Toolbox, request: Request, mebibytes: usize) -> Result<Finding, OutOfMemory> {
    let shared = Arc::new(Shared::alone(Arc::new(Table::new(mebibytes, 1)?), request.limits.clone()));
    let job = Job {
        shared: shared.clone(),
        request: Arc::new(request),
        multipv: 1,
        listener: None,
        patience: Job::PATIENCE,
    };
    let found = Mutex::new(None);
    thread::scope(|scope| {
        let work = || {
            let mut worker = Worker::new(shared.clone(), Classical::default(), tools);
            *found.lock().unwrap_or_else(PoisonError::into_inner) = worker.run(&job, 0);
        };
        let spawned = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        spawned.expect("the system has a thread to search with");
    });
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Finding {
        best: found.as_ref().and_then(|found| found.pv.first().copied()),
        score: found.as_ref().map(|found| found.score),
        nodes: progress(&shared).nodes,
    })
}
