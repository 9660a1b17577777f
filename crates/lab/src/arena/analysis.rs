//! Searches of a UCI engine with fixed nodes: score, WDL and principal variation. No game is played here.

use std::time::{Duration, Instant};

use rukh_chess::notation::CastlingNotation;
use rukh_chess::{Move, Position};
use rukh_eval::Centipawns;

use super::evaluator::NoEvaluation;
use super::player::{Entrant, PlayerFault, Value};
use super::process::{NoReply, OutputParser, Process};
use super::uci::{is_listed, option_name};

/// How long an engine may take to answer `uci` or to make ready.
const READY: Duration = Duration::from_secs(20);
/// How long an engine may search one position.
const SEARCH: Duration = Duration::from_secs(600);

/// The result of a search, for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineAnalysis {
    /// The score.
    pub value: Value,
    /// Wins, draws and losses in thousandths; `None` if the engine reports none.
    pub wdl: Option<[u32; 3]>,
    /// The nodes of the search; `None` if the engine reports none.
    pub nodes: Option<u64>,
    /// The principal variation, up to the first move that is not legal.
    pub pv: Vec<Move>,
}

/// A line of a search as text.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Reported {
    value: Value,
    wdl: Option<[u32; 3]>,
    nodes: Option<u64>,
    pv: Vec<String>,
}

/// The parsed output of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Message {
    /// The end of the handshake, with the options of the engine.
    UciOk(Vec<String>),
    ReadyOk,
    /// The end of a search, with its last exact line.
    Done(Option<Reported>),
}

#[derive(Debug, Default)]
struct AnalysisParser {
    options: Vec<String>,
    last: Option<Reported>,
}

impl OutputParser for AnalysisParser {
    type Message = Message;

    fn parse(&mut self, line: &str) -> Option<Message> {
        let mut words = line.split_ascii_whitespace();
        match words.next()? {
            "option" => {
                self.options.push(option_name(words));
                None
            }
            "uciok" => Some(Message::UciOk(std::mem::take(&mut self.options))),
            "readyok" => Some(Message::ReadyOk),
            "bestmove" => Some(Message::Done(self.last.take())),
            "info" => {
                self.last = reported(line).or(self.last.take());
                None
            }
            _ => None,
        }
    }
}

/// Parses an info line with a score that is no bound.
fn reported(line: &str) -> Option<Reported> {
    let mut words = line.split_ascii_whitespace();
    let (mut value, mut wdl, mut nodes, mut pv) = (None, None, None, Vec::new());
    while let Some(word) = words.next() {
        match word {
            "score" => {
                let kind = words.next()?;
                let number = words.next()?.parse().ok()?;
                value = match kind {
                    "cp" => Some(Value::Centipawns(Centipawns(number))),
                    "mate" => Some(Value::Mate(number)),
                    _ => None,
                };
            }
            "wdl" => {
                let mut next = || words.next()?.parse().ok();
                wdl = Some([next()?, next()?, next()?]);
            }
            "nodes" => nodes = words.next()?.parse().ok(),
            "lowerbound" | "upperbound" | "string" => return None,
            "pv" => {
                pv = words.map(str::to_owned).collect();
                break;
            }
            _ => {}
        }
    }
    value.map(|value| Reported { value, wdl, nodes, pv })
}

/// An engine process that searches positions.
#[derive(Debug)]
pub struct EngineAnalyser {
    process: Process<Message>,
    is_chess960: bool,
}

impl EngineAnalyser {
    /// Starts the engine and sets its options.
    pub fn start(entrant: &Entrant) -> Result<Self, NoEvaluation> {
        let process = entrant.launch(AnalysisParser::default()).map_err(|fault| match fault {
            PlayerFault::Crash(why) | PlayerFault::Illegal(why) | PlayerFault::Claim(why) => {
                NoEvaluation::new(why)
            }
            PlayerFault::Late(_) => NoEvaluation::new(NoReply::Late.to_string()),
        })?;
        let mut engine = Self { process, is_chess960: false };
        engine.process.send("uci");
        let ended = engine.wait_for(|message| matches!(message, Message::UciOk(_)), READY)?;
        engine.process.end_handshake();
        let Message::UciOk(listed) = ended else {
            unreachable!("only the end of the handshake is waited for")
        };
        if let Some((name, _)) = entrant.options.iter().find(|(name, _)| !is_listed(name, &listed)) {
            return Err(NoEvaluation::new(format!("it has no option {name:?}")));
        }
        // Engines without the option ignore it.
        engine.process.send("setoption name UCI_ShowWDL value true");
        for (name, value) in &entrant.options {
            engine.process.send(&format!("setoption name {name} value {value}"));
        }
        engine.make_ready()?;
        Ok(engine)
    }

    /// Clears what earlier searches have left.
    pub fn clear(&mut self) -> Result<(), NoEvaluation> {
        self.process.send("ucinewgame");
        self.make_ready()
    }

    /// Searches a position in which the side to move has a legal move. `moves` restricts the root moves unless it is empty.
    pub fn analyse(
        &mut self,
        position: &Position,
        moves: &[Move],
        nodes: u64,
    ) -> Result<EngineAnalysis, NoEvaluation> {
        let castling = CastlingNotation::of(position);
        let is_chess960 = castling == CastlingNotation::RookSquare;
        if is_chess960 != self.is_chess960 {
            self.process.send(&format!("setoption name UCI_Chess960 value {is_chess960}"));
            self.is_chess960 = is_chess960;
        }
        self.process.send(&format!("position fen {position}"));
        let mut go = format!("go nodes {nodes}");
        if !moves.is_empty() {
            go.push_str(" searchmoves");
            moves.iter().for_each(|&mv| go.extend([" ", &position.uci(mv, castling)]));
        }
        self.process.send(&go);
        let Message::Done(Some(found)) =
            self.wait_for(|message| matches!(message, Message::Done(_)), SEARCH)?
        else {
            return Err(NoEvaluation::new("the engine reports no score".to_owned()));
        };
        let mut here = position.clone();
        let mut pv = Vec::new();
        for mv in found.pv.iter().map_while(|text| {
            let mv = here.parse_uci(text).ok()?;
            here.make(mv, &mut ());
            Some(mv)
        }) {
            pv.push(mv);
        }
        Ok(EngineAnalysis { value: found.value, wdl: found.wdl, nodes: found.nodes, pv })
    }

    fn make_ready(&mut self) -> Result<(), NoEvaluation> {
        self.process.send("isready");
        self.wait_for(|message| matches!(message, Message::ReadyOk), READY).map(drop)
    }

    fn wait_for(
        &self,
        is_wanted: impl Fn(&Message) -> bool,
        patience: Duration,
    ) -> Result<Message, NoEvaluation> {
        let deadline = Instant::now() + patience;
        loop {
            let received = self.process.receive(Some(deadline));
            let message = received.map_err(|no_reply| NoEvaluation::new(no_reply.to_string()))?.what;
            if is_wanted(&message) {
                return Ok(message);
            }
        }
    }
}

impl Drop for EngineAnalyser {
    fn drop(&mut self) {
        self.process.end("quit");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_exact_line_counts() {
        let mut parser = AnalysisParser::default();
        for line in [
            "info depth 1 score cp 20 wdl 100 850 50 nodes 30 pv e2e4 e7e5",
            "info depth 2 score cp 99 lowerbound nodes 60 pv d2d4",
            "info string score cp 1",
            "info currmove e2e4",
        ] {
            assert_eq!(parser.parse(line), None, "{line}");
        }
        let Some(Message::Done(Some(found))) = parser.parse("bestmove e2e4") else {
            panic!("the search has a result");
        };
        assert_eq!((found.value, found.wdl), (Value::Centipawns(Centipawns(20)), Some([100, 850, 50])));
        assert_eq!(found.nodes, Some(30));
        assert_eq!(found.pv, ["e2e4", "e7e5"]);
        assert_eq!(parser.parse("bestmove e2e4"), Some(Message::Done(None)), "a result counts once");
    }

    #[test]
    fn mates_and_lines_without_wdl_are_parsed() {
        let found = reported("info depth 9 score mate -3 pv a1a2").expect("it has a score");
        assert_eq!((found.value, found.wdl), (Value::Mate(-3), None));
        for line in ["info depth 3", "info score cp", "info score cp x", "info score cp 3 wdl 1 2"] {
            assert_eq!(reported(line), None, "{line}");
        }
    }
}
