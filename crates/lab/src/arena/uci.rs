//! A player by UCI.

use std::fmt::Write;
use std::time::{Duration, Instant};

use rukh_chess::game::Game;
use rukh_chess::notation::CastlingNotation;
use rukh_chess::{Color, Move};
use rukh_eval::Centipawns;

use super::player::{EngineMove, Entrant, Player, PlayerFault, SearchInfo, Turn, Value};
use super::process::{OutputParser, Process, Received};

/// How long an engine may take to its first line of the protocol.
const FIRST_LINE: Duration = Duration::from_secs(10);
/// How long an engine may take to end the handshake or to make ready.
const READY: Duration = Duration::from_secs(20);
/// How long it may take to process its options: one that loads large files or compiles kernels takes longer than others.
const OPTIONS: Duration = Duration::from_secs(120);
/// How long it may take to stop a search.
const STOP: Duration = Duration::from_secs(2);

/// The parsed output of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Message {
    /// The first line of the handshake.
    Hello,
    /// The end of the handshake, with the options of the engine.
    UciOk(Vec<String>),
    /// The engine is ready; the texts of `info string` since it was last ready or searching.
    ReadyOk(Vec<String>),
    BestMove {
        mv: String,
        ponder: Option<String>,
        info: SearchInfo,
    },
}

/// Parses lines. It holds the info of the principal variation until `bestmove`, and the options until `uciok`.
#[derive(Debug, Default)]
struct UciParser {
    info: SearchInfo,
    options: Vec<String>,
    /// The texts of `info string` until `readyok`.
    said: Vec<String>,
    /// Whether a line of the handshake has come.
    has_begun: bool,
}

/// The maximum number of texts that are stored.
const SAID_MAX: usize = 20;

/// The maximum number of options that are stored.
const OPTIONS_MAX: usize = 10_000;

impl OutputParser for UciParser {
    type Message = Message;

    fn parse(&mut self, line: &str) -> Option<Message> {
        let mut words = line.split_ascii_whitespace();
        match words.next()? {
            "info" => {
                match line.split_once("info string ") {
                    Some(("", text)) if self.said.len() < SAID_MAX => self.said.push(text.to_owned()),
                    _ => self.note(words),
                }
                None
            }
            "bestmove" => {
                self.said.clear();
                let mv = words.next().unwrap_or_default().to_owned();
                let ponder = words.next().filter(|&word| word == "ponder").and_then(|_| words.next());
                let info = std::mem::take(&mut self.info);
                Some(Message::BestMove { mv, ponder: ponder.map(str::to_owned), info })
            }
            "readyok" => Some(Message::ReadyOk(std::mem::take(&mut self.said))),
            "uciok" => Some(Message::UciOk(std::mem::take(&mut self.options))),
            "option" => {
                if self.options.len() < OPTIONS_MAX {
                    self.options.push(option_name(words));
                }
                self.hello()
            }
            "id" => self.hello(),
            _ => None,
        }
    }
}

/// The name in a line `option name NAME type ...`.
pub(super) fn option_name<'l>(words: impl Iterator<Item = &'l str>) -> String {
    let name = words.skip_while(|&word| word != "name").skip(1).take_while(|&word| word != "type");
    name.collect::<Vec<_>>().join(" ")
}

/// Whether an engine has listed an option.
pub(super) fn is_listed(name: &str, listed: &[String]) -> bool {
    listed.iter().any(|listed| listed.eq_ignore_ascii_case(name))
}

impl UciParser {
    /// The message of the first line of the handshake.
    fn hello(&mut self) -> Option<Message> {
        (!std::mem::replace(&mut self.has_begun, true)).then_some(Message::Hello)
    }

    /// Stores depth, nodes and score of an info line of the principal variation.
    fn note<'l>(&mut self, mut words: impl Iterator<Item = &'l str>) {
        let mut received = SearchInfo::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => received.depth = words.next().and_then(|word| word.parse().ok()),
                "nodes" => received.nodes = words.next().and_then(|word| word.parse().ok()),
                "multipv" if words.next() != Some("1") => return,
                "score" => {
                    let kind = words.next();
                    let value = words.next().and_then(|word| word.parse().ok());
                    received.score = value.and_then(|value| match kind {
                        Some("cp") => Some(Value::Centipawns(Centipawns(value))),
                        Some("mate") => Some(Value::Mate(value)),
                        _ => None,
                    });
                }
                // What follows is text.
                "pv" | "string" => break,
                _ => {}
            }
        }
        self.info.nodes = received.nodes.or(self.info.nodes);
        if received.score.is_some() {
            self.info.score = received.score;
            self.info.depth = received.depth.or(self.info.depth);
        }
    }
}

/// The player.
#[derive(Debug)]
pub(super) struct UciPlayer {
    process: Process<Message>,
    ponders: bool,
    /// The last value of the option `UCI_Chess960`.
    is_chess960: bool,
    /// The expected move of the opponent while it ponders.
    pondering: Option<Move>,
    /// Whether an answer is still to come.
    is_searching: bool,
    /// What the engine said to its first options.
    said: Vec<String>,
}

impl UciPlayer {
    pub(super) fn start(entrant: &Entrant) -> Result<Self, PlayerFault> {
        let process = entrant.launch(UciParser::default())?;
        let mut player = Self {
            process,
            ponders: entrant.ponders,
            is_chess960: false,
            pondering: None,
            is_searching: false,
            said: Vec::new(),
        };
        player.process.send("uci");
        let known = player.handshake()?;
        for (name, value) in &entrant.options {
            if !is_listed(name, &known) {
                return Err(PlayerFault::Crash(format!("it has no option {name:?}")));
            }
            player.process.send(&format!("setoption name {name} value {value}"));
        }
        if entrant.ponders && is_listed("Ponder", &known) {
            player.process.send("setoption name Ponder value true");
        }
        player.said = player.make_ready(OPTIONS)?;
        Ok(player)
    }

    /// Receives the options until `uciok`. What is no engine is known by its silence, or by too many words.
    fn handshake(&mut self) -> Result<Vec<String>, PlayerFault> {
        let mut deadline = Instant::now() + FIRST_LINE;
        loop {
            let received = self.process.receive(Some(deadline));
            match received.map_err(|no_reply| PlayerFault::from_no_reply(no_reply, FIRST_LINE))?.what {
                Message::Hello => deadline = Instant::now() + READY,
                Message::UciOk(options) => {
                    self.process.end_handshake();
                    return Ok(options);
                }
                _ => {}
            }
        }
    }

    /// Waits until the engine has processed all commands. Returns what it said meanwhile.
    fn make_ready(&mut self, patience: Duration) -> Result<Vec<String>, PlayerFault> {
        self.process.send("isready");
        let deadline = Instant::now() + patience;
        loop {
            let received = self.process.receive(Some(deadline));
            match received.map_err(|no_reply| PlayerFault::from_no_reply(no_reply, patience))?.what {
                Message::ReadyOk(said) => return Ok(said),
                _ => continue,
            }
        }
    }

    /// The move that ends the search under way.
    fn best_move(
        &mut self,
        deadline: Instant,
    ) -> Result<Received<(String, Option<String>, SearchInfo)>, PlayerFault> {
        let asked = Instant::now();
        loop {
            let Received { at, what } = self
                .process
                .receive(Some(deadline))
                .map_err(|no_reply| PlayerFault::from_no_reply(no_reply, asked.elapsed()))?;
            if let Message::BestMove { mv, ponder, info } = what {
                self.is_searching = false;
                return Ok(Received { at, what: (mv, ponder, info) });
            }
        }
    }

    fn go(&mut self, turn: &Turn<'_>, is_ponder: bool) {
        self.process.send(&go_line(turn, is_ponder));
        self.is_searching = true;
    }

    /// Stops a search and discards its result.
    fn stop(&mut self) -> Result<(), PlayerFault> {
        self.pondering = None;
        if self.is_searching {
            self.process.send("stop");
            self.best_move(Instant::now() + STOP)?;
        }
        Ok(())
    }
}

impl Player for UciPlayer {
    fn set(&mut self, options: &[(String, String)]) -> Result<(), PlayerFault> {
        self.stop()?;
        for (name, value) in options {
            self.process.send(&format!("setoption name {name} value {value}"));
        }
        Ok(())
    }

    fn said(&self) -> &[String] {
        &self.said
    }

    fn begin(&mut self, game: &Game) -> Result<(), PlayerFault> {
        self.stop()?;
        let is_chess960 = CastlingNotation::of(game.start()) == CastlingNotation::RookSquare;
        if is_chess960 != self.is_chess960 {
            self.process.send(&format!("setoption name UCI_Chess960 value {is_chess960}"));
            self.is_chess960 = is_chess960;
        }
        self.process.send("ucinewgame");
        self.make_ready(READY).map(drop)
    }

    fn search(&mut self, turn: &Turn<'_>) -> Result<EngineMove, PlayerFault> {
        let expected = self.pondering.take();
        let is_hit = expected.is_some() && turn.game.moves().last() == expected.as_ref();
        if !is_hit {
            self.stop()?;
            self.process.send(&position_line(turn.game, None));
        }
        let asked = Instant::now();
        if is_hit {
            self.process.send("ponderhit");
        } else {
            self.go(turn, false);
        }
        let Received { at, what: (text, ponder, info) } = self.best_move(turn.deadline(asked))?;
        let taken = at.saturating_duration_since(asked);
        let position = turn.game.position();
        let mv = position.parse_uci(&text).map_err(|_| PlayerFault::Illegal(text))?;
        let expected =
            ponder.filter(|_| self.ponders).and_then(|reply| position.after(mv).parse_uci(&reply).ok());
        if let Some(reply) = expected {
            // When the reply comes, the clock will stand where this move has left it.
            let side = position.side_to_move();
            let mut later = *turn;
            if later.clocks[side].spend(turn.controls[side], taken).is_ok() {
                self.process.send(&position_line(turn.game, Some((mv, reply))));
                self.go(&later, true);
                self.pondering = Some(reply);
            }
        }
        Ok(EngineMove { mv, taken, info })
    }

    fn reset(&mut self) -> bool {
        self.stop().and_then(|()| self.make_ready(READY)).is_ok()
    }

    fn end(&mut self) {
        self.process.end("quit");
    }
}

/// The `position` command of a game, with two more moves for a ponder search.
fn position_line(game: &Game, ahead: Option<(Move, Move)>) -> String {
    let castling = CastlingNotation::of(game.start());
    let mut line = format!("position fen {}", game.start());
    let mut position = game.start().clone();
    let ahead = ahead.into_iter().flat_map(|(mv, reply)| [mv, reply]);
    for (number, mv) in game.moves().iter().copied().chain(ahead).enumerate() {
        line.push_str(if number == 0 { " moves " } else { " " });
        line.push_str(&position.uci(mv, castling));
        position = position.after(mv);
    }
    line
}

/// The limits of a turn.
fn go_line(turn: &Turn<'_>, is_ponder: bool) -> String {
    let mut line = String::from(if is_ponder { "go ponder" } else { "go" });
    let (clock, control) = turn.own();
    let mut add =
        |word: &str, value: u128| write!(line, " {word} {value}").expect("a string takes everything");
    if clock.remaining.is_some() {
        for (color, time, increment) in [(Color::White, "wtime", "winc"), (Color::Black, "btime", "binc")] {
            // A side without a clock has as much time as anyone needs.
            const PLENTY: Duration = Duration::from_secs(100_000);
            let rule = turn.controls[color].clock;
            // No engine understands a clock that stands at zero.
            add(time, turn.clocks[color].remaining.unwrap_or(PLENTY).as_millis().max(1));
            add(increment, rule.map_or(0, |rule| rule.increment.as_millis()));
        }
    }
    if let Some(moves) = clock.moves_to_go(control) {
        add("movestogo", u128::from(moves));
    }
    if let Some(time) = control.move_time {
        add("movetime", time.as_millis());
    }
    if let Some(nodes) = control.nodes {
        add("nodes", u128::from(nodes));
    }
    if let Some(depth) = control.depth {
        add("depth", u128::from(depth));
    }
    line
}
