//! Audience: how many streams of a session are open, and since when there is none. Analysis without an audience stops.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::lock::lock;

/// The streams of a session.
#[derive(Debug)]
pub(crate) struct Audience(Mutex<(usize, Instant)>);

/// An open stream.
#[derive(Debug)]
pub(crate) struct OpenStream(Arc<Audience>);

impl Audience {
    /// The most streams of a session.
    const MOST: usize = 12;

    pub(crate) fn new() -> Self {
        Self(Mutex::new((0, Instant::now())))
    }

    /// A further stream; `None` if there are too many.
    pub(crate) fn join(self: &Arc<Self>) -> Option<OpenStream> {
        let mut state = lock(&self.0);
        (state.0 < Self::MOST).then(|| {
            state.0 += 1;
            OpenStream(self.clone())
        })
    }

    /// A request shows that somebody is there.
    pub(crate) fn notice(&self) {
        lock(&self.0).1 = Instant::now();
    }

    /// How long nobody has been there; zero while a stream is open.
    pub(crate) fn absence(&self) -> Duration {
        let (streams, since) = *lock(&self.0);
        if streams > 0 { Duration::ZERO } else { since.elapsed() }
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut state = lock(&self.0.0);
        state.0 = state.0.saturating_sub(1);
        state.1 = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_audience_is_absent_after_its_last_stream() {
        let audience = Arc::new(Audience::new());
        let listeners: Vec<_> = std::iter::from_fn(|| audience.join()).collect();
        assert_eq!((listeners.len(), audience.absence()), (Audience::MOST, Duration::ZERO));
        drop(listeners);
        std::thread::sleep(Duration::from_millis(2));
        assert!(audience.absence() > Duration::ZERO && audience.join().is_some());
    }
}
