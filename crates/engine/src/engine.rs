//! The engine as others see it.

use std::sync::Arc;

use crate::api::{Event, Listener, OutOfMemory, Request, Settings};

/// An engine: threads and a table, kept between searches. Two engines can live in one process.
#[derive(Debug, Default)]
pub struct Engine {
    settings: Settings,
}

impl Engine {
    /// An engine with one thread and a table of [`Self::DEFAULT_HASH`] mebibytes.
    pub fn new() -> Self {
        Self::default()
    }

    /// The table an engine begins with, in mebibytes.
    pub const DEFAULT_HASH: usize = 16;

    /// The present settings.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Changes the settings; a search under way is stopped first.
    pub fn set(&mut self, settings: Settings) {
        self.stop();
        self.settings = settings;
    }

    /// Gives the table another size; a search under way is stopped first.
    pub fn resize_hash(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        self.stop();
        let _ = mebibytes;
        Ok(())
    }

    /// Forgets everything learnt from earlier searches; a search under way is stopped first.
    pub fn clear(&mut self) {
        self.stop();
    }

    /// Begins a search and returns at once; one under way is stopped first. The last event is always [`Event::Done`].
    pub fn start(&mut self, request: Request, listener: Arc<dyn Listener>) {
        self.stop();
        let best = request.game.position().legal_moves().first().copied();
        listener.on_event(Event::Done { best, ponder: None });
    }

    /// Ends the search under way, if there is one, and waits until it has told its move.
    pub fn stop(&mut self) {}

    /// The guessed move was played: the search under way goes on by the clock.
    pub fn ponder_hit(&mut self) {}

    /// Whether a search is under way.
    pub fn is_searching(&self) -> bool {
        false
    }

    /// Waits until the search under way ends by its own limits.
    pub fn wait(&mut self) {}
}
