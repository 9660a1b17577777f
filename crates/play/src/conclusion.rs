//! Conclusion: why and how a game ended. The rules of chess are one reason; resignation, agreement and time are others.

use std::fmt;

use rukh_chess::Color;
use rukh_chess::game::{Ending, Outcome};

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conclusion {
    /// By the rules: checkmate, stalemate, repetition, fifty moves, insufficient material.
    Rules(Ending),
    /// This side resigned.
    Resignation(Color),
    /// Both sides agreed to a draw.
    Agreement,
    /// This side ran out of time.
    Time(Color),
    /// This side ran out of time, but the other side has only its king: a draw.
    TimeAgainstKing(Color),
}

impl Conclusion {
    /// The result.
    pub fn outcome(self) -> Outcome {
        match self {
            Self::Rules(ending) => ending.outcome(),
            Self::Resignation(loser) | Self::Time(loser) => Outcome::Win(!loser),
            Self::Agreement | Self::TimeAgainstKing(_) => Outcome::Draw,
        }
    }

    /// The value of the PGN tag `Termination`.
    pub(crate) fn termination(self) -> &'static str {
        match self {
            Self::Time(_) | Self::TimeAgainstKing(_) => "time forfeit",
            Self::Rules(_) | Self::Resignation(_) | Self::Agreement => "normal",
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
                write!(f, "the game is drawn: {late} ran out of time, and {} has only a king", !late)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_conclusion_has_a_result_and_a_sentence() {
        let win = Outcome::Win(Color::Black);
        let mate = Conclusion::Rules(Ending::Checkmate { winner: Color::Black });
        for (conclusion, outcome, termination, sentence) in [
            (mate, win, "normal", "Black wins by checkmate"),
            (Conclusion::Resignation(Color::White), win, "normal", "Black wins: White resigns"),
            (Conclusion::Agreement, Outcome::Draw, "normal", "the game is drawn by agreement"),
            (Conclusion::Time(Color::White), win, "time forfeit", "Black wins on time"),
            (
                Conclusion::TimeAgainstKing(Color::White),
                Outcome::Draw,
                "time forfeit",
                "the game is drawn: White ran out of time, and Black has only a king",
            ),
        ] {
            assert_eq!((conclusion.outcome(), conclusion.termination()), (outcome, termination));
            assert_eq!(conclusion.to_string(), sentence);
        }
    }
}
