//! Commands, events and refusals: what a front end sends to a session and what it receives. No text for people but refusals.

use std::fmt;

use rukh_chess::game::NotLegal;
use rukh_chess::notation::pgn::PgnGame;
use rukh_chess::{Color, Move};
use rukh_explain::review::PositionAnalysis;

use crate::conclusion::Conclusion;
use crate::skill::Skill;

/// What a person wants.
#[derive(Clone, PartialEq, Debug)]
pub enum PlayCommand {
    /// Plays a move of the side to move, which must be a person's.
    Move(Move),
    /// Takes back the person's last move, and the engine's answer to it.
    TakeBack,
    /// Offers a draw, or accepts an open offer. A person who is to move can do so.
    OfferDraw,
    /// A side resigns; it must be a person's.
    Resign(Color),
    /// Makes the engine move as soon as possible.
    MoveNow,
    /// Asks for a good move: [`PlayEvent::Hint`] follows.
    Hint,
    /// Asks who stands better: [`PlayEvent::Evaluation`] follows.
    Evaluate,
    /// Sets the strength of the engine from its next move on.
    SetSkill(Skill),
    /// Starts another game with the same start position, players and time control.
    NewGame {
        /// The day on which it begins, as in PGN: `2026.11.15`.
        date: String,
    },
    /// Resumes a game at this table; one that is over by the rules is refused.
    Resume(Box<PgnGame>),
}

/// What happened in a session.
#[derive(Clone, PartialEq, Debug)]
pub enum PlayEvent {
    /// Another game is on the board: a new one, or a resumed one.
    GameStarted,
    /// A side made a move, which is now the last of the game.
    Moved {
        /// The side.
        by: Color,
        /// The move.
        mv: Move,
    },
    /// Moves were taken back.
    TakenBack {
        /// How many moves of either side.
        plies: usize,
    },
    /// A side offers a draw to the other person.
    DrawOffered {
        /// The side.
        by: Color,
    },
    /// The engine declines a draw offer.
    DrawDeclined(DrawRefusal),
    /// The engine has another strength.
    SkillChanged(Skill),
    /// The answer to [`PlayCommand::Hint`]: a line that begins with a good move.
    Hint(PositionAnalysis),
    /// The answer to [`PlayCommand::Evaluate`], for the side to move.
    Evaluation(PositionAnalysis),
    /// The advisor found no answer.
    NoAdvice,
    /// The game is over.
    Ended(Conclusion),
    /// The game could not be saved, and is not saved any more; the sentence says why.
    NotSaved(String),
    /// The opponent found no move in a position that has some.
    OpponentFailed,
}

/// Why the engine declines a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawRefusal {
    /// It accepts draws from this move on.
    TooEarly {
        /// The number of the move.
        from_move: u32,
    },
    /// It evaluates its position as better.
    StandsBetter,
}

/// Why a command changed nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The game is over.
    GameOver,
    /// The engine is to move.
    NotYourTurn,
    /// The engine plays that side.
    NotYourSide,
    /// The move is not legal.
    Illegal(NotLegal),
    /// There is no move of the person to take back.
    NothingToTakeBack,
    /// The game to resume is over.
    CannotResume(Conclusion),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GameOver => f.write_str("the game is over"),
            Self::NotYourTurn => f.write_str("it is the engine's turn"),
            Self::NotYourSide => f.write_str("the engine plays that side"),
            Self::Illegal(error) => error.fmt(f),
            Self::NothingToTakeBack => f.write_str("there is no move of yours to take back"),
            Self::CannotResume(conclusion) => write!(f, "that game is over: {conclusion}"),
        }
    }
}

impl std::error::Error for Refusal {}
