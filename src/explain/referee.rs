//! Another engine as the referee of claims: its searches, with its own WDL where it reports one.

use rukh_chess::{Move, Position};
use rukh_eval::{Score, wdl};
use rukh_explain::claims::analyst::Analyst;
use rukh_explain::review::PositionAnalysis;
use rukh_lab::arena::{Control, EngineAnalyser, EngineAnalysis, Value};

use crate::arena::entrants;

/// A UCI engine with the nodes of one search.
pub(super) struct Referee {
    engine: EngineAnalyser,
    nodes: u64,
    /// Why the last search failed.
    fault: Option<String>,
}

impl Referee {
    /// Starts the engine: a program, or a description as `rukh match` takes it (`cmd=PROGRAM,option.Hash=64`).
    pub(super) fn start(text: &str) -> Result<Self, String> {
        let described = if text.contains("cmd=") { text.to_owned() } else { format!("cmd={text}") };
        // Each search has its own nodes.
        let control = Control { nodes: Some(1), ..Control::default() };
        let entrant = entrants::read(&described, &control)?;
        let engine =
            EngineAnalyser::start(&entrant).map_err(|error| format!("the engine {text}: {error}"))?;
        Ok(Self { engine, nodes: 1, fault: None })
    }

    /// Prepares the check of another claim.
    pub(super) fn prepare(&mut self, nodes: u64) -> Result<(), String> {
        self.nodes = nodes;
        self.engine.clear().map_err(|error| error.to_string())
    }

    /// Why a search failed since the last call.
    pub(super) fn take_fault(&mut self) -> Option<String> {
        self.fault.take()
    }
}

impl Analyst for Referee {
    fn analyse(&mut self, position: &Position, moves: &[Move], share: f64) -> Option<PositionAnalysis> {
        let nodes = self.nodes(share)?;
        match self.engine.analyse(position, moves, nodes) {
            Ok(found) => Some(translated(found, position)),
            Err(error) => {
                self.fault = Some(error.to_string());
                None
            }
        }
    }

    fn nodes(&self, share: f64) -> Option<u64> {
        Some(((self.nodes as f64 * share) as u64).max(1))
    }
}

/// The analysis in Rukh's units. A mate is certain; without WDL the engine's centipawns go through Rukh's WDL model.
fn translated(found: EngineAnalysis, position: &Position) -> PositionAnalysis {
    // Other engines may send any number.
    const LONGEST_MATE: u32 = 100;
    let plies = |moves: i32| 2 * moves.unsigned_abs().min(LONGEST_MATE) as usize;
    let score = match found.value {
        Value::Centipawns(centipawns) => Score::from_centipawns(centipawns),
        Value::Mate(moves) if moves > 0 => Score::mate_at(plies(moves) - 1),
        Value::Mate(moves) => Score::mated_at(plies(moves)),
    };
    let wdl = match found.value {
        Value::Centipawns(_) => found.wdl,
        Value::Mate(_) => None,
    };
    let wdl = wdl.unwrap_or_else(|| self::wdl(score, position.fullmove_number()));
    PositionAnalysis { score, wdl, pv: found.pv }
}

#[cfg(test)]
mod tests {
    use rukh_eval::{Centipawns, ScoreKind};

    use super::*;

    fn analysis(value: Value, wdl: Option<[u32; 3]>) -> PositionAnalysis {
        translated(EngineAnalysis { value, wdl, nodes: None, pv: Vec::new() }, &Position::default())
    }

    #[test]
    fn mates_are_certain_and_wdl_is_the_engines() {
        let level = Value::Centipawns(Centipawns(0));
        assert_eq!(analysis(level, Some([10, 980, 10])).wdl, [10, 980, 10]);
        let [win, draw, loss] = analysis(level, None).wdl;
        assert!(win == loss && win + draw + loss == 1000);
        assert_eq!(analysis(Value::Mate(2), Some([990, 10, 0])).wdl, [1000, 0, 0]);
        assert_eq!(analysis(Value::Mate(2), None).score.kind(), ScoreKind::Mate(2));
        assert_eq!(analysis(Value::Mate(-2), None).score.kind(), ScoreKind::Mate(-2));
        assert_eq!(analysis(Value::Mate(0), None).wdl, [0, 0, 1000]);
    }
}
