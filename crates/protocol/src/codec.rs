//! The codec: the interface between the session and a protocol. Lines to commands, replies to lines.

use rukh_chess::game::Ending;
use rukh_chess::notation::CastlingNotation;
use rukh_chess::{Move, Position};
use rukh_engine::api::{Event, Progress};

use crate::command::Command;

/// The result of decoding a line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DecodedLine {
    /// The commands, in order of execution.
    pub commands: Vec<Command>,
    /// What could not be decoded, a clause each.
    pub errors: Vec<String>,
}

/// What a session sends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// The engine's name and its options.
    Identity,
    /// All commands so far have been executed.
    Ready,
    /// A message for the user.
    Message(String),
    /// A line that was not accepted.
    Error {
        /// The reason.
        sentence: String,
        /// The line.
        line: String,
    },
    /// A move that was not accepted.
    Illegal {
        /// The move as received.
        text: String,
        /// The reason.
        sentence: String,
    },
    /// A position that was not accepted, with the reason.
    BadPosition(String),
    /// The answer to the ping of this number.
    Pong(u64),
    /// The engine's move.
    Move(Move),
    /// The game has ended.
    End(Ending),
    /// The engine accepts a draw.
    Draw,
    /// The move that the engine expects or suggests.
    Hint(Move),
    /// The book moves with their weights.
    Book(Vec<(Move, u16)>),
    /// The state of an analysis.
    Status(AnalysisStatus),
    /// Text for the user, in one or more lines.
    Text(String),
    /// The list of commands.
    Help,
    /// A search event.
    Event(Event),
}

/// The state of an analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnalysisStatus {
    /// The iteration.
    pub depth: u32,
    /// Nodes and time.
    pub progress: Progress,
    /// The current root move and its number from 1; none before the first is reported.
    pub current: Option<(Move, usize)>,
    /// The number of legal moves.
    pub moves: usize,
}

/// How moves and scores of a search are written. It is fixed when the search starts, so that options changed during a
/// search do not change its output.
#[derive(Clone, Debug)]
pub struct OutputFormat {
    /// The root position.
    pub root: Position,
    /// The spelling of castling moves.
    pub castling: CastlingNotation,
    /// Whether WDL is written.
    pub shows_wdl: bool,
    /// Whether the table of the root moves is written.
    pub shows_root: bool,
    /// Whether lines are written during the search.
    pub shows_thinking: bool,
    /// The ponder move that led to the root, in SAN.
    pub ponder_move: Option<String>,
}

/// A protocol's spelling of commands and replies.
pub trait Codec: Send + Sync {
    /// Decodes as much of a line as possible. Any text is allowed.
    fn decode(&self, line: &str) -> DecodedLine;

    /// The lines of a reply, without the final line break; `None` if the protocol has no such reply.
    fn encode(&self, reply: &Reply, format: &OutputFormat) -> Option<String>;
}
