//! The seam between a session and a protocol: lines to commands, replies to lines.

use rukh_chess::Position;
use rukh_chess::notation::CastlingNotation;
use rukh_engine::api::Event;

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
    /// Text that a person has asked for; it may have many lines.
    Text(String),
    /// The list of commands.
    Help,
    /// A search tells something.
    Event(Event),
}

/// How the moves and scores of a search are to be shown. It is fixed when the search begins, so that a search
/// speaks in one way to its end.
#[derive(Clone, Debug)]
pub struct View {
    /// The position that is searched.
    pub root: Position,
    /// How castling is written.
    pub castling: CastlingNotation,
    /// Whether the chances to win, draw and lose are told.
    pub shows_wdl: bool,
}

/// A protocol: how it spells commands and replies.
pub trait Codec: Send + Sync {
    /// Understands a line as far as possible; any text is allowed.
    fn read(&self, line: &str) -> Reading;

    /// The lines for a reply, without a line break at the end; nothing if the protocol has no words for it.
    fn write(&self, reply: &Reply, view: &View) -> Option<String>;
}
