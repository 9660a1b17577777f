//! Background tasks: long work other than a search, on its own thread, so that the session stays responsive.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// A running task.
pub(crate) struct BackgroundTask {
    handle: JoinHandle<()>,
    is_stopped: Arc<AtomicBool>,
}

impl BackgroundTask {
    /// Starts the work, or reports that no thread could be created. The work receives the stop flag.
    pub(crate) fn start(work: impl FnOnce(&AtomicBool) + Send + 'static) -> Result<Self, String> {
        let is_stopped = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_stopped);
        let spawned = thread::Builder::new().name("background".to_owned()).spawn(move || work(&flag));
        let handle = spawned.map_err(|error| format!("no thread could be created: {error}"))?;
        Ok(Self { handle, is_stopped })
    }

    /// Sets the stop flag.
    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Waits for the end. A panic has already been reported on the error stream.
    pub(crate) fn wait(self) {
        let _ = self.handle.join();
    }
}
