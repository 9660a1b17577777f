//! What a game asks of a player, whatever protocol it speaks.

use std::fmt;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use rukh_chess::Move;
use rukh_chess::game::Game;
use rukh_chess::types::ByColor;
use serde_json::{Value as Json, json};

use super::control::{Clock, Control};
use super::process::{Ear, Process, Silence};

/// A language that engines speak.
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
    /// How it is called.
    pub name: String,
    /// The program.
    pub command: PathBuf,
    /// What the program is started with.
    pub args: Vec<String>,
    /// Where the program is started; here if not said.
    pub directory: Option<PathBuf>,
    /// The language it speaks.
    pub protocol: Protocol,
    /// Names and values of options to set.
    pub options: Vec<(String, String)>,
    /// How long it may think.
    pub control: Control,
    /// Whether it thinks in the time of the other.
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

    /// Starts the program, whose lines go to `ear`.
    pub(super) fn launch<E: Ear>(&self, ear: E) -> Result<Process<E::Message>, Trouble> {
        let mut command = Command::new(&self.command);
        command.args(&self.args);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        Process::start(&mut command, ear)
            .map_err(|error| Trouble::Gone(format!("it cannot be started: {error}")))
    }
}

/// Whose turn it is, and how both stand in time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn<'g> {
    pub(super) game: &'g Game,
    pub(super) clocks: ByColor<Clock>,
    pub(super) controls: ByColor<&'g Control>,
    /// How long an engine without a limit in time may take before it counts as hanging.
    pub(super) patience: Duration,
}

impl Turn<'_> {
    /// The clock and the rules of the side to move.
    pub(super) fn own(&self) -> (&Clock, &Control) {
        let side = self.game.position().side_to_move();
        (&self.clocks[side], self.controls[side])
    }

    /// When the answer to a question asked now is late.
    pub(super) fn deadline(&self, now: Instant) -> Instant {
        let (clock, control) = self.own();
        now + clock.patience(control).unwrap_or(self.patience)
    }
}

/// What an engine said of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// The score for the side to move.
    pub score: Option<Value>,
    /// How deep it looked.
    pub depth: Option<u32>,
    /// Positions it looked at.
    pub nodes: Option<u64>,
}

/// A score as engines tell it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// In centipawns.
    Centipawns(i32),
    /// A mate in so many moves; negative if the side to move is mated.
    Mate(i32),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Centipawns(value) => write!(f, "{:+.2}", f64::from(value) / 100.0),
            Self::Mate(moves) => write!(f, "{}M{}", if moves < 0 { '-' } else { '+' }, moves.unsigned_abs()),
        }
    }
}

/// The answer to a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EngineMove {
    pub(super) mv: Move,
    pub(super) taken: Duration,
    pub(super) thought: Thought,
}

/// What can go wrong with a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    /// It ended, or never began.
    Gone(String),
    /// It did not answer in time; so long it has taken.
    Late(Duration),
    /// It played something that is no legal move.
    Illegal(String),
    /// It gives up, or says that the game is over when it is not.
    Claim(String),
}

impl Trouble {
    /// An engine was silent for so long.
    pub(super) fn of_silence(silence: Silence, taken: Duration) -> Self {
        match silence {
            Silence::Ended => Self::Gone(silence.to_string()),
            Silence::Late => Self::Late(taken),
        }
    }
}

/// One who plays.
pub(super) trait Player: Send {
    /// Sets options, of which the engine is known to have all.
    fn set(&mut self, options: &[(String, String)]) -> Result<(), Trouble>;

    /// A new game begins.
    fn begin(&mut self, game: &Game) -> Result<(), Trouble>;

    /// Asks for a move.
    fn think(&mut self, turn: &Turn<'_>) -> Result<EngineMove, Trouble>;

    /// The game is over, or this turn is: whatever it is doing, it is to be ready for another. False if it cannot be.
    fn calm(&mut self) -> bool;

    /// Ends it.
    fn end(&mut self);
}
