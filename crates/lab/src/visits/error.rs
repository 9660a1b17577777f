//! What can be wrong with a file of visit distributions, each in one sentence.

use std::{fmt, io};

/// What is wrong with a file.
#[derive(Debug)]
pub enum VisitError {
    /// It cannot be read or written.
    Io(io::Error),
    /// Another process is writing it.
    Busy,
    /// It is no file of visit distributions.
    Foreign,
    /// It is of another version of the format.
    Version {
        /// Its version.
        found: u32,
        /// That of this program.
        expected: u32,
    },
    /// It ends within the header.
    CutHeader,
    /// The header is not what was written.
    DamagedHeader,
    /// It ends within a block: its number from 1.
    CutBlock(u64),
    /// A block is not what was written: its number from 1, and why.
    DamagedBlock(u64, String),
    /// A game is none: its number from 1, and why.
    BadGame(u64, String),
    /// Its games were played with other settings.
    Different {
        /// The setting.
        part: String,
        /// As the file has it.
        there: String,
        /// As it was asked for.
        wanted: String,
    },
}

impl fmt::Display for VisitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Busy => f.write_str("another process is writing it"),
            Self::Foreign => f.write_str("it is no file of visit distributions"),
            Self::Version { found, expected } => write!(
                f,
                "it is a file of visit distributions of version {found}; this program reads version {expected}"
            ),
            Self::CutHeader => f.write_str("it ends within the header"),
            Self::CutBlock(number) => write!(
                f,
                "it ends within block {number}; the self-play that was interrupted repairs it when it is resumed"
            ),
            Self::DamagedHeader => f.write_str("the header is damaged"),
            Self::DamagedBlock(number, why) => write!(f, "block {number} is damaged: {why}"),
            Self::BadGame(number, why) => write!(f, "game {number} is none: {why}"),
            Self::Different { part, there, wanted } => {
                write!(
                    f,
                    "its games have another setting {part:?} ({there}, not {wanted}); name another file"
                )
            }
        }
    }
}

impl std::error::Error for VisitError {}

impl From<io::Error> for VisitError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
