//! Worker: the thread of a session that owns its engine and runs one task after the other. It knows no task by itself.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rukh_engine::search_tree::StopHandle;

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

    /// Works until the end or until `cancel`, and publishes what it finds.
    fn run(&mut self, slot: &mut EngineSlot, cancel: &Cancel) -> Result<(), Failure>;

    /// Publishes why the work has failed.
    fn fail(&mut self, failure: &Failure);
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
        if !cancel.is_set() || task.kind().is_exclusive() {
            let result = catch_unwind(AssertUnwindSafe(|| task.run(slot, &cancel)));
            if let Err(failure) = result.unwrap_or(Err(Failure::ThreadEnded)) {
                slot.clear();
                // The failure itself must not end this thread.
                let _ = catch_unwind(AssertUnwindSafe(|| task.fail(&failure)));
            }
        }
        let mut current = lock(current);
        // A task that came meanwhile has another flag.
        if current.as_ref().is_some_and(|(_, last)| Arc::ptr_eq(&last.0, &cancel.0)) {
            *current = None;
        }
    }
}
