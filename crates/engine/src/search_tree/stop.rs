//! Stop handle of a recorded search or a measurement. It knows nothing of either.

use std::sync::Arc;

use crate::search::Signals;

/// Stops a recorded search or a measurement from another thread.
#[derive(Clone, Debug)]
pub struct StopHandle(Arc<Signals>);

impl Default for StopHandle {
    fn default() -> Self {
        Self(Arc::new(Signals::new(false)))
    }
}

impl StopHandle {
    /// Stops the search. Its tree ends where the search was.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// The signals of the search that it stops.
    pub(super) fn signals(&self) -> Arc<Signals> {
        self.0.clone()
    }

    /// Whether [`Self::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.0.is_stopped()
    }
}
