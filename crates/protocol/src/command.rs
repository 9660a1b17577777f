//! Commands to a session, independent of the protocol.
//!
//! Moves and positions are still text: their meaning depends on the session's position. How a protocol spells a
//! command is unknown here.

use std::time::Duration;

use rukh_chess::types::ByColor;

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Send the engine's name and options.
    Identify,
    /// Turn debug messages on or off.
    Debug(bool),
    /// Reply as soon as all earlier commands have been executed.
    IsReady,
    /// Set an option, or press a button.
    SetOption {
        /// The name as received.
        name: String,
        /// The value, if there is one.
        value: Option<String>,
    },
    /// A new game follows: clear the engine's state. The position stays until another one is set.
    NewGame,
    /// Set up a position and play moves from it.
    Position {
        /// The start position.
        start: StartPosition,
        /// The moves as received.
        moves: Vec<String>,
    },
    /// Start a search.
    Go(Go),
    /// Run perft to this depth.
    Perft(u32),
    /// Stop the search or perft.
    Stop,
    /// The ponder move was played.
    PonderHit,
    /// End the session.
    Quit,
    /// Show the position.
    Display,
    /// Show the static evaluation.
    Eval,
    /// Explain a move.
    Explain {
        /// The words after the command.
        arguments: Vec<String>,
    },
    /// Swap the colours of the position.
    Flip,
    /// Run the benchmark.
    Bench {
        /// The words after the command.
        arguments: Vec<String>,
    },
    /// Generate opening positions.
    Openings {
        /// The words after the command.
        arguments: Vec<String>,
    },
    /// List the tunables.
    Tunables,
    /// List the commands.
    Help,
    /// Switch to the XBoard protocol.
    SwitchToXboard,
    /// A command of a game that the engine conducts: it keeps the position, the clocks and its side.
    Game(GameCommand),
}

/// A command to an engine that conducts its own game, as in XBoard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameCommand {
    /// Start a new game. The engine plays Black.
    New,
    /// Play this variant.
    Variant(String),
    /// Enter force mode: play neither side.
    Force,
    /// Play the side to move, starting now.
    Go,
    /// Play the side that is not to move.
    PlayOther,
    /// Enter analyse mode.
    Analyse,
    /// Leave analyse mode.
    EndAnalysis,
    /// Set the time control.
    Level {
        /// Moves per time control; `None` for the whole game.
        moves: Option<u32>,
        /// Time for them.
        base: Duration,
        /// Increment per move.
        increment: Duration,
    },
    /// Set a fixed time per move.
    MoveTime(Duration),
    /// Limit the depth; `None` for no limit.
    Depth(Option<u32>),
    /// Measure time in nodes, this many per second; `None` for wall time.
    NodeRate(Option<u64>),
    /// The time left on the engine's clock.
    EngineTime(Duration),
    /// The time left on the opponent's clock.
    OpponentTime(Duration),
    /// Move now.
    MoveNow,
    /// The opponent's move as received.
    Move(String),
    /// Take back this many half-moves.
    TakeBack(usize),
    /// Set up a position, not yet validated.
    SetBoard(String),
    /// Set up these pieces, given as the first field of a FEN; the side to move stays.
    SetPieces(String),
    /// Turn pondering on or off.
    Ponder(bool),
    /// Turn thinking output on or off.
    Post(bool),
    /// Reply with this number when all earlier commands have been executed.
    Ping(u64),
    /// Exclude moves from the analysis, or include them again.
    Exclude {
        /// Which moves.
        moves: MoveSelection,
        /// Whether they are excluded.
        is_excluded: bool,
    },
    /// Report the state of the analysis.
    Status,
    /// Report the expected move.
    Hint,
    /// List the book moves of the position.
    Book,
    /// The opponent offers a draw.
    OfferDraw,
    /// The game has ended.
    GameOver,
    /// Pause.
    Pause,
    /// Resume.
    Resume,
}

/// A selection of legal moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveSelection {
    /// All moves.
    All,
    /// The best move so far.
    Best,
    /// This move, as received.
    One(String),
}

/// The position a game starts from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StartPosition {
    /// The standard start position.
    Standard,
    /// A FEN, not yet validated.
    Fen(String),
}

/// The parameters of `go`, not yet checked against a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Maximum depth.
    pub depth: Option<u32>,
    /// Maximum nodes.
    pub nodes: Option<u64>,
    /// Search for a mate in this many moves.
    pub mate: Option<u32>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Time left on each clock.
    pub remaining: ByColor<Option<Duration>>,
    /// Increment of each side.
    pub increment: ByColor<Option<Duration>>,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Search until `stop`.
    pub is_infinite: bool,
    /// Ponder: the last move of the position has not been played yet.
    pub is_ponder: bool,
    /// Search only these moves, as received.
    pub search_moves: Vec<String>,
    /// A limit was given but could not be decoded. The search must end all the same.
    pub has_unreadable_limit: bool,
}
