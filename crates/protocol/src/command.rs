//! What a session can be told, whatever the protocol that tells it.
//!
//! Moves and positions are still text here: what they mean depends on the position the session has when it
//! obeys. How a protocol spells a command is unknown here.

use std::time::Duration;

use rukh_chess::types::ByColor;

/// One order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Say who you are and what can be set.
    Identify,
    /// Tell more, or less, about what happens inside.
    Debug(bool),
    /// Answer as soon as everything before has been heard.
    IsReady,
    /// Change an option, or press a button.
    SetOption {
        /// The name, as it was written.
        name: String,
        /// The value, if one was given.
        value: Option<String>,
    },
    /// What comes is another game: forget what was learnt. The position stays until another one is given.
    NewGame,
    /// Set up a position and play moves from it.
    Position {
        /// Where to begin.
        start: Start,
        /// The moves, as they were written.
        moves: Vec<String>,
    },
    /// Search.
    Go(Go),
    /// Count the lines of this many moves.
    Perft(u32),
    /// End the search and tell its move.
    Stop,
    /// The guessed move was played.
    PonderHit,
    /// End the session.
    Quit,
    /// Show the position.
    Display,
    /// Show what the position is worth without a search.
    Eval,
    /// Swap the colours of the position.
    Flip,
    /// Measure the speed.
    Bench {
        /// The words after the command.
        arguments: Vec<String>,
    },
    /// Draw positions to begin games from.
    Openings {
        /// The words after the command.
        arguments: Vec<String>,
    },
    /// List what a tuner may change.
    Tunables,
    /// List the commands.
    Help,
    /// Speak as XBoard does from now on.
    SpeakXboard,
    /// Conduct a game: whose turn it is and what the clocks say is for the engine to know.
    Game(Conduct),
}

/// An order to an engine that conducts its game itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Conduct {
    /// Begin another game, with Black for the engine.
    New,
    /// Play by these rules, as they were named.
    Variant(String),
    /// Play neither side.
    Force,
    /// Play the side to move, now.
    Go,
    /// Play the side that is not to move.
    PlayOther,
    /// Think about the position until told otherwise.
    Analyse,
    /// End the analysis.
    EndAnalysis,
    /// So much time for so many moves, or for the game, and so much more for each move.
    Level {
        /// Moves to the next time control; none for the whole game.
        moves: Option<u32>,
        /// Time for them.
        base: Duration,
        /// Time for each move.
        increment: Duration,
    },
    /// So much time for each move.
    MoveTime(Duration),
    /// No more iterations than these; none for as many as there is time for.
    Depth(Option<u32>),
    /// Count time by positions visited, so many a second; none for the clock.
    NodeRate(Option<u64>),
    /// What is left on the engine's clock.
    OwnTime(Duration),
    /// What is left on the other clock.
    TheirTime(Duration),
    /// Move now.
    MoveNow,
    /// The other side has moved, as it was written.
    Move(String),
    /// Take back so many moves.
    TakeBack(usize),
    /// Set up a position that has not been checked.
    SetUp(String),
    /// Set up these pieces, as in the first field of a FEN; whose turn it is stays.
    PutMen(String),
    /// Think on the other side's time, or do not.
    Ponder(bool),
    /// Tell what is thought, or do not.
    Post(bool),
    /// Say this number again when everything so far has been heard.
    Ping(u64),
    /// Leave these moves out of the analysis, or take them in again.
    Consider {
        /// Which.
        moves: Selection,
        /// Whether they are taken in.
        is_in: bool,
    },
    /// Tell how far the analysis has come.
    Status,
    /// Tell what move the engine would expect.
    Hint,
    /// Tell what the book knows of the position.
    Book,
    /// The other side offers a draw.
    OfferDraw,
    /// The game has ended.
    End,
    /// Stand still.
    Pause,
    /// Go on.
    Resume,
}

/// Some of the moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Selection {
    /// All.
    All,
    /// The best, as far as is known.
    Best,
    /// This one, as it was written.
    One(String),
}

/// The position a game begins with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// That of standard chess.
    Standard,
    /// This one, which has not been checked.
    Fen(String),
}

/// What to search for and how long, before it has met a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Iterations.
    pub depth: Option<u32>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Moves to a mate that is enough.
    pub mate: Option<u32>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// What each side has on its clock.
    pub remaining: ByColor<Option<Duration>>,
    /// What each side gets for a move.
    pub increment: ByColor<Option<Duration>>,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Go on until told to stop.
    pub is_infinite: bool,
    /// The last move of the position is only a guess.
    pub is_ponder: bool,
    /// Only these moves, as they were written.
    pub search_moves: Vec<String>,
    /// Some limit was given that could not be read. The one who waits for an answer must get it all the same.
    pub has_lost_limit: bool,
}
