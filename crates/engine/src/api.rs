//! The interface of a search: [`Request`] and [`Limits`] in, [`Event`]s out, [`Settings`] for all searches of an engine.

use std::time::Duration;

use rukh_chess::game::Game;
use rukh_chess::types::ByColor;
use rukh_chess::{Move, Position};
use rukh_eval::Score;

pub use crate::algorithm::{Algorithm, UnknownAlgorithm};
pub use crate::leaf_network::{LeafNetwork, NetworkInput, NetworkOutput};
use crate::strength::Strength;
use crate::technique::TechniqueOverrides;
pub use crate::threads::NoThread;

/// The clock of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Clock {
    /// Time left until the next time control or the end of the game.
    #[cfg_attr(feature = "serde", serde(rename = "remaining_ms", with = "crate::serialize::milliseconds"))]
    pub remaining: Duration,
    /// Increment per move.
    #[cfg_attr(feature = "serde", serde(rename = "increment_ms", with = "crate::serialize::milliseconds"))]
    pub increment: Duration,
}

/// The limits of a search. Without any limit it runs until it is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Limits {
    /// The last iteration.
    pub depth: Option<u32>,
    /// Hard node limit: the search stops within an iteration.
    pub nodes: Option<u64>,
    /// Soft node limit: no new iteration starts after it.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in this many moves is found: for the side to move or, if negative, against it.
    pub mate: Option<i32>,
    /// Fixed time for this move.
    #[cfg_attr(
        feature = "serde",
        serde(rename = "movetime_ms", serialize_with = "crate::serialize::optional_milliseconds")
    )]
    pub movetime: Option<Duration>,
    /// The clocks of both sides. Only the clock of the side to move limits the search.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::clocks"))]
    pub clocks: ByColor<Option<Clock>>,
    /// Moves until the next time control; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Analysis: the move is not reported before the search is stopped, even if it has finished.
    pub is_infinite: bool,
    /// Pondering on the expected move: the clocks do not count until [`crate::Engine::ponder_hit`].
    pub is_ponder: bool,
    /// Only these root moves are searched; empty for all.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::uci_list"))]
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// The hard node limit as a multiple of the soft one.
    const HARD_FACTOR: u64 = 4;

    /// Adds a soft node limit of `nodes`, and the hard limit that follows from it.
    pub(crate) fn restrict(&mut self, nodes: Option<u64>) {
        let least = |limit: Option<u64>, other: Option<u64>| limit.into_iter().chain(other).min();
        self.soft_nodes = least(self.soft_nodes, nodes);
        self.nodes = least(self.nodes, nodes.map(|nodes| Self::HARD_FACTOR * nodes));
    }
}

/// A search request.
#[derive(Clone, Debug)]
pub struct Request {
    /// The game so far; its current position is the root.
    pub game: Game,
    /// The limits of the search.
    pub limits: Limits,
}

impl Request {
    /// A request for a position without game history.
    pub fn from_position(position: Position, limits: Limits) -> Self {
        Self { game: Game::new(position), limits }
    }
}

/// The kind of a score: exact or a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// One reported line (`info` in UCI).
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LineInfo {
    /// The iteration.
    pub depth: u32,
    /// Selective depth: the greatest ply reached.
    pub seldepth: u32,
    /// The rank of this line, from 1.
    pub multipv: usize,
    /// The score for the side to move at the root.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::score"))]
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// WDL: win, draw and loss probability in permille.
    pub wdl: [u32; 3],
    /// The principal variation.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::uci_list"))]
    pub pv: Vec<Move>,
}

/// The progress of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Progress {
    /// Nodes of all threads.
    pub nodes: u64,
    /// Successful tablebase probes.
    pub tablebase_hits: u64,
    /// Permille of the transposition table in use.
    pub hashfull: u32,
    /// Time since the search started.
    #[cfg_attr(feature = "serde", serde(rename = "time_ms", with = "crate::serialize::milliseconds"))]
    pub time: Duration,
}

/// A move of a node of a tree search. Values are for the side that makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TreeMoveInfo {
    /// The move.
    #[cfg_attr(feature = "serde", serde(rename = "move", serialize_with = "crate::serialize::uci"))]
    pub mv: Move,
    /// Visits.
    pub visits: u32,
    /// The prior probability, in ten-thousandths.
    pub prior: u32,
    /// The mean value, win less loss probability, in ten-thousandths; `None` without visits.
    pub value: Option<i32>,
    /// WDL: win, draw and loss probability in permille.
    pub wdl: [u32; 3],
    /// The proven bounds of the result: -1 for a loss, 0 for a draw, 1 for a win.
    pub bounds: [i8; 2],
}

/// An event of a running search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// One of the best lines.
    Line(LineInfo, Progress),
    /// The root move being searched; reported only in long searches.
    CurrentMove {
        /// The iteration.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its number in the move order, from 1.
        number: usize,
    },
    /// The root moves of a tree search, the best first; reported at its end.
    Root(Vec<TreeMoveInfo>),
    /// The search has ended. This is its last event.
    Done {
        /// The best move; `None` if there is no legal move.
        best: Option<Move>,
        /// The expected reply.
        ponder: Option<Move>,
    },
}

// ANCHOR: listener
/// Receives the events of a search, on the search thread.
pub trait Listener: Send + Sync {
    /// Handles an event.
    fn on_event(&self, event: Event);
}
// ANCHOR_END: listener

impl<F: Fn(Event) + Send + Sync> Listener for F {
    fn on_event(&self, event: Event) {
        self(event);
    }
}

/// Settings for all searches of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Settings {
    /// The search algorithm.
    pub algorithm: Algorithm,
    /// Number of search threads. The engine uses fewer where the machine cannot use or the system does not give as many.
    pub threads: usize,
    /// Number of lines to report (MultiPV).
    pub multipv: usize,
    /// Time lost per move outside the engine: GUI, network.
    #[cfg_attr(
        feature = "serde",
        serde(rename = "move_overhead_ms", with = "crate::serialize::milliseconds")
    )]
    pub move_overhead: Duration,
    /// Internal units by which a draw is worse than equal for the side to move at the root.
    pub contempt: i32,
    /// Techniques that are switched against their default.
    #[cfg_attr(feature = "serde", serde(with = "crate::serialize::techniques"))]
    pub overrides: TechniqueOverrides,
    /// Use of tablebases, if there are any.
    pub tablebase: TablebaseUse,
    /// Limited strength; `None` for full strength. Infinite analysis always has full strength.
    #[cfg_attr(feature = "serde", serde(with = "crate::serialize::strength"))]
    pub strength: Option<Strength>,
}

/// How tablebases are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct TablebaseUse {
    /// Least search depth to probe positions with the greatest number of pieces; those with fewer are always probed.
    pub depth: u32,
    /// Greatest number of pieces to probe.
    pub pieces: u32,
    /// Whether the fifty-move rule counts.
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
            algorithm: Algorithm::default(),
            threads: 1,
            multipv: 1,
            move_overhead: Duration::from_millis(10),
            contempt: 0,
            overrides: TechniqueOverrides::default(),
            tablebase: TablebaseUse::default(),
            strength: None,
        }
    }
}

/// The transposition table could not be allocated. The old table stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory {
    /// The requested size.
    pub mebibytes: usize,
}

impl std::fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there is no memory for a table of {} MiB; the old one stays", self.mebibytes)
    }
}

impl std::error::Error for OutOfMemory {}

/// Memory or a thread that the system does not give.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResourceError {
    /// No memory for the transposition table.
    Memory(OutOfMemory),
    /// No thread to search with.
    Thread(NoThread),
}

impl std::fmt::Display for ResourceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Memory(error) => error.fmt(f),
            Self::Thread(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ResourceError {}

impl From<OutOfMemory> for ResourceError {
    fn from(error: OutOfMemory) -> Self {
        Self::Memory(error)
    }
}

impl From<NoThread> for ResourceError {
    fn from(error: NoThread) -> Self {
        Self::Thread(error)
    }
}
