//! A player that speaks the protocol of XBoard, version 2.

use std::time::{Duration, Instant};

use rukh_chess::game::Game;
use rukh_chess::notation::CastlingNotation;
use rukh_chess::{Move, Position};
use rukh_eval::Centipawns;

use super::control::Control;
use super::player::{EngineMove, Entrant, Player, PlayerFault, SearchInfo, Turn, Value};
use super::process::{NoReply, OutputParser, Process, Received};

/// How long to wait for the features of an engine; one of protocol version 1 sends none.
const FEATURES: Duration = Duration::from_secs(2);
/// How long an engine may take that has sent `feature done=0`, or to answer a ping.
const READY: Duration = Duration::from_secs(20);

/// The parsed output of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Message {
    Features(Vec<(String, String)>),
    Pong(u64),
    Move {
        text: String,
        info: SearchInfo,
    },
    Refused(String),
    /// It resigns, or claims a result.
    Claim(String),
}

/// Parses lines. It holds the info of the principal variation until the move.
#[derive(Debug, Default)]
struct XboardParser {
    info: SearchInfo,
}

impl OutputParser for XboardParser {
    type Message = Message;

    fn parse(&mut self, line: &str) -> Option<Message> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "feature" => Some(Message::Features(features(rest))),
            "pong" => Some(Message::Pong(rest.trim().parse().ok()?)),
            "move" => {
                let info = std::mem::take(&mut self.info);
                Some(Message::Move { text: rest.trim().to_owned(), info })
            }
            "Illegal" | "Error" => Some(Message::Refused(line.to_owned())),
            "resign" | "1-0" | "0-1" | "1/2-1/2" => Some(Message::Claim(line.to_owned())),
            _ => {
                self.note(line);
                None
            }
        }
    }
}

impl XboardParser {
    /// Thinking output: depth, score, time in hundredths of a second, nodes, line.
    fn note(&mut self, line: &str) {
        /// Scores from here on count moves to mate.
        const MATE: i32 = 100_000;
        let mut words = line.split_ascii_whitespace();
        let depth = words.next().and_then(|word| word.trim_end_matches(['+', '.', '&']).parse().ok());
        let score: Option<i32> = words.next().and_then(|word| word.parse().ok());
        let nodes = words.nth(1).and_then(|word| word.parse().ok());
        if let (Some(depth), Some(score), Some(nodes)) = (depth, score, nodes) {
            let moves = score.saturating_abs() - MATE;
            let value = match moves >= 0 {
                true => Value::Mate(moves * score.signum()),
                false => Value::Centipawns(Centipawns(score)),
            };
            self.info = SearchInfo { score: Some(value), depth: Some(depth), nodes: Some(nodes) };
        }
    }
}

/// Pairs of name and value; a value may stand in quotes.
fn features(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, left) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        found.push((name.trim().to_owned(), value.to_owned()));
        rest = left.trim_start();
    }
    found
}

/// What an engine can do, as far as it matters.
#[derive(Debug, Default)]
struct Abilities {
    can_setboard: bool,
    wants_usermove: bool,
    can_ping: bool,
    can_memory: bool,
    can_cores: bool,
    options: Vec<String>,
}

/// The player.
#[derive(Debug)]
pub(super) struct XboardPlayer {
    process: Process<Message>,
    abilities: Abilities,
    control: Control,
    ponders: bool,
    pings: u64,
    /// Moves of the game that it knows of.
    known: usize,
    /// Whether it answers moves with moves.
    is_playing: bool,
}

impl XboardPlayer {
    pub(super) fn start(entrant: &Entrant) -> Result<Self, PlayerFault> {
        if entrant.control.nodes.is_some() {
            return Err(PlayerFault::Crash("engines of this protocol cannot be limited by nodes".to_owned()));
        }
        let process = entrant.launch(XboardParser::default())?;
        let mut player = Self {
            process,
            abilities: Abilities::default(),
            control: entrant.control.clone(),
            ponders: entrant.ponders,
            pings: 0,
            known: 0,
            is_playing: false,
        };
        player.process.send("xboard");
        player.process.send("protover 2");
        player.receive_features()?;
        player.process.end_handshake();
        player.set(&entrant.options)?;
        player.make_ready()?;
        Ok(player)
    }

    /// Receives features until `done=1`.
    fn receive_features(&mut self) -> Result<(), PlayerFault> {
        let mut deadline = Instant::now() + FEATURES;
        loop {
            let found = match self.process.receive(Some(deadline)) {
                Ok(Received { what: Message::Features(found), .. }) => found,
                Ok(_) => continue,
                // It is of protocol version 1 and has no optional features.
                Err(NoReply::Late) => return Ok(()),
                Err(no_reply) => return Err(PlayerFault::from_no_reply(no_reply, FEATURES)),
            };
            for (name, value) in found {
                let is_on = value == "1";
                let is_accepted = match name.as_str() {
                    "done" if is_on => return Ok(()),
                    "done" => {
                        deadline = Instant::now() + READY;
                        true
                    }
                    // Moves are written as squares.
                    "san" => !is_on,
                    "setboard" => set(&mut self.abilities.can_setboard, is_on),
                    "usermove" => set(&mut self.abilities.wants_usermove, is_on),
                    "ping" => set(&mut self.abilities.can_ping, is_on),
                    "memory" => set(&mut self.abilities.can_memory, is_on),
                    "smp" => set(&mut self.abilities.can_cores, is_on),
                    "option" => {
                        let name = value.split(" -").next().unwrap_or_default();
                        self.abilities.options.push(name.trim().to_owned());
                        true
                    }
                    _ => true,
                };
                let word = if is_accepted { "accepted" } else { "rejected" };
                self.process.send(&format!("{word} {name}"));
            }
        }
    }

    /// Sets an option; `Hash` and `Threads` have words of their own in this protocol.
    fn set_one(&mut self, name: &str, value: &str) -> Result<(), PlayerFault> {
        let line = match name {
            _ if self.abilities.options.iter().any(|known| known.eq_ignore_ascii_case(name)) => {
                format!("option {name}={value}")
            }
            "Hash" if self.abilities.can_memory => format!("memory {value}"),
            "Threads" if self.abilities.can_cores => format!("cores {value}"),
            _ => return Err(PlayerFault::Crash(format!("it has no option {name:?}"))),
        };
        self.process.send(&line);
        Ok(())
    }

    /// Waits until the engine has processed all commands, if it has the feature `ping`.
    fn make_ready(&mut self) -> Result<(), PlayerFault> {
        if !self.abilities.can_ping {
            return Ok(());
        }
        self.pings += 1;
        self.process.send(&format!("ping {}", self.pings));
        let deadline = Instant::now() + READY;
        loop {
            let received = self.process.receive(Some(deadline));
            let received = received.map_err(|no_reply| PlayerFault::from_no_reply(no_reply, READY))?;
            if received.what == Message::Pong(self.pings) {
                return Ok(());
            }
        }
    }

    fn say_move(&mut self, position: &Position, mv: Move, castling: CastlingNotation) {
        let text = match castling {
            CastlingNotation::RookSquare if mv.is_castling() => position.san(mv),
            _ => position.uci(mv, castling),
        };
        let prefix = if self.abilities.wants_usermove { "usermove " } else { "" };
        self.process.send(&format!("{prefix}{text}"));
    }

    /// Tells the clocks in hundredths of a second.
    fn say_clocks(&mut self, turn: &Turn<'_>) {
        let side = turn.game.position().side_to_move();
        for (word, color) in [("time", side), ("otim", !side)] {
            if let Some(remaining) = turn.clocks[color].remaining {
                self.process.send(&format!("{word} {}", (remaining.as_millis() / 10).max(1)));
            }
        }
    }
}

/// Notes what is on, and accepts it.
fn set(ability: &mut bool, is_on: bool) -> bool {
    *ability = is_on;
    true
}

impl Player for XboardPlayer {
    fn set(&mut self, options: &[(String, String)]) -> Result<(), PlayerFault> {
        options.iter().try_for_each(|(name, value)| self.set_one(name, value))
    }

    fn begin(&mut self, game: &Game) -> Result<(), PlayerFault> {
        self.process.send("new");
        self.process.send("force");
        if CastlingNotation::of(game.start()) == CastlingNotation::RookSquare {
            self.process.send("variant fischerandom");
        }
        if *game.start() != Position::default() {
            if !self.abilities.can_setboard {
                return Err(PlayerFault::Crash("it cannot begin from a position".to_owned()));
            }
            self.process.send(&format!("setboard {}", game.start()));
        }
        self.process.send("post");
        self.process.send(if self.ponders { "hard" } else { "easy" });
        if let Some(rule) = self.control.clock {
            let seconds = rule.time.as_secs();
            let (minutes, seconds) = (seconds / 60, seconds % 60);
            let moves = rule.moves.unwrap_or(0);
            self.process
                .send(&format!("level {moves} {minutes}:{seconds:02} {}", rule.increment.as_secs_f64()));
        }
        if let Some(time) = self.control.move_time {
            self.process.send(&format!("st {}", time.as_secs_f64()));
        }
        if let Some(depth) = self.control.depth {
            self.process.send(&format!("sd {depth}"));
        }
        (self.known, self.is_playing) = (0, false);
        self.make_ready()
    }

    fn search(&mut self, turn: &Turn<'_>) -> Result<EngineMove, PlayerFault> {
        let game = turn.game;
        let castling = CastlingNotation::of(game.start());
        let new = self.known..game.moves().len();
        self.known = new.end;
        let asked;
        if self.is_playing {
            self.say_clocks(turn);
            asked = Instant::now();
            new.for_each(|at| self.say_move(&game.positions()[at], game.moves()[at], castling));
        } else {
            new.for_each(|at| self.say_move(&game.positions()[at], game.moves()[at], castling));
            self.say_clocks(turn);
            asked = Instant::now();
            self.process.send("go");
            self.is_playing = true;
        }
        let deadline = turn.deadline(asked);
        loop {
            let received = self.process.receive(Some(deadline));
            let Received { at, what } =
                received.map_err(|no_reply| PlayerFault::from_no_reply(no_reply, asked.elapsed()))?;
            match what {
                Message::Move { text, info } => {
                    let position = game.position();
                    let read = position.parse_uci(&text).ok().or_else(|| position.parse_san(&text).ok());
                    let mv = read.ok_or(PlayerFault::Illegal(text))?;
                    self.known += 1;
                    return Ok(EngineMove { mv, taken: at.saturating_duration_since(asked), info });
                }
                Message::Claim(text) => return Err(PlayerFault::Claim(text)),
                Message::Refused(text) => return Err(PlayerFault::Illegal(text)),
                Message::Features(_) | Message::Pong(_) => {}
            }
        }
    }

    fn reset(&mut self) -> bool {
        self.process.send("force");
        self.abilities.can_ping && self.make_ready().is_ok()
    }

    fn end(&mut self) {
        self.process.end("quit");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read() {
        let found =
            features("ping=1 setboard=1 myname=\"Old Engine 1.0\" option=\"Hash Size -spin 16 1 64\" done=1");
        let expected = [
            ("ping", "1"),
            ("setboard", "1"),
            ("myname", "Old Engine 1.0"),
            ("option", "Hash Size -spin 16 1 64"),
            ("done", "1"),
        ];
        assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(features("nonsense"), []);
    }

    #[test]
    fn thinking_output_is_kept_for_the_move() {
        let mut parser = XboardParser::default();
        let found = |parser: &mut XboardParser| match parser.parse("move e2e4") {
            Some(Message::Move { info, .. }) => info,
            other => panic!("{other:?}"),
        };
        assert_eq!(parser.parse("9 35 120 48211 e2e4 e7e5"), None);
        let info = SearchInfo {
            score: Some(Value::Centipawns(Centipawns(35))),
            depth: Some(9),
            nodes: Some(48_211),
        };
        assert_eq!(found(&mut parser), info);
        assert_eq!(found(&mut parser), SearchInfo::default(), "it was of the last move");
        parser.parse("12. -100003 7 99 Kh1");
        assert_eq!(found(&mut parser).score, Some(Value::Mate(-3)));
        parser.parse("tellics whisper hello");
        assert_eq!(found(&mut parser), SearchInfo::default());
    }
}
