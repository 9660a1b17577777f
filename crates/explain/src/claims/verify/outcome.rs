//! The outcome of a check.

use std::fmt;

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Outcome {
    /// Everything holds.
    Confirmed,
    /// The search is not deep enough, or the value is at the border.
    Undecided,
    /// Something does not hold.
    Refuted,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Confirmed => "confirmed",
            Self::Undecided => "undecided",
            Self::Refuted => "refuted",
        })
    }
}
