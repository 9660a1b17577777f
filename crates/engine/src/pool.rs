//! The threads of an engine, kept between searches.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle, Scope, ScopedJoinHandle};
use std::time::Duration;

use rukh_eval::{AnyEvaluator, Evaluation, Score};

use crate::alphabeta::{Job, ThreadResult, Worker};
use crate::api::Event;
use crate::technique::{DefaultTechniques, TechniqueOverrides};

/// The search recurses once for each ply, and plies are many.
const STACK_BYTES: usize = 32 << 20;
/// How often a search that has nothing left to do looks whether it may end.
const IDLE_POLL: Duration = Duration::from_millis(1);

/// A thread with room enough for a search.
pub fn spawn_search<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> ScopedJoinHandle<'scope, T> {
    let spawned = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
    spawned.expect("the system has a thread to search with")
}

enum Message {
    /// Search, and send what was found; the first thread has the receiver of all others.
    Search(Job, Report),
    Clear,
    /// AnyEvaluator positions by this from now on.
    JudgeBy(Evaluation),
}

enum Report {
    Helper(Sender<Option<ThreadResult>>),
    Leader(Receiver<Option<ThreadResult>>, Arc<Status>),
}

/// Whether a search is under way.
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

    /// Waits until no search is under way.
    pub(crate) fn wait(&self) {
        let mut is_searching = self.is_searching.lock().unwrap_or_else(PoisonError::into_inner);
        while *is_searching {
            is_searching = self.changed.wait(is_searching).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Ends the search in the eyes of everyone, however its thread ends.
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
            // A thread that has panicked has said so already.
            let _ = handle.join();
        }
    }
}

/// Threads that wait for searches.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    threads: Vec<Thread>,
    evaluation: Evaluation,
    pub(crate) status: Arc<Status>,
}

impl Pool {
    /// Makes the pool `count` threads large, or as large as the system allows, at least one.
    pub(crate) fn resize(&mut self, count: usize) {
        self.threads.truncate(count.max(1));
        while self.threads.len() < count.max(1) {
            let (sender, receiver) = channel();
            let (index, evaluation) = (self.threads.len(), self.evaluation.clone());
            let builder = thread::Builder::new().name(format!("search {index}")).stack_size(STACK_BYTES);
            match builder.spawn(move || serve(&receiver, index, &evaluation)) {
                Ok(handle) => self.threads.push(Thread { messages: Some(sender), handle: Some(handle) }),
                Err(_) if index > 0 => break,
                Err(error) => panic!("the system gives no thread to search with: {error}"),
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.threads.len()
    }

    /// What positions are judged by.
    pub(crate) fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Lets every thread judge positions by something else.
    pub(crate) fn judge_by(&mut self, evaluation: Evaluation) {
        for thread in &self.threads {
            thread.send(Message::JudgeBy(evaluation.clone()));
        }
        self.evaluation = evaluation;
    }

    /// Lets every thread forget what it has learnt.
    pub(crate) fn clear(&self) {
        for thread in &self.threads {
            thread.send(Message::Clear);
        }
    }

    /// Begins a search on as many threads as it counts the nodes of.
    pub(crate) fn search(&self, job: &Job) {
        self.status.set(true);
        let (sender, receiver) = channel();
        for thread in self.threads.iter().take(job.shared.nodes.len()).skip(1) {
            let silent = Job { listener: None, ..job.clone() };
            thread.send(Message::Search(silent, Report::Helper(sender.clone())));
        }
        drop(sender);
        if let Some(leader) = self.threads.first() {
            leader.send(Message::Search(job.clone(), Report::Leader(receiver, self.status.clone())));
        }
    }
}

impl Thread {
    fn send(&self, message: Message) {
        if let Some(messages) = &self.messages {
            // A thread that has ended takes no more work; the others go on.
            let _ = messages.send(message);
        }
    }
}

/// The life of a thread. What it has learnt stays with it.
fn serve(messages: &Receiver<Message>, index: usize, evaluation: &Evaluation) {
    let mut searcher = ThreadSearcher::new(evaluation);
    for message in messages {
        match message {
            Message::Clear => searcher.clear(),
            Message::JudgeBy(evaluation) => searcher = ThreadSearcher::new(&evaluation),
            Message::Search(job, Report::Helper(sender)) => {
                // The leader may have ended already.
                let _ = sender.send(searcher.run(&job, index));
            }
            Message::Search(job, Report::Leader(others, status)) => {
                let _end = EndOfSearch(status);
                let own = searcher.run(&job, index);
                finish_search(&job, own.as_ref(), &others);
            }
        }
    }
}

/// The search of a thread: compiled for play, and once more for any choice of techniques.
struct ThreadSearcher {
    evaluation: Evaluation,
    /// Made before the first search is timed.
    judge: Option<AnyEvaluator>,
    in_play: Option<Worker<AnyEvaluator, DefaultTechniques>>,
    switched: Option<Worker<AnyEvaluator, TechniqueOverrides>>,
}

impl ThreadSearcher {
    fn new(evaluation: &Evaluation) -> Self {
        let judge = Some(AnyEvaluator::new(evaluation));
        Self { evaluation: evaluation.clone(), judge, in_play: None, switched: None }
    }

    fn clear(&mut self) {
        self.in_play.iter_mut().for_each(Worker::clear);
        self.switched.iter_mut().for_each(Worker::clear);
    }

    fn run(&mut self, job: &Job, index: usize) -> Option<ThreadResult> {
        let mut judge = || self.judge.take().unwrap_or_else(|| AnyEvaluator::new(&self.evaluation));
        let shared = || job.shared.clone();
        if job.switched.is_none() {
            let worker =
                self.in_play.get_or_insert_with(|| Worker::new(shared(), judge(), DefaultTechniques));
            return worker.run(job, index);
        }
        let worker = self.switched.get_or_insert_with(|| Worker::new(shared(), judge(), job.switched));
        worker.set_techniques(job.switched);
        worker.run(job, index)
    }
}

/// Ends the search: waits if it must, lets the threads vote, and tells the move.
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
    let pv = chosen.map_or_else(Vec::new, |found| match found.is_reported {
        true => found.pv.clone(),
        false => job.tell(0, found),
    });
    listener.on_event(Event::Done { best: pv.first().copied(), ponder: pv.get(1).copied() });
}

/// The threads vote for moves, deeper and more hopeful ones with more weight; a proven win needs no vote.
fn vote(all: &[ThreadResult]) -> Option<&ThreadResult> {
    /// A vote counts even for the thread with the lowest score.
    const BASE_WEIGHT: i64 = 14;
    let proven = all.iter().filter(|found| found.score.is_win()).max_by_key(|found| found.score);
    if proven.is_some() {
        return proven;
    }
    let lowest = all.iter().map(|found| found.score).min().unwrap_or(Score::DRAW);
    let mut votes = HashMap::new();
    for found in all {
        let weight = (i64::from(found.score - lowest) + BASE_WEIGHT) * i64::from(found.depth);
        *votes.entry(found.pv.first()).or_insert(0) += weight;
    }
    // Of the threads that agree with the winner, the deepest speaks; the first of equals.
    all.iter().rev().max_by_key(|found| (votes[&found.pv.first()], found.depth, found.pv.len() > 1))
}
