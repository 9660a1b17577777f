//! The listener of a search: passes on what it tells, and knows whether it still runs.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rukh_chess::Move;
use rukh_engine::api::{Event, LineInfo, Listener, Progress};

use crate::codec::{Codec, OutputFormat, Reply};
use crate::output::Output;

/// Passes on what one search tells.
pub(crate) struct Teller {
    codec: Arc<dyn Codec>,
    output: Arc<Output>,
    view: OutputFormat,
    /// Called when the search has ended, so that whoever sleeps until then wakes up.
    on_end: Box<dyn Fn() + Send + Sync>,
    told: Mutex<Told>,
    changed: Condvar,
}

/// What a search has told so far.
#[derive(Clone, Default)]
pub(crate) struct Told {
    /// Whether it has yet to tell its move.
    is_running: bool,
    /// The best line.
    pub(crate) line: Option<(LineInfo, Progress)>,
    /// The move that is looked at, and its number.
    pub(crate) current: Option<(Move, usize)>,
    /// The end.
    done: Option<Done>,
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Done {
    /// The best move.
    pub(crate) best: Option<Move>,
    /// The answer that is expected.
    pub(crate) ponder: Option<Move>,
}

impl Teller {
    /// For a search that is about to begin.
    pub(crate) fn new(
        codec: Arc<dyn Codec>,
        output: Arc<Output>,
        view: OutputFormat,
        on_end: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let told = Mutex::new(Told { is_running: true, ..Told::default() });
        Self { codec, output, view, on_end: Box::new(on_end), told, changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What has been told so far.
    pub(crate) fn told(&self) -> Told {
        self.lock().clone()
    }

    /// How the search ended, if it has and nobody has asked yet.
    pub(crate) fn take_end(&self) -> Option<Done> {
        self.lock().done.take()
    }

    /// Whether the search has yet to tell its move.
    pub(crate) fn is_running(&self) -> bool {
        self.lock().is_running
    }

    /// Waits until the search ends by itself, or nobody reads what it tells.
    pub(crate) fn wait(&self) {
        let mut told = self.lock();
        while told.is_running && !self.output.is_broken() {
            told = self.changed.wait(told).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Told {
    fn note(&mut self, event: &Event) {
        match event {
            Event::Line(line, progress) if line.multipv == 1 => self.line = Some((line.clone(), *progress)),
            Event::Line(..) => {}
            Event::CurrentMove { mv, number, .. } => self.current = Some((*mv, *number)),
            Event::Done { best, ponder } => {
                self.is_running = false;
                self.done = Some(Done { best: *best, ponder: *ponder });
            }
        }
    }
}

impl Listener for Teller {
    fn on_event(&self, event: Event) {
        // Before the move is told, not after: who has read it may send the next command at once, and that
        // must find the engine at rest.
        let is_over = matches!(event, Event::Done { .. });
        self.lock().note(&event);
        if let Some(text) = self.codec.write(&Reply::Event(event), &self.view) {
            self.output.write(&text);
        }
        // With the lock held, so that nobody is between looking and waiting when the news comes.
        let told = self.lock();
        self.changed.notify_all();
        drop(told);
        if is_over {
            (self.on_end)();
        }
    }
}
