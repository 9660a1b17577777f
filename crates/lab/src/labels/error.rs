//! What can be wrong with a file of labels, each in one sentence.

use std::{fmt, io};

/// What is wrong with a file of labels.
#[derive(Debug)]
pub enum LabelError {
    /// It cannot be read or written.
    Io(io::Error),
    /// Another process writes it.
    Busy,
    /// It is no file of labels.
    Foreign,
    /// It is of another version of the format.
    Version {
        /// The version that it has.
        found: u32,
        /// The version that this program reads.
        expected: u32,
    },
    /// It ends within the header.
    CutHeader,
    /// It ends within a block: its number from 1.
    CutBlock(u64),
    /// The header is not what was written.
    DamagedHeader,
    /// The manifest lacks something or has nonsense in it: which part.
    BadManifest(&'static str),
    /// A block is not what was written: its number from 1, and what is wrong.
    DamagedBlock(u64, String),
    /// It was made in another way: which part of the manifest differs, what the file says, what was asked for.
    Different {
        /// The part.
        part: &'static str,
        /// As the file has it.
        there: String,
        /// As it was asked for.
        wanted: String,
    },
}

impl fmt::Display for LabelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Busy => f.write_str("another process is writing it"),
            Self::Foreign => f.write_str("it is no file of labels"),
            Self::Version { found, expected } => {
                write!(f, "it is a file of labels of version {found}; this program reads version {expected}")
            }
            Self::CutHeader => f.write_str("it ends within the header"),
            Self::CutBlock(number) => {
                write!(
                    f,
                    "it ends within block {number}; the rescoring that was interrupted repairs it when it is resumed"
                )
            }
            Self::DamagedHeader => f.write_str("the header is damaged"),
            Self::BadManifest(part) => write!(f, "the manifest has no valid {part:?}"),
            Self::DamagedBlock(number, why) => write!(f, "block {number} is damaged: {why}"),
            Self::Different { part, there, wanted } => {
                write!(f, "its labels have another {part} ({there}, not {wanted}); name another file")
            }
        }
    }
}

impl std::error::Error for LabelError {}

impl From<io::Error> for LabelError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
