//! The interface of a player, independent of its protocol.

use std::fmt;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use rukh_chess::Move;
use rukh_chess::game::Game;
use rukh_chess::types::ByColor;
use rukh_eval::Centipawns;
use serde_json::{Value as Json, json};

use super::control::{Clock, Control};
use super::process::{NoReply, OutputParser, Process};

/// The protocol of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Protocol {
    /// The universal chess interface.
    #[default]
    Uci,
    /// The chess engine communication protocol, version 2.
    Xboard,
}

impl Protocol {
    /// The name as `proto=` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Xboard => "xboard",
        }
    }
}

/// An engine that takes part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// Its name.
    pub name: String,
    /// The program.
    pub command: PathBuf,
    /// The arguments of the program.
    pub args: Vec<String>,
    /// The working directory of the program; none for the current one.
    pub directory: Option<PathBuf>,
    /// Its protocol.
    pub protocol: Protocol,
    /// Names and values of options to set.
    pub options: Vec<(String, String)>,
    /// Its time control.
    pub control: Control,
    /// Whether it ponders.
    pub ponders: bool,
}

impl Entrant {
    /// Everything that defines the engine, for the header of a state file.
    pub fn to_json(&self) -> Json {
        // Every field is named, so that a new one cannot be forgotten.
        let Self { name, command, args, directory, protocol, options, control, ponders } = self;
        json!({
            "name": name,
            "command": command.to_string_lossy(),
            "args": args,
            "directory": directory.as_ref().map(|directory| directory.to_string_lossy()),
            "protocol": protocol.name(),
            "options": options,
            "control": control.to_json(),
            "ponder": ponders,
        })
    }

    /// Starts the program, whose lines go to `parser`.
    pub(super) fn launch<E: OutputParser>(&self, parser: E) -> Result<Process<E::Message>, PlayerFault> {
        let mut command = Command::new(&self.command);
        command.args(&self.args);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        Process::start(&mut command, parser)
            .map_err(|error| PlayerFault::Crash(format!("it cannot be started: {error}")))
    }
}

/// The game and the clocks at a turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn<'g> {
    pub(super) game: &'g Game,
    pub(super) clocks: ByColor<Clock>,
    pub(super) controls: ByColor<&'g Control>,
    /// The time limit of a move for an engine without a clock.
    pub(super) patience: Duration,
}

impl Turn<'_> {
    /// The clock and the rules of the side to move.
    pub(super) fn own(&self) -> (&Clock, &Control) {
        let side = self.game.position().side_to_move();
        (&self.clocks[side], self.controls[side])
    }

    /// The deadline of a search that starts now.
    pub(super) fn deadline(&self, now: Instant) -> Instant {
        let (clock, control) = self.own();
        now + clock.patience(control).unwrap_or(self.patience)
    }
}

/// The info of a search, as the engine reports it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchInfo {
    /// The score for the side to move.
    pub score: Option<Value>,
    /// The depth.
    pub depth: Option<u32>,
    /// The nodes.
    pub nodes: Option<u64>,
}

/// A score as engines report it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// As shown to people.
    Centipawns(Centipawns),
    /// A mate in so many moves; negative if the side to move is mated.
    Mate(i32),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Centipawns(centipawns) => centipawns.fmt(f),
            Self::Mate(moves) => write!(f, "{}M{}", if moves < 0 { '-' } else { '+' }, moves.unsigned_abs()),
        }
    }
}

/// The answer to a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EngineMove {
    pub(super) mv: Move,
    pub(super) taken: Duration,
    pub(super) info: SearchInfo,
}

/// A fault of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PlayerFault {
    /// It exited, or could not be started.
    Crash(String),
    /// It did not answer in time; the time it took.
    Late(Duration),
    /// It played something that is no legal move.
    Illegal(String),
    /// It resigned, or claimed a result that the rules do not give.
    Claim(String),
}

impl PlayerFault {
    /// The fault of an engine that gave no answer within this time.
    pub(super) fn from_no_reply(no_reply: NoReply, taken: Duration) -> Self {
        match no_reply {
            NoReply::Ended | NoReply::Flood => Self::Crash(no_reply.to_string()),
            NoReply::Late => Self::Late(taken),
        }
    }
}

/// A player in a game.
pub(super) trait Player: Send {
    /// Sets options. The engine has all of them.
    fn set(&mut self, options: &[(String, String)]) -> Result<(), PlayerFault>;

    /// What the engine said to the options that it was started with.
    fn said(&self) -> &[String] {
        &[]
    }

    /// Starts a new game.
    fn begin(&mut self, game: &Game) -> Result<(), PlayerFault>;

    /// Searches for a move.
    fn search(&mut self, turn: &Turn<'_>) -> Result<EngineMove, PlayerFault>;

    /// Stops any search so that the player is ready for another game; false if it does not answer.
    fn reset(&mut self) -> bool;

    /// Quits the engine.
    fn end(&mut self);
}
