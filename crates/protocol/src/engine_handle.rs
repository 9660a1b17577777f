//! The engine interface of a session.
//!
//! [`Engine`] is the implementation. Tests implement [`EngineHandle`] with an engine whose searches take exactly as
//! long as the test needs.

use std::sync::Arc;

use rukh_engine::Engine;
use rukh_engine::api::{LeafNetwork, Listener, OutOfMemory, Request, Settings};
use rukh_engine::tablebase::Tablebase;
use rukh_eval::{Evaluation, PolicyNetwork};

/// What a session calls on an engine; [`Engine`] documents each method.
pub trait EngineHandle {
    /// The current settings.
    fn settings(&self) -> Settings;
    /// Changes the settings. A running search is stopped first.
    fn set(&mut self, settings: Settings);
    /// Why fewer threads are in use than are set, in one sentence.
    fn thread_shortage(&self) -> Option<String> {
        None
    }
    /// The evaluation in use.
    fn evaluation(&self) -> &Evaluation;
    /// Changes the evaluation and clears the engine's state. A running search is stopped first.
    fn set_evaluation(&mut self, evaluation: Evaluation);
    /// Changes or removes the policy network and clears the engine's state. A running search is stopped first.
    fn set_policy(&mut self, policy: Option<Arc<PolicyNetwork>>);
    /// Sets or removes the leaf network and clears the engine's state. A running search is stopped first.
    fn set_leaf_network(&mut self, network: Option<Arc<dyn LeafNetwork>>);
    /// Sets or removes the tablebases. A running search is stopped first.
    fn set_tablebase(&mut self, tablebase: Option<Arc<dyn Tablebase>>);
    /// Resizes the transposition table. A running search is stopped first.
    fn resize_hash(&mut self, mebibytes: usize) -> Result<(), OutOfMemory>;
    /// Clears the transposition table and the histories. A running search is stopped first.
    fn clear(&mut self);
    /// Starts a search and returns at once.
    fn start(&mut self, request: Request, listener: Arc<dyn Listener>);
    /// Stops the search and waits until it has reported its best move.
    fn stop(&mut self);
    /// The ponder move was played.
    fn ponder_hit(&mut self);
}

impl EngineHandle for Engine {
    fn settings(&self) -> Settings {
        Self::settings(self)
    }

    fn set(&mut self, settings: Settings) {
        Self::set(self, settings);
    }

    fn thread_shortage(&self) -> Option<String> {
        Self::thread_shortage(self)
    }

    fn evaluation(&self) -> &Evaluation {
        Self::evaluation(self)
    }

    fn set_evaluation(&mut self, evaluation: Evaluation) {
        Self::set_evaluation(self, evaluation);
    }

    fn set_policy(&mut self, policy: Option<Arc<PolicyNetwork>>) {
        Self::set_policy(self, policy);
    }

    fn set_leaf_network(&mut self, network: Option<Arc<dyn LeafNetwork>>) {
        Self::set_leaf_network(self, network);
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
