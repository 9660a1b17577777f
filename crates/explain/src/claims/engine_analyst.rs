//! The engine as an analyst: searches with fixed nodes on one thread, so that the same question gets the same answer.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};

use rukh_chess::{Move, Position};
use rukh_engine::Engine;
use rukh_engine::api::{Bound, Event, Limits, Request};
use rukh_engine::tablebase::{Tablebase, Wdl};
use rukh_eval::{AnyEvaluator, Evaluation, Evaluator};

use super::analyst::Analyst;
use crate::review::PositionAnalysis;

/// An engine with the nodes of one explanation.
pub struct EngineAnalyst {
    engine: Engine,
    nodes: u64,
    tablebase: Option<Arc<dyn Tablebase>>,
}

impl EngineAnalyst {
    /// An analyst with this many nodes for one explanation.
    pub fn new(engine: Engine, nodes: u64) -> Self {
        Self { engine, nodes, tablebase: None }
    }

    /// Sets the tablebases, for the search and for tablebase facts.
    pub fn set_tablebase(&mut self, tables: Arc<dyn Tablebase>) {
        self.engine.set_tablebase(Some(Arc::clone(&tables)));
        self.tablebase = Some(tables);
    }

    /// Sets the nodes of one explanation.
    pub fn set_nodes(&mut self, nodes: u64) {
        self.nodes = nodes;
    }

    /// Clears what earlier searches have left, so that answers do not depend on earlier questions.
    pub fn clear(&mut self) {
        self.engine.clear();
    }

    fn limit(&self, share: f64) -> u64 {
        ((self.nodes as f64 * share) as u64).max(1)
    }
}

impl Analyst for EngineAnalyst {
    fn analyse(&mut self, position: &Position, moves: &[Move], share: f64) -> Option<PositionAnalysis> {
        let limits =
            Limits { nodes: Some(self.limit(share)), search_moves: moves.to_vec(), ..Limits::default() };
        let (sender, receiver) = channel();
        let sender = Mutex::new(sender);
        let listener = move |event| {
            // A receiver that is gone needs no events.
            let _ = sender.lock().unwrap_or_else(PoisonError::into_inner).send(event);
        };
        self.engine.start(Request::from_position(position.clone(), limits), Arc::new(listener));
        let mut last = None;
        for event in receiver {
            match event {
                Event::Line(line, _) if line.bound == Bound::Exact && !line.pv.is_empty() => {
                    last = Some(PositionAnalysis { score: line.score, wdl: line.wdl, pv: line.pv });
                }
                Event::Done { .. } => break,
                _ => {}
            }
        }
        last
    }

    fn nodes(&self, share: f64) -> Option<u64> {
        Some(self.limit(share))
    }

    fn tablebase(&self, position: &Position) -> Option<f64> {
        let tables = self.tablebase.as_ref()?;
        let is_known =
            position.occupied().count() <= tables.max_pieces() && position.castling().rooks().is_empty();
        tables.wdl(position).filter(|_| is_known).map(|result| match result {
            Wdl::Win => 1.0,
            Wdl::Loss => 0.0,
            Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => 0.5,
        })
    }

    fn distance(&self, position: &Position) -> Option<u32> {
        self.tablebase(position).filter(|&result| result != 0.5)?;
        self.tablebase.as_ref()?.dtz(position).map(i32::unsigned_abs)
    }

    fn network_value(&self, position: &Position) -> Option<i32> {
        let evaluation @ Evaluation::Network(_) = self.engine.evaluation() else { return None };
        if position.is_check() {
            return None;
        }
        let mut evaluator = AnyEvaluator::new(evaluation);
        evaluator.reset(position);
        Some(evaluator.evaluate(position).value())
    }
}
