//! Background search: an engine whose events are polled, so that the session never blocks.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::task::Poll;
use std::time::{Duration, Instant};

use rukh_chess::Move;
use rukh_engine::Engine;
use rukh_engine::api::{Event, LineInfo, Request, Settings};

/// An engine, created on first use, and the events of its search.
#[derive(Debug, Default)]
pub(crate) struct BackgroundSearch {
    engine: Option<Engine>,
    events: Option<Receiver<Event>>,
}

impl BackgroundSearch {
    /// Starts a search; a running one is dropped.
    pub(crate) fn start(&mut self, settings: Settings, request: Request) {
        let (sender, events) = channel();
        let engine = self.engine.get_or_insert_with(Engine::new);
        if engine.settings() != settings {
            engine.set(settings);
        }
        // A search that was dropped has no receiver.
        engine.start(request, Arc::new(move |event| drop(sender.send(event))));
        self.events = Some(events);
    }

    /// Waits at most `patience` for the end of the search, whose best move it returns. `on_line` receives the lines reported
    /// meanwhile. Without a running search the answer is `None`.
    pub(crate) fn poll(
        &mut self,
        patience: Duration,
        mut on_line: impl FnMut(LineInfo),
    ) -> Poll<Option<Move>> {
        let Some(events) = &self.events else { return Poll::Ready(None) };
        let deadline = Instant::now() + patience;
        let best = loop {
            match events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Event::Line(line, _)) => on_line(line),
                Ok(Event::CurrentMove { .. } | Event::Root(_)) => {}
                Ok(Event::Done { best, .. }) => break best,
                Err(RecvTimeoutError::Timeout) => return Poll::Pending,
                Err(RecvTimeoutError::Disconnected) => break None,
            }
        };
        self.events = None;
        Poll::Ready(best)
    }

    /// Ends the search; its best move so far can be polled.
    pub(crate) fn stop(&mut self) {
        if let Some(engine) = self.engine.as_mut().filter(|_| self.events.is_some()) {
            engine.stop();
        }
    }

    /// Ends the search and drops its result.
    pub(crate) fn cancel(&mut self) {
        self.stop();
        self.events = None;
    }
}

#[cfg(test)]
mod tests {
    use rukh_chess::Position;
    use rukh_engine::api::Limits;

    use super::*;

    fn endless() -> Request {
        Request::from_position(Position::default(), Limits { is_infinite: true, ..Limits::default() })
    }

    #[test]
    fn an_endless_search_is_pending_until_it_is_stopped() {
        let mut search = BackgroundSearch::default();
        search.start(Settings::default(), endless());
        assert_eq!(search.poll(Duration::from_millis(10), |_| {}), Poll::Pending);
        search.stop();
        let mut lines = 0;
        let best = search.poll(Duration::from_secs(10), |_| lines += 1);
        assert!(matches!(best, Poll::Ready(Some(_))));
        assert_eq!(search.poll(Duration::ZERO, |_| {}), Poll::Ready(None), "nothing is left");
    }

    #[test]
    fn a_cancelled_search_has_no_answer() {
        let mut search = BackgroundSearch::default();
        search.start(Settings::default(), endless());
        search.cancel();
        assert_eq!(search.poll(Duration::ZERO, |_| {}), Poll::Ready(None));
    }
}
