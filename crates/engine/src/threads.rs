//! Threads: search threads with a large stack, and work shared among the threads that the system gives.
//!
//! A system may refuse a thread: a limit of the process, of the user or of a container. Work is then done by the threads
//! that were started. What the threads do is unknown here.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

/// The stack of a search thread: the search recurses once for each ply.
const STACK_BYTES: usize = 32 << 20;

/// Search threads per processor that an engine starts at most. More only wait for each other: 512 threads on one
/// processor answered `go movetime 200` after seconds.
pub const THREADS_PER_PROCESSOR: usize = 4;

/// The system gives no thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoThread {
    reason: String,
}

impl From<std::io::Error> for NoThread {
    fn from(error: std::io::Error) -> Self {
        Self { reason: error.to_string() }
    }
}

impl fmt::Display for NoThread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the system gives no thread to work with: {}", self.reason)
    }
}

impl std::error::Error for NoThread {}

impl From<NoThread> for std::io::Error {
    fn from(error: NoThread) -> Self {
        Self::other(error)
    }
}

impl From<NoThread> for String {
    fn from(error: NoThread) -> Self {
        error.to_string()
    }
}

/// The builder of a search thread.
pub(crate) fn search_thread() -> thread::Builder {
    thread::Builder::new().stack_size(STACK_BYTES)
}

/// The greatest number of search threads that this machine can use.
pub(crate) fn max_search_threads() -> usize {
    THREADS_PER_PROCESSOR * thread::available_parallelism().map_or(1, usize::from)
}

/// Spawns a scoped thread whose stack is large enough for a search.
pub fn spawn_search<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>, NoThread> {
    Ok(search_thread().spawn_scoped(scope, work)?)
}

/// Spawns `count` scoped threads with the same work, or as many as the system gives; an error without any. Their stacks are
/// large enough for a search.
pub fn spawn_workers<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    count: usize,
    work: impl FnOnce() -> T + Clone + Send + 'scope,
) -> Result<Vec<ScopedJoinHandle<'scope, T>>, NoThread> {
    start_up_to(count, || spawn_search(scope, work.clone()))
}

/// Starts `count` workers, at least one, or as many as possible; an error without any.
fn start_up_to<H>(count: usize, mut start: impl FnMut() -> Result<H, NoThread>) -> Result<Vec<H>, NoThread> {
    let mut started = vec![start()?];
    started.extend((1..count).map_while(|_| start().ok()));
    Ok(started)
}

/// The results of `work` on every part, in the order of the parts. Up to `threads` threads take part after part, the calling
/// thread among them; the results do not depend on their number.
pub fn share<P: Send, R: Send>(
    threads: usize,
    parts: impl Iterator<Item = P> + Send,
    work: impl Fn(P) -> R + Sync,
) -> Vec<R> {
    share_with(threads, parts, work, || true)
}

/// [`share`] for work that searches: the calling thread, whose stack may be small, does not take part. An error without any
/// thread.
pub fn share_searches<P: Send, R: Send>(
    threads: usize,
    parts: impl Iterator<Item = P> + Send,
    work: impl Fn(P) -> R + Sync + Send,
) -> Result<Vec<R>, NoThread> {
    thread::scope(|scope| {
        let first = spawn_search(scope, || share(threads, parts, work))?;
        Ok(first.join().expect("work that searches does not panic"))
    })
}

/// [`share`], where a thread is started only if `is_given` allows it.
fn share_with<P: Send, R: Send>(
    threads: usize,
    parts: impl Iterator<Item = P> + Send,
    work: impl Fn(P) -> R + Sync,
    mut is_given: impl FnMut() -> bool,
) -> Vec<R> {
    let parts = Mutex::new(parts.enumerate());
    let results = Mutex::new(Vec::new());
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    let take_parts = || {
        while let Some((index, part)) = next() {
            let result = work(part);
            results.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Without another thread the work takes longer, and the result is the same.
            if !is_given() || search_thread().spawn_scoped(scope, take_parts).is_err() {
                break;
            }
        }
        take_parts();
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused() -> NoThread {
        NoThread { reason: "there is a limit".to_owned() }
    }

    #[test]
    fn work_is_shared_whatever_the_system_gives() {
        for given in [0, 1, 2, 63] {
            let mut left = given;
            let is_given = || {
                left -= i32::from(left >= 0);
                left >= 0
            };
            let squares = share_with(64, 0..1_000_u32, |number| number * number, is_given);
            assert!(squares.into_iter().eq((0..1_000).map(|number| number * number)), "{given} threads");
        }
        assert_eq!(share(0, [1, 2].iter(), |number| number + 1), [2, 3]);
        assert_eq!(share(3, std::iter::empty::<u8>(), |number| number), []);
    }

    #[test]
    fn as_many_workers_start_as_the_system_gives() {
        for (given, wanted) in [(1, 5), (3, 5), (5, 5), (9, 5), (1, 0)] {
            let mut started = 0;
            let workers = start_up_to(wanted, || {
                started += 1;
                if started <= given { Ok(started) } else { Err(refused()) }
            });
            assert_eq!(workers.expect("one is given").len(), given.min(wanted.max(1)));
        }
        let none = start_up_to(5, || Err::<(), _>(refused()));
        assert_eq!(
            none.expect_err("none is given").to_string(),
            "the system gives no thread to work with: there is a limit"
        );
    }

    #[test]
    fn workers_run_on_threads_of_their_own() {
        let ids = thread::scope(|scope| {
            let workers =
                spawn_workers(scope, 3, || thread::current().id()).expect("three threads are given");
            workers.into_iter().map(|worker| worker.join().expect("it does not panic")).collect::<Vec<_>>()
        });
        assert!(ids.len() == 3 && !ids.contains(&thread::current().id()));
    }
}
