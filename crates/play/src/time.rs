//! Time source: where the session reads the time, so that tests can set it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A clock that never goes back.
pub trait TimeSource: Send {
    /// The time since some fixed moment.
    fn now(&self) -> Duration;
}

/// The clock of the system.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemTimeSource(Instant);

impl Default for SystemTimeSource {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl TimeSource for SystemTimeSource {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A clock that moves only when it is told to. Clones show the same time.
#[derive(Clone, Debug, Default)]
pub struct ManualTimeSource(Arc<Mutex<Duration>>);

impl ManualTimeSource {
    /// Lets time pass.
    pub fn advance(&self, by: Duration) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) += by;
    }
}

impl TimeSource for ManualTimeSource {
    fn now(&self) -> Duration {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_time_source_moves_only_when_told() {
        let time = ManualTimeSource::default();
        let other = time.clone();
        assert_eq!(other.now(), Duration::ZERO);
        time.advance(Duration::from_secs(3));
        assert_eq!((other.now(), other.now()), (Duration::from_secs(3), Duration::from_secs(3)));
    }

    #[test]
    fn the_system_never_goes_back() {
        let time = SystemTimeSource::default();
        let first = time.now();
        assert!(time.now() >= first);
    }
}
