//! How a game between people ends.

use std::fmt;

use rukh_chess::Color;
use rukh_chess::game::{Ending, Outcome};

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Conclusion {
    /// By the rules of the board.
    Rules(Ending),
    /// This side gave up.
    Resignation(Color),
    /// Both agreed to a draw.
    Agreement,
    /// This side had no time left.
    Time(Color),
    /// This side had no time left, but the other one has nothing but its king.
    TimeAgainstKing(Color),
}

impl Conclusion {
    /// Who won.
    pub(super) fn outcome(self) -> Outcome {
        match self {
            Self::Rules(ending) => ending.outcome(),
            Self::Resignation(loser) | Self::Time(loser) => Outcome::Win(!loser),
            Self::Agreement | Self::TimeAgainstKing(_) => Outcome::Draw,
        }
    }

    /// What the tag `Termination` of PGN says.
    pub(super) fn termination(self) -> &'static str {
        match self {
            Self::Time(_) | Self::TimeAgainstKing(_) => "time forfeit",
            _ => "normal",
        }
    }
}

impl fmt::Display for Conclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Rules(ending) => ending.fmt(f),
            Self::Resignation(loser) => write!(f, "{} wins: {loser} resigns", !loser),
            Self::Agreement => f.write_str("the game is drawn by agreement"),
            Self::Time(loser) => write!(f, "{} wins on time", !loser),
            Self::TimeAgainstKing(late) => {
                write!(f, "the game is drawn: {late} has no time left, and {} only a king", !late)
            }
        }
    }
}
