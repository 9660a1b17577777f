//! The static evaluation of a UCI engine, by its command `eval`.
//!
//! UCI does not have the command, but many engines do. It must not be taken for a search.

use std::fmt;
use std::time::{Duration, Instant};

use rukh_chess::notation::CastlingNotation;
use rukh_chess::{Color, Position};

use super::player::{Entrant, Trouble};
use super::process::{Ear, Process, Silence};

/// How long an engine may take to start or to answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Why there is no evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoEvaluation(String);

impl fmt::Display for NoEvaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoEvaluation {}

/// What matters of what an engine says.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Message {
    UciOk,
    ReadyOk,
    /// An evaluation in centipawns, and for whom; none stands for the side to move.
    Evaluation(f64, Option<Color>),
}

struct EvalEar;

impl Ear for EvalEar {
    type Message = Message;

    fn hear(&mut self, line: &str) -> Option<Message> {
        match line {
            "uciok" => Some(Message::UciOk),
            "readyok" => Some(Message::ReadyOk),
            line => evaluation_in(line),
        }
    }
}

/// The evaluation that a line tells: `Final evaluation  +0.23 (white side) ...` of Stockfish, `Total evaluation: 0.05 (white
/// side)` of older ones, `Score  -0.07 for Black: ...` of Rukh. Others are not understood.
fn evaluation_in(line: &str) -> Option<Message> {
    let starts = ["Final evaluation", "Total evaluation", "Score "];
    let told = starts.iter().find_map(|start| line.strip_prefix(start))?;
    let mut words = told.trim_start_matches(':').split_ascii_whitespace();
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

/// A running engine that is asked for static evaluations.
pub struct EngineEvaluator {
    process: Process<Message>,
    is_chess960: bool,
}

impl EngineEvaluator {
    /// Starts the engine and sets its options.
    pub fn start(entrant: &Entrant) -> Result<Self, NoEvaluation> {
        let process = entrant.launch(EvalEar).map_err(|trouble| match trouble {
            Trouble::Gone(why) | Trouble::Illegal(why) | Trouble::Claim(why) => NoEvaluation(why),
            Trouble::Late(_) => NoEvaluation(Silence::Late.to_string()),
        })?;
        let mut engine = Self { process, is_chess960: false };
        engine.process.say("uci");
        engine.wait_for(Message::UciOk)?;
        for (name, value) in &entrant.options {
            engine.process.say(&format!("setoption name {name} value {value}"));
        }
        engine.process.say("isready");
        engine.wait_for(Message::ReadyOk)?;
        Ok(engine)
    }

    /// What the engine says of a position, in centipawns for the side to move; none if it says nothing, as some do in check.
    pub fn evaluate(&mut self, position: &Position) -> Result<Option<f64>, NoEvaluation> {
        let is_chess960 = CastlingNotation::of(position) == CastlingNotation::RookSquare;
        if is_chess960 != self.is_chess960 {
            self.process.say(&format!("setoption name UCI_Chess960 value {is_chess960}"));
            self.is_chess960 = is_chess960;
        }
        self.process.say(&format!("position fen {position}"));
        self.process.say("eval");
        self.process.say("isready");
        let told = self.wait_for(Message::ReadyOk)?;
        let us = position.side_to_move();
        Ok(told.map(|(value, side)| if side.is_none_or(|side| side == us) { value } else { -value }))
    }

    /// Waits for a message; the last evaluation that came before it.
    fn wait_for(&mut self, wanted: Message) -> Result<Option<(f64, Option<Color>)>, NoEvaluation> {
        let deadline = Instant::now() + PATIENCE;
        let mut told = None;
        loop {
            let heard = self.process.listen(Some(deadline));
            match heard.map_err(|silence| NoEvaluation(silence.to_string()))?.what {
                message if message == wanted => return Ok(told),
                Message::Evaluation(value, side) => told = Some((value, side)),
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
    fn lines_of_several_engines_are_understood() {
        let told = |line: &str| match evaluation_in(line) {
            Some(Message::Evaluation(value, side)) => Some((value.round() as i32, side)),
            _ => None,
        };
        let white = Some(Color::White);
        assert_eq!(
            told("Final evaluation       +0.23 (white side) [with scaled NNUE, ...]"),
            Some((23, white))
        );
        assert_eq!(told("Final evaluation: -1.05 (white side)"), Some((-105, white)));
        assert_eq!(told("Total evaluation: 0.05 (white side)"), Some((5, white)));
        assert_eq!(told("Score          -0.07 for Black: 26.8% won"), Some((-7, Some(Color::Black))));
        assert_eq!(told("Score          +12.30 for White"), Some((1230, white)));
        assert_eq!(told("Final evaluation: +0.5 (side to move)"), Some((50, None)));
        for line in [
            "Final evaluation: none (in check)",
            "NNUE evaluation +0.2 (white side)",
            "",
            "Score #3 for White",
        ] {
            assert_eq!(told(line), None, "{line}");
        }
    }
}
