//! The search reporter: the session's listener to one search. It encodes events as output lines and records whether
//! the search is still running.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rukh_chess::Move;
use rukh_engine::api::{Event, LineInfo, Listener, Progress};

use crate::codec::{Codec, OutputFormat, Reply};
use crate::output::Output;

/// How often a wait checks whether the output is closed.
const CLOSED_POLL: Duration = Duration::from_millis(50);

/// Reports the events of one search.
pub(crate) struct SearchReporter {
    codec: Arc<dyn Codec>,
    output: Arc<Output>,
    format: OutputFormat,
    /// Called after the search has ended; wakes the session.
    on_end: Box<dyn Fn() + Send + Sync>,
    state: Mutex<SearchState>,
    changed: Condvar,
}

/// What a search has reported so far.
#[derive(Clone, Default)]
pub(crate) struct SearchState {
    /// Whether the best move is still to come.
    is_running: bool,
    /// The latest first line.
    pub(crate) line: Option<(LineInfo, Progress)>,
    /// The current root move and its number.
    pub(crate) current: Option<(Move, usize)>,
    /// The result, until it is taken.
    result: Option<FoundMove>,
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FoundMove {
    /// The best move.
    pub(crate) best: Option<Move>,
    /// The expected reply.
    pub(crate) ponder: Option<Move>,
}

impl SearchReporter {
    /// A reporter for a search that is about to start.
    pub(crate) fn new(
        codec: Arc<dyn Codec>,
        output: Arc<Output>,
        format: OutputFormat,
        on_end: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let state = Mutex::new(SearchState { is_running: true, ..SearchState::default() });
        Self { codec, output, format, on_end: Box::new(on_end), state, changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, SearchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What has been reported so far.
    pub(crate) fn state(&self) -> SearchState {
        self.lock().clone()
    }

    /// The result, if the search has ended and the result has not been taken yet.
    pub(crate) fn take_result(&self) -> Option<FoundMove> {
        self.lock().result.take()
    }

    /// Whether the best move is still to come.
    pub(crate) fn is_running(&self) -> bool {
        self.lock().is_running
    }

    /// Waits until the search has ended or the output is closed.
    pub(crate) fn wait(&self) {
        let mut state = self.lock();
        while state.is_running && !self.output.is_closed() {
            let woken = self.changed.wait_timeout(state, CLOSED_POLL);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl SearchState {
    fn record(&mut self, event: &Event) {
        match event {
            Event::Line(line, progress) if line.multipv == 1 => self.line = Some((line.clone(), *progress)),
            Event::Line(..) | Event::Root(_) => {}
            Event::CurrentMove { mv, number, .. } => self.current = Some((*mv, *number)),
            Event::Done { best, ponder } => {
                self.is_running = false;
                self.result = Some(FoundMove { best: *best, ponder: *ponder });
            }
        }
    }
}

impl Listener for SearchReporter {
    fn on_event(&self, event: Event) {
        // The state changes before the best move is written: a GUI may send the next command as soon as it has read
        // the move, and the session must then see that the search has ended.
        let is_over = matches!(event, Event::Done { .. });
        self.lock().record(&event);
        if let Some(text) = self.codec.encode(&Reply::Event(event), &self.format) {
            self.output.write(&text);
        }
        // The lock is held, so that no waiter is between its check and its wait.
        let state = self.lock();
        self.changed.notify_all();
        drop(state);
        if is_over {
            (self.on_end)();
        }
    }
}
