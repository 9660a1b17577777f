//! What a search is asked, and what it tells.

use std::time::Duration;

use rukh_chess::game::Game;
use rukh_chess::types::ByColor;
use rukh_chess::{Move, Position};
use rukh_eval::Score;

use crate::strength::Strength;
use crate::technique::TechniqueOverrides;

/// The time one side has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Clock {
    /// What is left until the time control, or the end of the game.
    #[cfg_attr(feature = "serde", serde(rename = "remaining_ms", with = "crate::serialize::milliseconds"))]
    pub remaining: Duration,
    /// What is added after each move.
    #[cfg_attr(feature = "serde", serde(rename = "increment_ms", with = "crate::serialize::milliseconds"))]
    pub increment: Duration,
}

/// When a search must end. Without any limit it goes on until it is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Limits {
    /// Iterations.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Positions visited after which no other iteration is begun.
    pub soft_nodes: Option<u64>,
    /// A mate in this many moves is enough, by the side to move or, if negative, of it.
    pub mate: Option<i32>,
    /// Time for this move.
    #[cfg_attr(
        feature = "serde",
        serde(rename = "movetime_ms", serialize_with = "crate::serialize::optional_milliseconds")
    )]
    pub movetime: Option<Duration>,
    /// The clocks of both sides; the side to move goes by its own, and without one has no limit from it.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::clocks"))]
    pub clocks: ByColor<Option<Clock>>,
    /// Moves until the next time control; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Report no move before being stopped, even if there is nothing left to find out.
    pub is_infinite: bool,
    /// The move before has only been guessed: the clocks do not count until [`crate::Engine::ponder_hit`].
    pub is_ponder: bool,
    /// Only these moves are looked at; all, if there are none here.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::uci_list"))]
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// A search that goes on for this many times its nodes, in one long iteration, is cut short.
    const HARD_FACTOR: u64 = 4;

    /// No more nodes than these, and no other iteration after them.
    pub(crate) fn restrict(&mut self, nodes: Option<u64>) {
        let least = |limit: Option<u64>, other: Option<u64>| limit.into_iter().chain(other).min();
        self.soft_nodes = least(self.soft_nodes, nodes);
        self.nodes = least(self.nodes, nodes.map(|nodes| Self::HARD_FACTOR * nodes));
    }
}

/// What to search.
#[derive(Clone, Debug)]
pub struct Request {
    /// The game so far; its present position is the root.
    pub game: Game,
    /// When to end.
    pub limits: Limits,
}

impl Request {
    /// A search from a position without a past.
    pub fn from_position(position: Position, limits: Limits) -> Self {
        Self { game: Game::new(position), limits }
    }
}

/// How a reported score relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Bound {
    /// It is the score.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// What is known of one of the best lines.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LineInfo {
    /// The iteration.
    pub depth: u32,
    /// The longest line looked at.
    pub seldepth: u32,
    /// The rank of this line, from 1.
    pub multipv: usize,
    /// The score for the side to move at the root.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::score"))]
    pub score: Score,
    /// How the score is meant.
    pub bound: Bound,
    /// Chances to win, draw and lose in thousandths.
    pub wdl: [u32; 3],
    /// The moves.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::uci_list"))]
    pub pv: Vec<Move>,
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Progress {
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Tablebase look-ups that found something.
    pub tablebase_hits: u64,
    /// Thousandths of the table in use.
    pub hashfull: u32,
    /// Since the search began.
    #[cfg_attr(feature = "serde", serde(rename = "time_ms", with = "crate::serialize::milliseconds"))]
    pub time: Duration,
}

/// Something a search tells while it runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// One of the best lines.
    Line(LineInfo, Progress),
    /// The move at the root that is being looked at, and its number from 1; only in searches that take long.
    CurrentMove {
        /// The iteration.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its place among the moves.
        number: usize,
    },
    /// The end: the move to play, if there is one, and the answer expected to it. It is the last event of a search.
    Done {
        /// The best move; none where there is no legal move.
        best: Option<Move>,
        /// The expected answer.
        ponder: Option<Move>,
    },
}

/// Hears what a search tells, from the search's own thread.
pub trait Listener: Send + Sync {
    /// Something happened.
    fn on_event(&self, event: Event);
}

impl<F: Fn(Event) + Send + Sync> Listener for F {
    fn on_event(&self, event: Event) {
        self(event);
    }
}

/// What can be set for all searches of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Settings {
    /// Threads to search with.
    pub threads: usize,
    /// How many best lines are reported.
    pub multipv: usize,
    /// Time that passes between our answer and the opponent's clock starting.
    #[cfg_attr(
        feature = "serde",
        serde(rename = "move_overhead_ms", with = "crate::serialize::milliseconds")
    )]
    pub move_overhead: Duration,
    /// Centipawns by which a draw is worse than equal for the side to move at the root.
    pub contempt: i32,
    /// Techniques that are the other way round than in play.
    #[cfg_attr(feature = "serde", serde(with = "crate::serialize::techniques"))]
    pub switched: TechniqueOverrides,
    /// How tables of endings are used, where there are any.
    pub tablebase: TablebaseUse,
    /// How strong to play; none to hold nothing back. An endless search always holds nothing back.
    #[cfg_attr(feature = "serde", serde(with = "crate::serialize::strength"))]
    pub strength: Option<Strength>,
}

/// How tables of endings are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct TablebaseUse {
    /// With the most pieces that are looked up at all, positions are looked up from this depth on.
    pub depth: u32,
    /// No position with more pieces is looked up.
    pub pieces: u32,
    /// Whether the fifty moves count.
    pub counts_fifty: bool,
}

impl Default for TablebaseUse {
    fn default() -> Self {
        Self { depth: 1, pieces: 7, counts_fifty: true }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: 1,
            multipv: 1,
            move_overhead: Duration::from_millis(10),
            contempt: 0,
            switched: TechniqueOverrides::default(),
            tablebase: TablebaseUse::default(),
            strength: None,
        }
    }
}

/// There is not as much memory as was asked for; the old table is still there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory {
    /// What was asked for.
    pub mebibytes: usize,
}

impl std::fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there is no memory for a table of {} MiB; the old one stays", self.mebibytes)
    }
}

impl std::error::Error for OutOfMemory {}
