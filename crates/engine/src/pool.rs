//! Thread pool (Lazy SMP): search threads that live between searches.
//!
//! All threads search the same position and share the transposition table. Thread 0 checks the limits, collects the
//! results of the others and reports the move. The search algorithm is unknown here.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle, Scope, ScopedJoinHandle};
use std::time::Duration;

use crate::api::Event;
use crate::search::{Job, ThreadResult, vote};
use crate::searchers::Searchers;

/// The stack of a search thread: the search recurses once for each ply.
const STACK_BYTES: usize = 32 << 20;
/// How often a finished search that must not report yet (`infinite`, pondering) checks whether it may.
const IDLE_POLL: Duration = Duration::from_millis(1);

/// Spawns a scoped thread whose stack is large enough for a search.
pub fn spawn_search<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> ScopedJoinHandle<'scope, T> {
    let spawned = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
    spawned.expect("the system has a thread to search with")
}

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

/// Whether a search is running.
#[derive(Debug, Default)]
pub(crate) struct Status {
    is_searching: Mutex<bool>,
    changed: Condvar,
}

impl Status {
    fn set(&self, is_searching: bool) {
        *self.is_searching.lock().unwrap_or_else(PoisonError::into_inner) = is_searching;
        self.changed.notify_all();
    }

    pub(crate) fn is_searching(&self) -> bool {
        *self.is_searching.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no search is running.
    pub(crate) fn wait(&self) {
        let mut is_searching = self.is_searching.lock().unwrap_or_else(PoisonError::into_inner);
        while *is_searching {
            is_searching = self.changed.wait(is_searching).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Marks the search as ended when it is dropped, even if its thread panics.
struct EndOfSearch(Arc<Status>);

impl Drop for EndOfSearch {
    fn drop(&mut self) {
        self.0.set(false);
    }
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
    /// A pool without threads.
    pub(crate) fn new(searchers: Searchers) -> Self {
        Self { threads: Vec::new(), searchers, status: Arc::default() }
    }

    /// Sets the number of threads to `count`, or to as many as the system gives; at least one.
    pub(crate) fn resize(&mut self, count: usize) {
        self.threads.truncate(count.max(1));
        while self.threads.len() < count.max(1) {
            let (sender, receiver) = channel();
            let (index, searchers) = (self.threads.len(), self.searchers.clone());
            let builder = thread::Builder::new().name(format!("search {index}")).stack_size(STACK_BYTES);
            match builder.spawn(move || run_thread(&receiver, index, &searchers)) {
                Ok(handle) => self.threads.push(Thread { messages: Some(sender), handle: Some(handle) }),
                Err(_) if index > 0 => break,
                Err(error) => panic!("the system gives no thread to search with: {error}"),
            }
        }
    }

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
    let must_wait = || job.request.limits.is_infinite || shared.is_pondering.load(Ordering::Relaxed);
    while must_wait() && !shared.is_stopped.load(Ordering::Relaxed) {
        thread::sleep(IDLE_POLL);
    }
    shared.is_stopped.store(true, Ordering::Relaxed);
    let mut all = Vec::from_iter(own.cloned());
    all.extend(others.iter().flatten());
    let chosen = if job.multipv == 1 { vote(&all) } else { own };
    let Some(listener) = &job.listener else { return };
    let pv = chosen.map_or_else(Vec::new, |result| match result.is_reported {
        true => result.pv.clone(),
        false => job.report(0, result),
    });
    listener.on_event(Event::Done { best: pv.first().copied(), ponder: pv.get(1).copied() });
}
