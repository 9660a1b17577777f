//! Engine slot: the engine of a session, created on first use, and replaced after its thread has ended.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use rukh_engine::Engine;
use rukh_engine::api::{Algorithm, Event, Request, Settings};
use serde::Serialize;

use crate::config::Config;

/// How often a running search looks for its cancellation.
const POLL: Duration = Duration::from_millis(15);

/// The settings of a session's engine.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub(crate) struct EngineSettings {
    pub(crate) threads: usize,
    pub(crate) hash: usize,
    pub(crate) multipv: usize,
    pub(crate) search: Algorithm,
    pub(crate) evaluation: String,
}

impl EngineSettings {
    /// The settings of a new session.
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            threads: 1,
            hash: config.hash.min(64),
            multipv: 1,
            search: Algorithm::default(),
            evaluation: config.evaluations.first_name().to_owned(),
        }
    }
}

/// Why a search has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// The search thread has ended; the engine must be replaced.
    ThreadEnded,
    /// The system does not give what the search needs.
    Refused(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::ThreadEnded => {
                f.write_str("the engine ended unexpectedly; send the command again to use another one")
            }
            Self::Refused(sentence) => f.write_str(sentence),
        }
    }
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// By itself.
    Done,
    /// It was cancelled.
    Cancelled,
}

/// What a search reports to its caller.
pub(crate) enum Report {
    /// An event of the search.
    Event(Event),
    /// Some time has passed.
    Tick,
}

/// The place of the engine.
pub(crate) struct EngineSlot {
    config: Arc<Config>,
    engine: Option<(Engine, EngineSettings)>,
}

impl EngineSlot {
    pub(crate) fn new(config: Arc<Config>) -> Self {
        Self { config, engine: None }
    }

    /// Frees the engine and its memory.
    pub(crate) fn clear(&mut self) {
        self.engine = None;
    }

    /// The engine with these settings.
    pub(crate) fn ready(&mut self, settings: &EngineSettings) -> Result<&mut Engine, Failure> {
        let refused = |error: String| Failure::Refused(error);
        let is_new = self.engine.is_none();
        if is_new {
            let mut engine = Engine::try_new().map_err(|error| refused(error.to_string()))?;
            engine.set_tablebase(self.config.tablebase.clone());
            self.engine = Some((engine, settings.clone()));
        }
        let (engine, last) = self.engine.as_mut().expect("the engine was just put there");
        if is_new || last != settings {
            let &EngineSettings { threads, multipv, search, .. } = settings;
            engine.set(Settings { algorithm: search, threads, multipv, ..Settings::default() });
            if is_new || last.hash != settings.hash || last.search != search {
                engine.resize_hash(settings.hash).map_err(|error| refused(error.to_string()))?;
            }
            if is_new || last.evaluation != settings.evaluation {
                engine.set_evaluation(self.config.evaluations.get(&settings.evaluation).map_err(refused)?);
            }
            *last = settings.clone();
        }
        Ok(engine)
    }
}

/// Searches until the end or until `is_cancelled`. `on_report` receives the events and, now and then, a tick.
pub(crate) fn search(
    engine: &mut Engine,
    request: Request,
    is_cancelled: impl Fn() -> bool,
    mut on_report: impl FnMut(Report),
) -> Result<End, Failure> {
    let (sender, events) = channel();
    // After the search nobody receives.
    engine.start(request, Arc::new(move |event| drop(sender.send(event))));
    let mut end = End::Done;
    loop {
        if end == End::Done && is_cancelled() {
            engine.stop();
            end = End::Cancelled;
        }
        match events.recv_timeout(POLL) {
            Ok(event) => {
                let is_last = matches!(event, Event::Done { .. });
                on_report(Report::Event(event));
                if is_last {
                    return Ok(end);
                }
            }
            Err(RecvTimeoutError::Timeout) => on_report(Report::Tick),
            Err(RecvTimeoutError::Disconnected) => return Err(Failure::ThreadEnded),
        }
    }
}
