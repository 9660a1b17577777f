//! The result of a subcommand: an exit status or a failure.

use std::process::ExitCode;

/// What a subcommand returns.
pub(crate) type Finish = Result<ExitCode, Failure>;

/// Why a subcommand cannot work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A message for the user.
    Sentence(String),
    /// The reader of standard output has closed it, as `head` does. This is no error.
    ReaderGone,
}

impl From<String> for Failure {
    fn from(sentence: String) -> Self {
        Self::Sentence(sentence)
    }
}
