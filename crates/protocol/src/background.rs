//! Background tasks: long work other than a search, on its own thread, so that the session stays responsive.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A running task.
pub(crate) struct BackgroundTask {
    handle: JoinHandle<()>,
    is_stopped: Arc<AtomicBool>,
    /// Closed when the work has ended.
    end: Receiver<()>,
}

/// How often a wait checks whether it is abandoned.
const ABANDON_POLL: Duration = Duration::from_millis(50);

impl BackgroundTask {
    /// Starts the work, or reports that no thread could be created. The work receives the stop flag.
    pub(crate) fn start(work: impl FnOnce(&AtomicBool) + Send + 'static) -> Result<Self, String> {
        let is_stopped = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_stopped);
        let (at_end, end) = channel();
        let spawned = thread::Builder::new().name("background".to_owned()).spawn(move || {
            let _at_end: Sender<()> = at_end;
            work(&flag);
        });
        let handle = spawned.map_err(|error| format!("no thread could be created: {error}"))?;
        Ok(Self { handle, is_stopped, end })
    }

    /// Sets the stop flag.
    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Waits for the end, unless `is_abandoned`: then the task is stopped, and left to itself if it does not check the flag.
    pub(crate) fn wait(self, is_abandoned: impl Fn() -> bool) {
        while self.end.recv_timeout(ABANDON_POLL) == Err(RecvTimeoutError::Timeout) {
            if is_abandoned() {
                self.stop();
                return;
            }
        }
        // A panic has already been reported on the error stream.
        let _ = self.handle.join();
    }
}
