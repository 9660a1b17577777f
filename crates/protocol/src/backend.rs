//! What a session needs of an engine.
//!
//! There is one engine; the trait is here so that tests can put in its place one that searches exactly as
//! long as they want.

use std::sync::Arc;

use rukh_engine::Engine;
use rukh_engine::api::{Listener, OutOfMemory, Request, Settings};
use rukh_engine::tablebase::Tablebase;
use rukh_eval::Evaluation;

/// An engine as a session sees it; [`Engine`] tells what each method promises.
pub trait Backend {
    /// The present settings.
    fn settings(&self) -> Settings;
    /// Changes the settings; a search under way is stopped first.
    fn set(&mut self, settings: Settings);
    /// What positions are judged by.
    fn evaluation(&self) -> &Evaluation;
    /// Judges positions by something else; a search under way is stopped first, and everything learnt is forgotten.
    fn set_evaluation(&mut self, evaluation: Evaluation);
    /// Asks these tables of endings, or none; a search under way is stopped first.
    fn set_tablebase(&mut self, tablebase: Option<Arc<dyn Tablebase>>);
    /// Gives the table another size; a search under way is stopped first.
    fn resize_hash(&mut self, mebibytes: usize) -> Result<(), OutOfMemory>;
    /// Forgets everything learnt; a search under way is stopped first.
    fn clear(&mut self);
    /// Begins a search and returns at once.
    fn start(&mut self, request: Request, listener: Arc<dyn Listener>);
    /// Ends the search under way and waits until it has told its move.
    fn stop(&mut self);
    /// The guessed move was played.
    fn ponder_hit(&mut self);
}

impl Backend for Engine {
    fn settings(&self) -> Settings {
        Self::settings(self)
    }

    fn set(&mut self, settings: Settings) {
        Self::set(self, settings);
    }

    fn evaluation(&self) -> &Evaluation {
        Self::evaluation(self)
    }

    fn set_evaluation(&mut self, evaluation: Evaluation) {
        Self::set_evaluation(self, evaluation);
    }

    fn set_tablebase(&mut self, tablebase: Option<Arc<dyn Tablebase>>) {
        Self::set_tablebase(self, tablebase);
    }

    fn resize_hash(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        Self::resize_hash(self, mebibytes)
    }

    fn clear(&mut self) {
        Self::clear(self);
    }

    fn start(&mut self, request: Request, listener: Arc<dyn Listener>) {
        Self::start(self, request, listener);
    }

    fn stop(&mut self) {
        Self::stop(self);
    }

    fn ponder_hit(&mut self) {
        Self::ponder_hit(self);
    }
}
