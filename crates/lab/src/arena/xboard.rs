//! A player that speaks the protocol of XBoard, version 2.

use std::time::{Duration, Instant};

use rukh_chess::game::Game;
use rukh_chess::notation::CastlingNotation;
use rukh_chess::{Move, Position};

use super::control::Control;
use super::player::{EngineMove, Entrant, Player, Thought, Trouble, Turn, Value};
use super::process::{Ear, Heard, Process, Silence};

/// How long an engine of the first version, which tells no features, is waited for.
const FEATURES: Duration = Duration::from_secs(2);
/// How long one may take that has asked for time, or is to make ready.
const READY: Duration = Duration::from_secs(20);

/// What matters of what an engine says.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Message {
    Features(Vec<(String, String)>),
    Pong(u64),
    Move {
        text: String,
        thought: Thought,
    },
    Refused(String),
    /// It gives up, or says that the game is over.
    Claim(String),
}

/// Hears lines, and keeps what was said of the best line until the move comes.
#[derive(Debug, Default)]
struct XboardEar {
    thought: Thought,
}

impl Ear for XboardEar {
    type Message = Message;

    fn hear(&mut self, line: &str) -> Option<Message> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "feature" => Some(Message::Features(features(rest))),
            "pong" => Some(Message::Pong(rest.trim().parse().ok()?)),
            "move" => {
                let thought = std::mem::take(&mut self.thought);
                Some(Message::Move { text: rest.trim().to_owned(), thought })
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

impl XboardEar {
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
                false => Value::Centipawns(score),
            };
            self.thought = Thought { score: Some(value), depth: Some(depth), nodes: Some(nodes) };
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
    pub(super) fn start(entrant: &Entrant) -> Result<Self, Trouble> {
        if entrant.control.nodes.is_some() {
            return Err(Trouble::Gone("engines of this protocol cannot be limited by nodes".to_owned()));
        }
        let process = entrant.launch(XboardEar::default())?;
        let mut player = Self {
            process,
            abilities: Abilities::default(),
            control: entrant.control.clone(),
            ponders: entrant.ponders,
            pings: 0,
            known: 0,
            is_playing: false,
        };
        player.process.say("xboard");
        player.process.say("protover 2");
        player.hear_features()?;
        player.set(&entrant.options)?;
        player.make_ready()?;
        Ok(player)
    }

    /// Hears what the engine can do until it says that this was all.
    fn hear_features(&mut self) -> Result<(), Trouble> {
        let mut deadline = Instant::now() + FEATURES;
        loop {
            let found = match self.process.listen(Some(deadline)) {
                Ok(Heard { what: Message::Features(found), .. }) => found,
                Ok(_) => continue,
                // It is of the first version and can do nothing that must be asked for.
                Err(Silence::Late) => return Ok(()),
                Err(Silence::Ended) => return Err(Trouble::of_silence(Silence::Ended, FEATURES)),
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
                self.process.say(&format!("{word} {name}"));
            }
        }
    }

    /// Sets an option; `Hash` and `Threads` have words of their own in this protocol.
    fn set_one(&mut self, name: &str, value: &str) -> Result<(), Trouble> {
        let line = match name {
            _ if self.abilities.options.iter().any(|known| known.eq_ignore_ascii_case(name)) => {
                format!("option {name}={value}")
            }
            "Hash" if self.abilities.can_memory => format!("memory {value}"),
            "Threads" if self.abilities.can_cores => format!("cores {value}"),
            _ => return Err(Trouble::Gone(format!("it has no option {name:?}"))),
        };
        self.process.say(&line);
        Ok(())
    }

    /// Waits until everything said so far has been heard, if the engine can tell.
    fn make_ready(&mut self) -> Result<(), Trouble> {
        if !self.abilities.can_ping {
            return Ok(());
        }
        self.pings += 1;
        self.process.say(&format!("ping {}", self.pings));
        let deadline = Instant::now() + READY;
        loop {
            let heard = self.process.listen(Some(deadline));
            let heard = heard.map_err(|silence| Trouble::of_silence(silence, READY))?;
            if heard.what == Message::Pong(self.pings) {
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
        self.process.say(&format!("{prefix}{text}"));
    }

    /// Tells the clocks in hundredths of a second.
    fn say_clocks(&mut self, turn: &Turn<'_>) {
        let side = turn.game.position().side_to_move();
        for (word, color) in [("time", side), ("otim", !side)] {
            if let Some(remaining) = turn.clocks[color].remaining {
                self.process.say(&format!("{word} {}", (remaining.as_millis() / 10).max(1)));
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
    fn set(&mut self, options: &[(String, String)]) -> Result<(), Trouble> {
        options.iter().try_for_each(|(name, value)| self.set_one(name, value))
    }

    fn begin(&mut self, game: &Game) -> Result<(), Trouble> {
        self.process.say("new");
        self.process.say("force");
        if CastlingNotation::of(game.start()) == CastlingNotation::RookSquare {
            self.process.say("variant fischerandom");
        }
        if *game.start() != Position::default() {
            if !self.abilities.can_setboard {
                return Err(Trouble::Gone("it cannot begin from a position".to_owned()));
            }
            self.process.say(&format!("setboard {}", game.start()));
        }
        self.process.say("post");
        self.process.say(if self.ponders { "hard" } else { "easy" });
        if let Some(rule) = self.control.clock {
            let seconds = rule.time.as_secs();
            let (minutes, seconds) = (seconds / 60, seconds % 60);
            let moves = rule.moves.unwrap_or(0);
            self.process
                .say(&format!("level {moves} {minutes}:{seconds:02} {}", rule.increment.as_secs_f64()));
        }
        if let Some(time) = self.control.move_time {
            self.process.say(&format!("st {}", time.as_secs_f64()));
        }
        if let Some(depth) = self.control.depth {
            self.process.say(&format!("sd {depth}"));
        }
        (self.known, self.is_playing) = (0, false);
        self.make_ready()
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<EngineMove, Trouble> {
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
            self.process.say("go");
            self.is_playing = true;
        }
        let deadline = turn.deadline(asked);
        loop {
            let heard = self.process.listen(Some(deadline));
            let Heard { at, what } =
                heard.map_err(|silence| Trouble::of_silence(silence, asked.elapsed()))?;
            match what {
                Message::Move { text, thought } => {
                    let position = game.position();
                    let read = position.parse_uci(&text).ok().or_else(|| position.parse_san(&text).ok());
                    let mv = read.ok_or(Trouble::Illegal(text))?;
                    self.known += 1;
                    return Ok(EngineMove { mv, taken: at.saturating_duration_since(asked), thought });
                }
                Message::Claim(text) => return Err(Trouble::Claim(text)),
                Message::Refused(text) => return Err(Trouble::Illegal(text)),
                Message::Features(_) | Message::Pong(_) => {}
            }
        }
    }

    fn calm(&mut self) -> bool {
        self.process.say("force");
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
        let mut ear = XboardEar::default();
        let told = |ear: &mut XboardEar| match ear.hear("move e2e4") {
            Some(Message::Move { thought, .. }) => thought,
            other => panic!("{other:?}"),
        };
        assert_eq!(ear.hear("9 35 120 48211 e2e4 e7e5"), None);
        let thought = Thought { score: Some(Value::Centipawns(35)), depth: Some(9), nodes: Some(48_211) };
        assert_eq!(told(&mut ear), thought);
        assert_eq!(told(&mut ear), Thought::default(), "it was of the last move");
        ear.hear("12. -100003 7 99 Kh1");
        assert_eq!(told(&mut ear).score, Some(Value::Mate(-3)));
        ear.hear("tellics whisper hello");
        assert_eq!(told(&mut ear), Thought::default());
    }
}
