//! The listener of a search: passes on what it tells, and knows whether it still runs.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rukh_engine::api::{Event, Listener};

use crate::codec::{Codec, Reply, View};
use crate::output::Output;

/// Passes on what one search tells.
pub(crate) struct Teller {
    codec: Arc<dyn Codec>,
    output: Arc<Output>,
    view: View,
    is_running: Mutex<bool>,
    changed: Condvar,
}

impl Teller {
    /// For a search that is about to begin.
    pub(crate) fn new(codec: Arc<dyn Codec>, output: Arc<Output>, view: View) -> Self {
        Self { codec, output, view, is_running: Mutex::new(true), changed: Condvar::new() }
    }

    fn running(&self) -> MutexGuard<'_, bool> {
        self.is_running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the search has yet to tell its move.
    pub(crate) fn is_running(&self) -> bool {
        *self.running()
    }

    /// Waits until the search ends by itself, or nobody reads what it tells.
    pub(crate) fn wait(&self) {
        let mut running = self.running();
        while *running && !self.output.is_broken() {
            running = self.changed.wait(running).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Listener for Teller {
    fn on_event(&self, event: Event) {
        // Before the move is told, not after: who has read it may send the next command at once, and that
        // must find the engine at rest.
        if matches!(event, Event::Done { .. }) {
            *self.running() = false;
        }
        if let Some(text) = self.codec.write(&Reply::Event(event), &self.view) {
            self.output.write(&text);
        }
        // With the lock held, so that nobody is between looking and waiting when the news comes.
        let _running = self.running();
        self.changed.notify_all();
    }
}
