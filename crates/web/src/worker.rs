//! Worker: the thread of a session that owns its engine and runs one task after the other. It knows no task by itself.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rukh_engine::search_tree::StopHandle;
use serde_json::Value;

use crate::config::Config;
use crate::engine_slot::{EngineSlot, Failure};
use crate::lock::lock;

/// An engine without a task is freed after this time.
const IDLE: Duration = Duration::from_secs(300);

/// What a task is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TaskKind {
    Analysis,
    Review,
    Recording,
    Measurement,
}

impl TaskKind {
    /// Whether other work must wait for its end.
    pub(crate) const fn is_exclusive(self) -> bool {
        !matches!(self, Self::Analysis)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Analysis => "an analysis",
            Self::Review => "a review",
            Self::Recording => "the recording of a search",
            Self::Measurement => "the measurement of a search",
        }
    }
}

/// Whether a task must end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cancel(Arc<StopHandle>);

impl Cancel {
    pub(crate) fn is_set(&self) -> bool {
        self.0.is_stopped()
    }

    /// What stops a recorded search when the task is cancelled.
    pub(crate) fn stop_handle(&self) -> &StopHandle {
        &self.0
    }

    fn set(&self) {
        self.0.stop();
    }
}

/// Work with the engine.
pub(crate) trait Task: Send {
    fn kind(&self) -> TaskKind;

    /// Works until the end or until `cancel`, and publishes what it finds on the way. The result is its last snapshot.
    fn run(&mut self, slot: &mut EngineSlot, cancel: &Cancel) -> Result<Value, Failure>;

    /// The last snapshot of work that has failed.
    fn failed(&mut self, failure: &Failure) -> Value;

    /// Publishes a snapshot.
    fn publish(&self, snapshot: &Value);
}

/// The task that runs or waits, and how to end it.
type Current = Arc<Mutex<Option<(TaskKind, Cancel)>>>;

/// The thread.
#[derive(Debug)]
pub(crate) struct Worker {
    tasks: Sender<(Box<dyn Task>, Cancel)>,
    current: Current,
}

impl Worker {
    /// Starts the thread.
    pub(crate) fn start(config: Arc<Config>) -> Result<Self, String> {
        let (tasks, receiver) = channel();
        let current = Current::default();
        let shared = current.clone();
        thread::Builder::new()
            .name("session".to_owned())
            .spawn(move || run(&receiver, &mut EngineSlot::new(config), &shared))
            .map_err(|error| format!("the system gives no thread for the session: {error}"))?;
        Ok(Self { tasks, current })
    }

    /// The kind of the task that runs or waits.
    pub(crate) fn busy_with(&self) -> Option<TaskKind> {
        lock(&self.current).as_ref().filter(|(_, cancel)| !cancel.is_set()).map(|(kind, _)| *kind)
    }

    /// Gives the thread a task. A running analysis ends; other work refuses the task, and the error names it.
    pub(crate) fn give(&self, task: Box<dyn Task>) -> Result<(), String> {
        let mut current = lock(&self.current);
        if let Some((kind, cancel)) = current.as_ref() {
            if kind.is_exclusive() && !cancel.is_set() {
                return Err(format!("the engine is busy with {}; stop it first", kind.name()));
            }
            cancel.set();
        }
        let cancel = Cancel::default();
        *current = Some((task.kind(), cancel.clone()));
        self.tasks.send((task, cancel)).map_err(|_| "the thread of the session has ended".to_owned())
    }

    /// Ends the running task.
    pub(crate) fn stop(&self) {
        if let Some((_, cancel)) = lock(&self.current).as_ref() {
            cancel.set();
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop();
    }
}

fn run(tasks: &Receiver<(Box<dyn Task>, Cancel)>, slot: &mut EngineSlot, current: &Current) {
    loop {
        let (mut task, cancel) = match tasks.recv_timeout(IDLE) {
            Ok(received) => received,
            Err(RecvTimeoutError::Timeout) => {
                slot.clear();
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let last = if !cancel.is_set() || task.kind().is_exclusive() {
            last_snapshot(&mut *task, slot, &cancel)
        } else {
            None
        };
        end(current, &cancel);
        // Who reads that the work is done can give the engine other work at once.
        if let Some(last) = last {
            task.publish(&last);
        }
    }
}

/// Runs a task. There is no last snapshot if even its failure cannot be told.
fn last_snapshot(task: &mut dyn Task, slot: &mut EngineSlot, cancel: &Cancel) -> Option<Value> {
    let result = catch_unwind(AssertUnwindSafe(|| task.run(slot, cancel)));
    let failure = match result.unwrap_or(Err(Failure::ThreadEnded)) {
        Ok(last) => return Some(last),
        Err(failure) => failure,
    };
    slot.clear();
    // The failure itself must not end this thread.
    catch_unwind(AssertUnwindSafe(|| task.failed(&failure))).ok()
}

/// The task with this flag runs no longer.
fn end(current: &Current, cancel: &Cancel) {
    let mut current = lock(current);
    // A task that came meanwhile has another flag.
    if current.as_ref().is_some_and(|(_, last)| Arc::ptr_eq(&last.0, &cancel.0)) {
        *current = None;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use serde_json::json;

    use super::*;

    /// Tells for each snapshot whether the worker is busy.
    struct Reporter {
        ends_by: Result<(), fn() -> Failure>,
        worker: Arc<OnceLock<Worker>>,
        reports: Sender<(Value, bool)>,
    }

    impl Task for Reporter {
        fn kind(&self) -> TaskKind {
            TaskKind::Recording
        }

        fn run(&mut self, _: &mut EngineSlot, _: &Cancel) -> Result<Value, Failure> {
            self.publish(&json!("running"));
            self.ends_by.map(|()| json!("done")).map_err(|failure| failure())
        }

        fn failed(&mut self, failure: &Failure) -> Value {
            json!(failure.to_string())
        }

        fn publish(&self, snapshot: &Value) {
            let is_busy = self.worker.get().is_some_and(|worker| worker.busy_with().is_some());
            let _ = self.reports.send((snapshot.clone(), is_busy));
        }
    }

    fn reports(ends_by: Result<(), fn() -> Failure>) -> Vec<(Value, bool)> {
        let worker = Arc::new(OnceLock::new());
        let started = Worker::start(Arc::new(Config::default())).expect("a thread can be started");
        assert!(worker.set(started).is_ok());
        let (reports, received) = channel();
        let task = Reporter { ends_by, worker: worker.clone(), reports };
        worker.get().expect("it was set").give(Box::new(task)).expect("the worker is free");
        received.iter().collect()
    }

    #[test]
    fn the_engine_is_free_when_the_end_of_a_task_is_published() {
        assert_eq!(reports(Ok(())), [(json!("running"), true), (json!("done"), false)]);
        let failed: fn() -> Failure = || Failure::Refused("no engine".to_owned());
        assert_eq!(reports(Err(failed)), [(json!("running"), true), (json!("no engine"), false)]);
        let panicked: fn() -> Failure = || panic!("a panic of a task");
        let ended = json!(Failure::ThreadEnded.to_string());
        assert_eq!(reports(Err(panicked)), [(json!("running"), true), (ended, false)]);
    }
}
