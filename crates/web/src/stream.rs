//! Server-sent events: the changed topics of a session, at most fifteen times a second.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::audience::OpenStream;
use crate::topics::{Seen, Topic, Topics};

/// The least time between two batches of events.
const INTERVAL: Duration = Duration::from_millis(67);
/// How often a comment keeps an idle connection.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

struct Reader {
    topics: Arc<Topics>,
    changes: watch::Receiver<()>,
    end: watch::Receiver<bool>,
    seen: Seen,
    pending: VecDeque<(Topic, Arc<str>)>,
    next: Instant,
    _listener: OpenStream,
}

impl Reader {
    /// The next event; `None` when the server ends or the session is closed.
    async fn event(&mut self) -> Option<Event> {
        loop {
            if *self.end.borrow() {
                return None;
            }
            if let Some((topic, json)) = self.pending.pop_front() {
                return Some(Event::default().event(topic.name()).data(&*json));
            }
            tokio::select! {
                () = sleep_until(self.next) => {}
                _ = self.end.changed() => continue,
            }
            self.changes.mark_unchanged();
            self.pending.extend(self.topics.newer(&mut self.seen));
            if !self.pending.is_empty() {
                self.next = Instant::now() + INTERVAL;
                continue;
            }
            tokio::select! {
                changed = self.changes.changed() => changed.ok()?,
                ended = self.end.changed() => ended.ok()?,
            }
        }
    }
}

/// The stream of a session. It counts as a listener of the session until it ends.
pub(crate) fn stream(topics: &Arc<Topics>, end: watch::Receiver<bool>, listener: OpenStream) -> Response {
    let reader = Reader {
        changes: topics.changes(),
        topics: topics.clone(),
        end,
        seen: Seen::default(),
        pending: VecDeque::new(),
        next: Instant::now(),
        _listener: listener,
    };
    let events = unfold(reader, |mut reader| async {
        let event = reader.event().await?;
        Some((Ok::<_, Infallible>(event), reader))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response()
}
