//! Events of a search as an iterator.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use crate::api::{Event, Request};
use crate::engine::Engine;

/// The events of a running search, from [`Engine::search`]. It ends after [`Event::Done`]. Dropping it stops the search.
#[derive(Debug)]
pub struct SearchEvents<'e> {
    engine: &'e mut Engine,
    events: Option<Receiver<Event>>,
}

impl Engine {
    /// Starts a search and returns its events as an iterator.
    ///
    /// ```
    /// use rukh_engine::Engine;
    /// use rukh_engine::api::{Event, Limits, Request};
    ///
    /// let position = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1".parse()?;
    /// let limits = Limits { depth: Some(4), ..Limits::default() };
    /// let mut engine = Engine::new();
    /// let last = engine.search(Request::from_position(position, limits)).last();
    /// assert!(matches!(last, Some(Event::Done { best: Some(mv), .. }) if mv.to().to_string() == "d8"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn search(&mut self, request: Request) -> SearchEvents<'_> {
        let (sender, events) = channel();
        // After the iterator is dropped, events are discarded.
        let listener = move |event| drop(sender.send(event));
        self.start(request, Arc::new(listener));
        SearchEvents { engine: self, events: Some(events) }
    }
}

impl SearchEvents<'_> {
    /// Stops the search; the events until [`Event::Done`] can still be read.
    pub fn stop(&mut self) {
        self.engine.stop();
    }
}

impl Iterator for SearchEvents<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let event = self.events.as_ref()?.recv().ok();
        if matches!(event, None | Some(Event::Done { .. })) {
            self.events = None;
        }
        event
    }
}

impl Drop for SearchEvents<'_> {
    fn drop(&mut self) {
        self.engine.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Limits;
    use rukh_chess::Position;

    #[test]
    fn the_last_event_is_the_move() {
        let mut engine = Engine::new();
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let events: Vec<Event> = engine.search(Request::from_position(Position::default(), limits)).collect();
        let depths = events.iter().filter(|event| matches!(event, Event::Line(..))).count();
        assert_eq!(depths, 3);
        assert!(matches!(events.last(), Some(Event::Done { best: Some(_), .. })));
    }

    #[test]
    fn dropping_the_events_stops_the_search() {
        let mut engine = Engine::new();
        let limits = Limits { is_infinite: true, ..Limits::default() };
        let mut events = engine.search(Request::from_position(Position::default(), limits.clone()));
        assert!(matches!(events.next(), Some(Event::Line(..))));
        drop(events);
        assert!(!engine.is_searching());
        let mut events = engine.search(Request::from_position(Position::default(), limits));
        events.stop();
        assert!(matches!(events.last(), Some(Event::Done { .. })));
    }
}
