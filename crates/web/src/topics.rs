//! Topics of a session: the newest snapshot of each, as JSON text. Streams send what has changed; nothing is queued, so that a
//! slow reader costs no memory and loses only what is out of date.

use std::sync::{Arc, Mutex};

use serde_json::{Map, Value};
use tokio::sync::watch;

use crate::lock::lock;

/// A topic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Topic {
    Game,
    Settings,
    Analysis,
    Play,
    Review,
    Tree,
}

impl Topic {
    pub(crate) const COUNT: usize = 6;
    pub(crate) const ALL: [Self; Self::COUNT] =
        [Self::Game, Self::Settings, Self::Analysis, Self::Play, Self::Review, Self::Tree];

    /// The name of the event.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Settings => "settings",
            Self::Analysis => "analysis",
            Self::Play => "play",
            Self::Review => "review",
            Self::Tree => "tree",
        }
    }
}

#[derive(Clone, Debug)]
struct Snapshot {
    json: Arc<str>,
    version: u64,
}

/// The snapshots of a session.
#[derive(Debug)]
pub(crate) struct Topics {
    snapshots: Mutex<[Snapshot; Topic::COUNT]>,
    changed: watch::Sender<()>,
}

/// The versions that a stream has sent.
pub(crate) type Seen = [u64; Topic::COUNT];

impl Topics {
    pub(crate) fn new() -> Self {
        let empty = |_| Snapshot { json: "{}".into(), version: 1 };
        let snapshots = Mutex::new(Topic::ALL.map(empty));
        Self { snapshots, changed: watch::Sender::new(()) }
    }

    /// Replaces the snapshot of a topic.
    pub(crate) fn publish(&self, topic: Topic, json: &Value) {
        let text: Arc<str> = json.to_string().into();
        {
            let mut snapshots = lock(&self.snapshots);
            let snapshot = &mut snapshots[topic as usize];
            snapshot.json = text;
            snapshot.version += 1;
        }
        self.changed.send_replace(());
    }

    /// The snapshot of a topic.
    pub(crate) fn get(&self, topic: Topic) -> Arc<str> {
        lock(&self.snapshots)[topic as usize].json.clone()
    }

    /// All snapshots by name.
    pub(crate) fn all(&self) -> Map<String, Value> {
        let value = |topic: Topic| serde_json::from_str(&self.get(topic)).unwrap_or_default();
        Topic::ALL.into_iter().map(|topic| (topic.name().to_owned(), value(topic))).collect()
    }

    /// The snapshots that are newer than `seen`, which is brought up to date.
    pub(crate) fn newer(&self, seen: &mut Seen) -> Vec<(Topic, Arc<str>)> {
        let snapshots = lock(&self.snapshots);
        let mut newer = Vec::new();
        for topic in Topic::ALL {
            let Snapshot { json, version } = &snapshots[topic as usize];
            if seen[topic as usize] < *version {
                seen[topic as usize] = *version;
                newer.push((topic, json.clone()));
            }
        }
        newer
    }

    /// A receiver that is notified of changes.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_stream_gets_each_newest_snapshot_once() {
        let topics = Topics::new();
        let mut seen = Seen::default();
        assert_eq!(topics.newer(&mut seen).len(), Topic::COUNT, "at first all of them");
        assert!(topics.newer(&mut seen).is_empty());
        for number in 0..100 {
            topics.publish(Topic::Tree, &json!(number));
        }
        let newer = topics.newer(&mut seen);
        assert_eq!(newer.len(), 1);
        assert_eq!((newer[0].0, &*newer[0].1), (Topic::Tree, "99"));
    }
}
