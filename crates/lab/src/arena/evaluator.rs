//! The static evaluation of a UCI engine, by its command `eval`.
//!
//! The command is not part of UCI, but many engines have it. Nothing is searched here.

use std::fmt;
use std::time::{Duration, Instant};

use rukh_chess::notation::CastlingNotation;
use rukh_chess::{Color, Position};

use super::player::{Entrant, PlayerFault};
use super::process::{NoReply, OutputParser, Process};

/// How long an engine may take to answer `uci`.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How long an engine may take to make ready or to evaluate.
const PATIENCE: Duration = Duration::from_secs(20);

/// Why there is no evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoEvaluation(String);

impl NoEvaluation {
    pub(crate) fn new(why: String) -> Self {
        Self(why)
    }
}

impl fmt::Display for NoEvaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoEvaluation {}

/// The parsed output of an engine.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Message {
    UciOk,
    ReadyOk,
    /// An evaluation in centipawns, and for whom; none stands for the side to move.
    Evaluation(f64, Option<Color>),
}

struct EvalParser;

impl OutputParser for EvalParser {
    type Message = Message;

    fn parse(&mut self, line: &str) -> Option<Message> {
        match line {
            "uciok" => Some(Message::UciOk),
            "readyok" => Some(Message::ReadyOk),
            line => evaluation_in(line),
        }
    }
}

/// Parses the evaluation of a line: `Final evaluation  +0.23 (white side) ...` of Stockfish, `Total evaluation: 0.05 (white
/// side)` of older ones, `Score  -0.07 for Black: ...` of Rukh. Other formats give none.
fn evaluation_in(line: &str) -> Option<Message> {
    let starts = ["Final evaluation", "Total evaluation", "Score "];
    let found = starts.iter().find_map(|start| line.strip_prefix(start))?;
    let mut words = found.trim_start_matches(':').split_ascii_whitespace();
    let pawns: f64 = words.next()?.parse().ok()?;
    let rest = words.collect::<Vec<_>>().join(" ").to_ascii_lowercase();
    let side = if ["(white side)", "for white"].iter().any(|words| rest.starts_with(words)) {
        Some(Color::White)
    } else if ["(black side)", "for black"].iter().any(|words| rest.starts_with(words)) {
        Some(Color::Black)
    } else {
        None
    };
    Some(Message::Evaluation(100.0 * pawns, side))
}

/// An engine process that returns static evaluations.
pub(crate) struct EngineEvaluator {
    process: Process<Message>,
    is_chess960: bool,
}

impl EngineEvaluator {
    /// Starts the engine and sets its options.
    pub(crate) fn start(entrant: &Entrant) -> Result<Self, NoEvaluation> {
        let process = entrant.launch(EvalParser).map_err(|fault| match fault {
            PlayerFault::Crash(why) | PlayerFault::Illegal(why) | PlayerFault::Claim(why) => {
                NoEvaluation(why)
            }
            PlayerFault::Late(_) => NoEvaluation(NoReply::Late.to_string()),
        })?;
        let mut engine = Self { process, is_chess960: false };
        engine.process.send("uci");
        engine.wait_for(Message::UciOk, HANDSHAKE)?;
        engine.process.end_handshake();
        for (name, value) in &entrant.options {
            engine.process.send(&format!("setoption name {name} value {value}"));
        }
        engine.process.send("isready");
        engine.wait_for(Message::ReadyOk, PATIENCE)?;
        Ok(engine)
    }

    /// The evaluation of a position in centipawns for the side to move; none if the engine prints none, as in check.
    pub(crate) fn evaluate(&mut self, position: &Position) -> Result<Option<f64>, NoEvaluation> {
        let is_chess960 = CastlingNotation::of(position) == CastlingNotation::RookSquare;
        if is_chess960 != self.is_chess960 {
            self.process.send(&format!("setoption name UCI_Chess960 value {is_chess960}"));
            self.is_chess960 = is_chess960;
        }
        self.process.send(&format!("position fen {position}"));
        self.process.send("eval");
        self.process.send("isready");
        let found = self.wait_for(Message::ReadyOk, PATIENCE)?;
        let us = position.side_to_move();
        Ok(found.map(|(value, side)| if side.is_none_or(|side| side == us) { value } else { -value }))
    }

    /// Waits for a message; the last evaluation that came before it.
    fn wait_for(
        &mut self,
        wanted: Message,
        patience: Duration,
    ) -> Result<Option<(f64, Option<Color>)>, NoEvaluation> {
        let deadline = Instant::now() + patience;
        let mut found = None;
        loop {
            let received = self.process.receive(Some(deadline));
            match received.map_err(|no_reply| NoEvaluation(no_reply.to_string()))?.what {
                message if message == wanted => return Ok(found),
                Message::Evaluation(value, side) => found = Some((value, side)),
                _ => {}
            }
        }
    }
}

impl Drop for EngineEvaluator {
    fn drop(&mut self) {
        self.process.end("quit");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_of_several_engines_is_parsed() {
        let found = |line: &str| match evaluation_in(line) {
            Some(Message::Evaluation(value, side)) => Some((value.round() as i32, side)),
            _ => None,
        };
        let white = Some(Color::White);
        assert_eq!(
            found("Final evaluation       +0.23 (white side) [with scaled NNUE, ...]"),
            Some((23, white))
        );
        assert_eq!(found("Final evaluation: -1.05 (white side)"), Some((-105, white)));
        assert_eq!(found("Total evaluation: 0.05 (white side)"), Some((5, white)));
        assert_eq!(found("Score          -0.07 for Black: 26.8% won"), Some((-7, Some(Color::Black))));
        assert_eq!(found("Score          +12.30 for White"), Some((1230, white)));
        assert_eq!(found("Final evaluation: +0.5 (side to move)"), Some((50, None)));
        for line in [
            "Final evaluation: none (in check)",
            "NNUE evaluation +0.2 (white side)",
            "",
            "Score #3 for White",
        ] {
            assert_eq!(found(line), None, "{line}");
        }
    }
}
