//! A game through XBoard: the engine plays one side, random moves the other.

use std::time::{Duration, Instant};

use rukh_chess::game::Game;
use rukh_chess::notation::CastlingNotation;
use rukh_chess::random::SplitMix64;
use rukh_chess::{Color, Move, Position};

use super::conversation::{Complaint, Conversation};
use super::facts::{Conditions, Counts, Facts, is_result};
use super::report::InfoLine;
use super::scenario::{Draw, Scenario};
use super::settings::Soak;

/// A game through XBoard.
pub(super) struct XboardGame<'g> {
    soak: &'g Soak,
    scenario: &'g Scenario,
    talk: &'g mut Conversation,
    random: SplitMix64,
    facts: Facts<'g>,
    counts: &'g mut Counts,
    game: Game,
    /// The games from which lines may still come: the current one and some before it.
    roots: Vec<Game>,
    side: Color,
    /// Whether the engine waits for `go`.
    is_forced: bool,
    pings_due: Vec<u64>,
    /// The time for a move.
    allowed: Duration,
}

/// What a line is, beyond what is checked at once.
enum Heard {
    /// The engine's move.
    Move(Move),
    /// The result of the game.
    Result,
    /// Anything else.
    Other,
}

/// Milliseconds for a move whose time is counted in nodes.
const NODE_TIME: u64 = 10_000;
/// Lines of this many earlier positions may still come.
const ROOTS: usize = 4;

impl<'g> XboardGame<'g> {
    pub(super) fn new(
        soak: &'g Soak,
        scenario: &'g Scenario,
        talk: &'g mut Conversation,
        mut random: SplitMix64,
        facts: Facts<'g>,
        counts: &'g mut Counts,
    ) -> Self {
        let game = Game::new(scenario.start.clone());
        let side = if random.happens(50) { Color::White } else { Color::Black };
        let roots = vec![game.clone()];
        let (is_forced, pings_due, allowed) = (true, Vec::new(), Duration::ZERO);
        Self { soak, scenario, talk, random, facts, counts, game, roots, side, is_forced, pings_due, allowed }
    }

    /// Plays the game.
    pub(super) fn play(&mut self) -> Result<(), Complaint> {
        self.set_up()?;
        for _ in 0..self.scenario.plies {
            if self.game.position().side_to_move() != self.side {
                if self.game.ending().is_some() {
                    break;
                }
                self.oppose()?;
            } else if self.engine_turn()?.is_none() {
                break;
            }
        }
        self.talk.quit()
    }

    /// Sets options, position and time control, and waits until they are set.
    fn set_up(&mut self) -> Result<(), Complaint> {
        let Scenario { is_chess960, threads, hash, multipv, ponders, .. } = *self.scenario;
        for line in ["xboard", "protover 2"] {
            self.talk.send(line)?;
        }
        while self.talk.receive()? != "feature done=1" {}
        let mut lines = vec!["new".to_owned(), "force".to_owned()];
        lines.extend(is_chess960.then(|| "variant fischerandom".to_owned()));
        lines.push(format!("memory {hash}"));
        lines.push(format!("cores {threads}"));
        lines.push(format!("option MultiPV={multipv}"));
        for (name, value) in &self.scenario.options {
            let value = if value == "true" { "1" } else { value };
            lines.push(format!("option {name}={value}"));
        }
        if let Some(path) = self.soak.tables.as_ref().filter(|_| self.scenario.uses_tables) {
            lines.push(format!("egtpath syzygy {path}"));
        }
        lines.push(format!("setboard {}", self.scenario.start));
        lines.push(if ponders { "hard" } else { "easy" }.to_owned());
        lines.push(self.random.one_of(&["post", "post", "nopost"]).to_string());
        lines.extend(self.draw_control());
        for line in lines {
            self.talk.send(line)?;
        }
        self.ping()?;
        while !self.pings_due.is_empty() {
            self.hear_any()?;
        }
        Ok(())
    }

    fn draw_control(&mut self) -> Vec<String> {
        let random = &mut self.random;
        let most = 1 << self.scenario.node_bits();
        let (lines, allowed) = match random.below(4) {
            0 => (vec!["st 0.004".to_owned()], 4),
            1 => (vec![format!("level {} 0:0.1 0.01", random.below(3) * 20)], 110),
            2 => (vec!["st 0.02".to_owned(), format!("sd {}", random.between(1, 5))], 20),
            // The time is counted in nodes.
            _ => (vec!["st 1".to_owned(), format!("nps {}", random.between(1, most))], NODE_TIME),
        };
        self.allowed = Duration::from_millis(allowed);
        lines
    }

    fn ping(&mut self) -> Result<(), Complaint> {
        let number = self.random.below(1_000_000);
        self.pings_due.push(number);
        self.talk.send(format!("ping {number}"))
    }

    /// The game has changed: lines may come from here.
    fn add_root(&mut self) {
        self.roots.push(self.game.clone());
        let surplus = self.roots.len().saturating_sub(ROOTS);
        self.roots.drain(..surplus);
    }

    /// A random move of the other side, or something else that a GUI does when it is its turn.
    fn oppose(&mut self) -> Result<(), Complaint> {
        if self.random.happens(10) {
            let until = Instant::now() + Duration::from_micros(self.random.below(3_000));
            self.hear_until(until)?;
        }
        match self.random.below(100) {
            0..4 => self.analyse()?,
            4..8 if self.game.moves().len() >= 2 => {
                self.talk.send("remove")?;
                self.game.take_back();
                self.game.take_back();
                self.add_root();
            }
            8..12 => self.talk.send("draw")?,
            12..16 => self.talk.send("hint")?,
            16..20 => self.talk.send("bk")?,
            _ => {}
        }
        let mv = *self.random.one_of(&self.game.position().legal_moves());
        let text = move_text(self.game.position(), mv, self.scenario.is_chess960);
        if self.random.happens(30) {
            self.talk.send(format!("time {}", self.random.between(5, 20)))?;
            self.talk.send(format!("otim {}", self.random.between(0, 2_000)))?;
        }
        self.talk.send(format!("usermove {text}"))?;
        self.game.play(mv).map_err(|error| error.to_string())?;
        self.add_root();
        Ok(())
    }

    /// Analysis of the current position, which the engine leaves in force mode.
    fn analyse(&mut self) -> Result<(), Complaint> {
        self.talk.send("analyze")?;
        self.is_forced = true;
        let until = Instant::now() + Duration::from_micros(self.random.below(3_000));
        self.hear_until(until)?;
        self.talk.send(".")?;
        self.talk.send("exit")?;
        self.ping()?;
        while !self.pings_due.is_empty() {
            self.hear_any()?;
        }
        Ok(())
    }

    /// The engine's turn: its move, or `None` if the game is over.
    fn engine_turn(&mut self) -> Result<Option<Move>, Complaint> {
        let begun = Instant::now();
        if self.is_forced {
            self.talk.send("go")?;
            self.is_forced = false;
        }
        if self.random.happens(15) {
            self.ping()?;
        }
        let is_over = self.game.ending().is_some();
        if !is_over && self.random.happens(10) {
            let until = Instant::now() + Duration::from_micros(self.random.below(3_000));
            if let Some(mv) = self.hear_until(until)? {
                return self.accept(mv, begun).map(Some);
            }
            self.talk.send("?")?;
        }
        loop {
            match self.hear()? {
                Heard::Move(mv) if !is_over => return self.accept(mv, begun).map(Some),
                Heard::Result if is_over => return Ok(None),
                Heard::Other => {}
                Heard::Move(_) | Heard::Result => {
                    return Err("a move after the end, or an end before it".to_owned());
                }
            }
        }
    }

    /// Plays the engine's move. If it ends the game, the engine says so.
    fn accept(&mut self, mv: Move, begun: Instant) -> Result<Move, Complaint> {
        self.counts.searches += 1;
        let spent = begun.elapsed();
        if spent > self.allowed + self.soak.slack {
            return Err(format!("{} ms were spent of {}", spent.as_millis(), self.allowed.as_millis()));
        }
        self.game.play(mv).map_err(|error| error.to_string())?;
        self.add_root();
        while self.game.ending().is_some() {
            if let Heard::Result = self.hear()? {
                break;
            }
        }
        Ok(mv)
    }

    /// Checks one line that is neither a move nor a result.
    fn hear_any(&mut self) -> Result<(), Complaint> {
        match self.hear()? {
            Heard::Other => Ok(()),
            Heard::Move(_) | Heard::Result => Err("the engine moves out of turn".to_owned()),
        }
    }

    /// Checks lines until a time, or until a move comes.
    fn hear_until(&mut self, until: Instant) -> Result<Option<Move>, Complaint> {
        while let Some(line) = self.talk.receive_before(until)? {
            match self.check(&line)? {
                Heard::Move(mv) if self.game.position().side_to_move() == self.side => return Ok(Some(mv)),
                Heard::Other => {}
                Heard::Result if self.game.ending().is_some() => {}
                Heard::Move(_) | Heard::Result => return Err("the engine moves out of turn".to_owned()),
            }
        }
        Ok(None)
    }

    fn hear(&mut self) -> Result<Heard, Complaint> {
        let line = self.talk.receive()?;
        self.check(&line)
    }

    /// Checks a line.
    fn check(&mut self, line: &str) -> Result<Heard, Complaint> {
        let word = line.split([' ', '\t']).next().unwrap_or_default();
        match word {
            "move" => {
                let text = line.strip_prefix("move ").unwrap_or_default();
                let position = self.game.position();
                let mv = position.parse_uci(text).or_else(|_| position.parse_san(text));
                return mv.map(Heard::Move).map_err(|error| format!("{error} in {line:?}"));
            }
            "1-0" | "0-1" | "1/2-1/2" if is_result(&self.game, line) => return Ok(Heard::Result),
            "pong" => {
                let number: Option<u64> = line.strip_prefix("pong ").and_then(|text| text.parse().ok());
                let due = self.pings_due.iter().position(|&due| Some(due) == number);
                self.pings_due.remove(due.ok_or_else(|| format!("{line:?} answers nothing"))?);
            }
            // Book moves are listed in lines that start with a tab and end with an empty one.
            "" | "#" | "stat01:" | "Hint:" | "offer" => {}
            word if word.parse::<u32>().is_ok() => self.check_thinking(line)?,
            _ => return Err(format!("an unexpected line: {line:?}")),
        }
        Ok(Heard::Other)
    }

    /// A line of thinking must be right for one of the positions from which it may come.
    fn check_thinking(&mut self, line: &str) -> Result<(), Complaint> {
        let pondered =
            line.split_once("\t(").and_then(|(_, rest)| rest.split_once(')')).map(|(text, _)| text);
        let conditions = Conditions {
            is_full_strength: self.scenario.is_full_strength && self.scenario.multipv == 1,
            has_tables: self.scenario.uses_tables,
            has_full_width: !self.scenario.is_tree_search(),
            has_all_moves: true,
        };
        let mut complaint = format!("no position for {line:?}");
        for root in self.roots.iter().rev() {
            let mut game = root.clone();
            if let Some(text) = pondered {
                let mv = game.position().parse_san(text);
                if mv.is_err() || mv.is_ok_and(|mv| game.play(mv).is_err()) {
                    continue;
                }
            }
            let reported = InfoLine::parse_xboard(line, game.position(), pondered);
            let checked = reported.and_then(|line| self.facts.check(&game, &line, conditions, self.counts));
            match checked {
                Ok(()) => return Ok(()),
                Err(what) => complaint = format!("{what}: {line:?}"),
            }
        }
        Err(complaint)
    }
}

/// A move as XBoard sends it: castling in Chess960 as in SAN.
fn move_text(position: &Position, mv: Move, is_chess960: bool) -> String {
    match mv.is_castling() && is_chess960 {
        true => position.san(mv).trim_end_matches(['+', '#']).to_owned(),
        false => position.uci(mv, CastlingNotation::KingTarget),
    }
}
