//! Thread pool (Lazy SMP): search threads that live between searches.
//!
//! All threads search the same position and share the transposition table. Thread 0 checks the limits, collects the
//! results of the others and reports the move. The search algorithm is unknown here.

mod status;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::api::Event;
use crate::search::{Job, ThreadResult, vote};
use crate::searchers::Searchers;
use crate::threads::{NoThread, max_search_threads, search_thread};
use status::{EndOfSearch, Status};

/// How often a finished search that must not report yet (`infinite`, pondering) checks whether it may.
const IDLE_POLL: Duration = Duration::from_millis(1);

enum Message {
    Search(Job, Role),
    Clear,
    SetSearchers(Searchers),
}

/// The role of a thread in a search.
enum Role {
    /// It sends its result to thread 0.
    Helper(Sender<Option<ThreadResult>>),
    /// It collects the results of the helpers and ends the search.
    Main(Receiver<Option<ThreadResult>>, Arc<Status>),
}

#[derive(Debug)]
struct Thread {
    messages: Option<Sender<Message>>,
    handle: Option<JoinHandle<()>>,
}

impl Drop for Thread {
    fn drop(&mut self) {
        drop(self.messages.take());
        if let Some(handle) = self.handle.take() {
            // A thread that panicked has printed its message already.
            let _ = handle.join();
        }
    }
}

/// The search threads of an engine.
#[derive(Debug)]
pub(crate) struct Pool {
    threads: Vec<Thread>,
    searchers: Searchers,
    pub(crate) status: Arc<Status>,
}

impl Pool {
    /// A pool with one thread.
    pub(crate) fn new(searchers: Searchers) -> Result<Self, NoThread> {
        let mut pool = Self { threads: Vec::new(), searchers, status: Arc::default() };
        let thread = pool.start_thread()?;
        pool.threads.push(thread);
        Ok(pool)
    }

    /// Sets the number of threads to `count` or, if that is less, to as many as the machine can use and the system gives.
    /// The first thread always stays.
    pub(crate) fn resize(&mut self, count: usize) {
        self.resize_with(count.min(max_search_threads()), Self::start_thread);
    }

    /// [`Self::resize`] to at most `count` threads, which `start` starts.
    fn resize_with(&mut self, count: usize, start: impl Fn(&Self) -> Result<Thread, NoThread>) {
        self.threads.truncate(count.max(1));
        while self.threads.len() < count {
            let Ok(thread) = start(self) else { break };
            self.threads.push(thread);
        }
    }

    /// Starts the thread that comes next.
    fn start_thread(&self) -> Result<Thread, NoThread> {
        let (sender, receiver) = channel();
        let (index, searchers) = (self.threads.len(), self.searchers.clone());
        let builder = search_thread().name(format!("search {index}"));
        let handle = builder.spawn(move || run_thread(&receiver, index, &searchers))?;
        Ok(Thread { messages: Some(sender), handle: Some(handle) })
    }

    /// The number of threads.
    pub(crate) fn len(&self) -> usize {
        self.threads.len()
    }

    /// The searchers of all threads.
    pub(crate) fn searchers(&self) -> &Searchers {
        &self.searchers
    }

    /// Sets the searchers of all threads.
    pub(crate) fn set_searchers(&mut self, searchers: Searchers) {
        for thread in &self.threads {
            thread.send(Message::SetSearchers(searchers.clone()));
        }
        self.searchers = searchers;
    }

    /// Replaces the transposition table; the searchers of the threads, which receive it with each job, stay.
    pub(crate) fn replace_table(&mut self, searchers: Searchers) {
        self.searchers = searchers;
    }

    /// Clears what every thread has learnt.
    pub(crate) fn clear(&self) {
        for thread in &self.threads {
            thread.send(Message::Clear);
        }
    }

    /// Starts a search on as many threads as `job` has node counters.
    pub(crate) fn search(&self, job: &Job) {
        self.status.set(true);
        self.searchers.prepare(job);
        let (sender, receiver) = channel();
        for thread in self.threads.iter().take(job.shared.nodes.len()).skip(1) {
            let silent = Job { listener: None, ..job.clone() };
            thread.send(Message::Search(silent, Role::Helper(sender.clone())));
        }
        drop(sender);
        if let Some(main) = self.threads.first() {
            main.send(Message::Search(job.clone(), Role::Main(receiver, self.status.clone())));
        }
    }
}

impl Thread {
    fn send(&self, message: Message) {
        if let Some(messages) = &self.messages {
            // A thread that has ended receives nothing; the others continue.
            let _ = messages.send(message);
        }
    }
}

/// The loop of a search thread. Its searcher keeps what it has learnt between searches.
fn run_thread(messages: &Receiver<Message>, index: usize, searchers: &Searchers) {
    let mut searcher = searchers.searcher();
    for message in messages {
        match message {
            Message::Clear => searcher.clear(),
            Message::SetSearchers(searchers) => searcher = searchers.searcher(),
            Message::Search(job, Role::Helper(sender)) => {
                // Thread 0 may have ended already.
                let _ = sender.send(searcher.search(&job, index));
            }
            Message::Search(job, Role::Main(others, status)) => {
                let _end = EndOfSearch(status);
                let own = searcher.search(&job, index);
                finish_search(&job, own.as_ref(), &others);
            }
        }
    }
}

/// Ends a search: waits while it may not report, stops the helpers, chooses among the results and reports the move.
fn finish_search(job: &Job, own: Option<&ThreadResult>, others: &Receiver<Option<ThreadResult>>) {
    let shared = &job.shared;
    while !shared.signals.may_report(job.request.limits.is_infinite) {
        thread::sleep(IDLE_POLL);
    }
    shared.signals.stop();
    let mut all = Vec::from_iter(own.cloned());
    all.extend(others.iter().flatten());
    let chosen = if job.multipv == 1 { vote(&all) } else { own };
    let Some(listener) = &job.listener else { return };
    let pv = chosen.map_or_else(Vec::new, |result| match result.is_reported {
        true => job.line(0, result).pv,
        false => job.report(0, result),
    });
    listener.on_event(Event::Done { best: pv.first().copied(), ponder: pv.get(1).copied() });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::searchers::Evaluators;

    /// A system with `limit` threads.
    fn limited(limit: usize) -> impl Fn(&Pool) -> Result<Thread, NoThread> {
        move |pool| match pool.len() < limit {
            true => pool.start_thread(),
            false => Err(std::io::Error::other("there is a limit").into()),
        }
    }

    fn pool() -> Pool {
        let searchers = Searchers::new(Default::default(), Evaluators::new(Default::default()), 1, 1);
        Pool::new(searchers.expect("a mebibyte is available")).expect("a thread is given")
    }

    #[test]
    fn a_pool_has_the_threads_that_the_system_gives() {
        let mut pool = pool();
        for (count, limit, expected) in [(4, 3, 3), (2, 9, 2), (0, 9, 1), (5, 0, 1), (3, 3, 3), (4, 1, 3)] {
            pool.resize_with(count, limited(limit));
            assert_eq!(pool.len(), expected, "{count} of {limit}");
        }
    }

    #[test]
    fn a_pool_has_no_more_threads_than_the_machine_can_use() {
        let mut pool = pool();
        pool.resize(100_000);
        assert_eq!(pool.len(), max_search_threads());
    }
}
