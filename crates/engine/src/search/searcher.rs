//! Trait [`Searcher`]: the interface between the thread pool and a search algorithm.

use super::job::Job;
use super::result::ThreadResult;

/// A search algorithm as one thread runs it. What it learns from a search (histories, a tree) stays until it is cleared.
pub(crate) trait Searcher: Send {
    /// Searches the position of `job` as thread number `index` until a limit is reached or the job is stopped; `None` if
    /// there is no legal move. Thread 0 checks the limits and reports to the listener of the job.
    fn search(&mut self, job: &Job, index: usize) -> Option<ThreadResult>;

    /// Clears everything learnt from earlier searches and everything computed from tunables.
    fn clear(&mut self);
}
