//! The seam between a session and a protocol: lines to commands, replies to lines.

use rukh_chess::game::Ending;
use rukh_chess::notation::CastlingNotation;
use rukh_chess::{Move, Position};
use rukh_engine::api::{Event, Progress};

use crate::command::Command;

/// What was understood of a line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// What is to be done, in this order.
    pub commands: Vec<Command>,
    /// What could not be understood, a clause each.
    pub complaints: Vec<String>,
}

/// Something a session says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Who is here, and what can be set.
    Identity,
    /// Everything so far has been heard.
    Ready,
    /// A sentence for the person behind the other program: a complaint or a remark.
    Remark(String),
    /// A line that was not understood, and why.
    Complaint {
        /// Why.
        sentence: String,
        /// The line.
        line: String,
    },
    /// A move that cannot be played.
    Illegal {
        /// The move as it was written.
        text: String,
        /// Why not.
        sentence: String,
    },
    /// A position that cannot be set up, and why.
    BadPosition(String),
    /// Everything before this number has been heard.
    Pong(u64),
    /// The engine plays this.
    Move(Move),
    /// The game has ended.
    End(Ending),
    /// A draw is welcome.
    Draw,
    /// The move that the engine would expect.
    Hint(Move),
    /// What the book plays and how often, as moves and weights.
    Book(Vec<(Move, u16)>),
    /// How far an analysis has come.
    Status(Status),
    /// Text that a person has asked for; it may have many lines.
    Text(String),
    /// The list of commands.
    Help,
    /// A search tells something.
    Event(Event),
}

/// How far an analysis has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Status {
    /// The iteration.
    pub depth: u32,
    /// Positions and time.
    pub progress: Progress,
    /// The move that is looked at, with its number from 1; none if that has not been told.
    pub current: Option<(Move, usize)>,
    /// Moves in all.
    pub moves: usize,
}

/// How the moves and scores of a search are to be shown. It is fixed when the search begins, so that a search
/// speaks in one way to its end.
#[derive(Clone, Debug)]
pub struct OutputFormat {
    /// The position that is searched.
    pub root: Position,
    /// How castling is written.
    pub castling: CastlingNotation,
    /// Whether the chances to win, draw and lose are told.
    pub shows_wdl: bool,
    /// Whether lines are told before the move.
    pub shows_lines: bool,
    /// The move that led to the root and is only a guess, in algebraic notation.
    pub guess: Option<String>,
}

/// A protocol: how it spells commands and replies.
pub trait Codec: Send + Sync {
    /// Understands a line as far as possible; any text is allowed.
    fn read(&self, line: &str) -> Reading;

    /// The lines for a reply, without a line break at the end; nothing if the protocol has no words for it.
    fn write(&self, reply: &Reply, view: &OutputFormat) -> Option<String>;
}
