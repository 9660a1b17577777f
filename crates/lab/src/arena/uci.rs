//! A player that speaks UCI.

use std::fmt::Write;
use std::time::{Duration, Instant};

use rukh_chess::game::Game;
use rukh_chess::notation::CastlingNotation;
use rukh_chess::{Color, Move};

use super::player::{EngineMove, Entrant, Player, Thought, Trouble, Turn, Value};
use super::process::{Ear, Heard, Process};

/// How long an engine may take to start or to make ready.
const READY: Duration = Duration::from_secs(20);
/// How long it may take to end a search when told to.
const STOP: Duration = Duration::from_secs(2);

/// What matters of what an engine says.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Message {
    /// It has introduced itself, with these options.
    UciOk(Vec<String>),
    ReadyOk,
    BestMove {
        mv: String,
        ponder: Option<String>,
        thought: Thought,
    },
}

/// Hears lines, and keeps what was said of the best line until the move comes, and of options until all are known.
#[derive(Debug, Default)]
struct UciEar {
    thought: Thought,
    options: Vec<String>,
}

/// No engine has more options; one that floods is not kept in memory.
const OPTIONS_MAX: usize = 10_000;

impl Ear for UciEar {
    type Message = Message;

    fn hear(&mut self, line: &str) -> Option<Message> {
        let mut words = line.split_ascii_whitespace();
        match words.next()? {
            "info" => {
                self.note(words);
                None
            }
            "bestmove" => {
                let mv = words.next().unwrap_or_default().to_owned();
                let ponder = words.next().filter(|&word| word == "ponder").and_then(|_| words.next());
                let thought = std::mem::take(&mut self.thought);
                Some(Message::BestMove { mv, ponder: ponder.map(str::to_owned), thought })
            }
            "readyok" => Some(Message::ReadyOk),
            "uciok" => Some(Message::UciOk(std::mem::take(&mut self.options))),
            "option" => {
                let name =
                    words.skip_while(|&word| word != "name").skip(1).take_while(|&word| word != "type");
                if self.options.len() < OPTIONS_MAX {
                    self.options.push(name.collect::<Vec<_>>().join(" "));
                }
                None
            }
            _ => None,
        }
    }
}

impl UciEar {
    /// What an info line says of the best line.
    fn note<'l>(&mut self, mut words: impl Iterator<Item = &'l str>) {
        let mut heard = Thought::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => heard.depth = words.next().and_then(|word| word.parse().ok()),
                "nodes" => heard.nodes = words.next().and_then(|word| word.parse().ok()),
                "multipv" if words.next() != Some("1") => return,
                "score" => {
                    let kind = words.next();
                    let value = words.next().and_then(|word| word.parse().ok());
                    heard.score = value.and_then(|value| match kind {
                        Some("cp") => Some(Value::Centipawns(value)),
                        Some("mate") => Some(Value::Mate(value)),
                        _ => None,
                    });
                }
                // What follows is text.
                "pv" | "string" => break,
                _ => {}
            }
        }
        self.thought.nodes = heard.nodes.or(self.thought.nodes);
        if heard.score.is_some() {
            self.thought.score = heard.score;
            self.thought.depth = heard.depth.or(self.thought.depth);
        }
    }
}

/// The player.
#[derive(Debug)]
pub(super) struct UciPlayer {
    process: Process<Message>,
    ponders: bool,
    /// Whether it was told that the games are of Chess960.
    is_chess960: bool,
    /// The move that it was told to think about in the time of the other, while it does.
    pondering: Option<Move>,
    /// Whether an answer is still to come.
    is_thinking: bool,
}

impl UciPlayer {
    pub(super) fn start(entrant: &Entrant) -> Result<Self, Trouble> {
        let process = entrant.launch(UciEar::default())?;
        let mut player = Self {
            process,
            ponders: entrant.ponders,
            is_chess960: false,
            pondering: None,
            is_thinking: false,
        };
        player.process.say("uci");
        let mut known = Vec::new();
        player.wait(READY, |message| match message {
            Message::UciOk(options) => {
                known = options;
                true
            }
            _ => false,
        })?;
        let is_known = |name: &str| known.iter().any(|known| known.eq_ignore_ascii_case(name));
        for (name, value) in &entrant.options {
            if !is_known(name) {
                return Err(Trouble::Gone(format!("it has no option {name:?}")));
            }
            player.process.say(&format!("setoption name {name} value {value}"));
        }
        if entrant.ponders && is_known("Ponder") {
            player.process.say("setoption name Ponder value true");
        }
        player.make_ready()?;
        Ok(player)
    }

    /// Waits for a message.
    fn wait(&mut self, patience: Duration, mut is_it: impl FnMut(Message) -> bool) -> Result<(), Trouble> {
        let deadline = Instant::now() + patience;
        loop {
            let heard = self
                .process
                .listen(Some(deadline))
                .map_err(|silence| Trouble::of_silence(silence, patience))?;
            if is_it(heard.what) {
                return Ok(());
            }
        }
    }

    fn make_ready(&mut self) -> Result<(), Trouble> {
        self.process.say("isready");
        self.wait(READY, |message| message == Message::ReadyOk)
    }

    /// The move that ends the search under way.
    fn best_move(&mut self, deadline: Instant) -> Result<Heard<(String, Option<String>, Thought)>, Trouble> {
        let asked = Instant::now();
        loop {
            let Heard { at, what } = self
                .process
                .listen(Some(deadline))
                .map_err(|silence| Trouble::of_silence(silence, asked.elapsed()))?;
            if let Message::BestMove { mv, ponder, thought } = what {
                self.is_thinking = false;
                return Ok(Heard { at, what: (mv, ponder, thought) });
            }
        }
    }

    fn go(&mut self, turn: &Turn<'_>, is_ponder: bool) {
        self.process.say(&go_line(turn, is_ponder));
        self.is_thinking = true;
    }

    /// Ends a search whose result nobody wants.
    fn stop(&mut self) -> Result<(), Trouble> {
        self.pondering = None;
        if self.is_thinking {
            self.process.say("stop");
            self.best_move(Instant::now() + STOP)?;
        }
        Ok(())
    }
}

impl Player for UciPlayer {
    fn set(&mut self, options: &[(String, String)]) -> Result<(), Trouble> {
        self.stop()?;
        for (name, value) in options {
            self.process.say(&format!("setoption name {name} value {value}"));
        }
        Ok(())
    }

    fn begin(&mut self, game: &Game) -> Result<(), Trouble> {
        self.stop()?;
        let is_chess960 = CastlingNotation::of(game.start()) == CastlingNotation::RookSquare;
        if is_chess960 != self.is_chess960 {
            self.process.say(&format!("setoption name UCI_Chess960 value {is_chess960}"));
            self.is_chess960 = is_chess960;
        }
        self.process.say("ucinewgame");
        self.make_ready()
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<EngineMove, Trouble> {
        let foreseen = self.pondering.take();
        let is_hit = foreseen.is_some() && turn.game.moves().last() == foreseen.as_ref();
        if !is_hit {
            self.stop()?;
            self.process.say(&position_line(turn.game, None));
        }
        let asked = Instant::now();
        if is_hit {
            self.process.say("ponderhit");
        } else {
            self.go(turn, false);
        }
        let Heard { at, what: (text, ponder, thought) } = self.best_move(turn.deadline(asked))?;
        let taken = at.saturating_duration_since(asked);
        let position = turn.game.position();
        let mv = position.parse_uci(&text).map_err(|_| Trouble::Illegal(text))?;
        let foreseen =
            ponder.filter(|_| self.ponders).and_then(|reply| position.after(mv).parse_uci(&reply).ok());
        if let Some(reply) = foreseen {
            // When the reply comes, the clock will stand where this move has left it.
            let side = position.side_to_move();
            let mut later = *turn;
            if later.clocks[side].spend(turn.controls[side], taken).is_ok() {
                self.process.say(&position_line(turn.game, Some((mv, reply))));
                self.go(&later, true);
                self.pondering = Some(reply);
            }
        }
        Ok(EngineMove { mv, taken, thought })
    }

    fn calm(&mut self) -> bool {
        self.stop().and_then(|()| self.make_ready()).is_ok()
    }

    fn end(&mut self) {
        self.process.end("quit");
    }
}

/// The position of a game, and two moves more if it is to be thought about ahead.
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
