//! Status: whether a search is running, and the wait for its end.
//!
//! `models` compiles this file with the lock of a model checker.

use crate::primitives::{Arc, Condvar, Mutex, PoisonError};

/// Whether a search is running.
#[derive(Debug, Default)]
pub(crate) struct Status {
    is_searching: Mutex<bool>,
    changed: Condvar,
}

impl Status {
    /// Sets whether a search is running.
    pub(super) fn set(&self, is_searching: bool) {
        *self.is_searching.lock().unwrap_or_else(PoisonError::into_inner) = is_searching;
        self.changed.notify_all();
    }

    /// Whether a search is running.
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
pub(super) struct EndOfSearch(pub(super) Arc<Status>);

impl Drop for EndOfSearch {
    fn drop(&mut self) {
        self.0.set(false);
    }
}
