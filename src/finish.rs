//! How a subcommand ends.

use std::process::ExitCode;

/// What a subcommand returns: how the process ends, or what kept it from working.
pub(crate) type Finish = Result<ExitCode, Failure>;

/// What keeps a subcommand from working.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A sentence for the user.
    Sentence(String),
    /// Whoever read the output has read enough, as `head` does: there is nobody to tell anything.
    ReaderGone,
}

impl From<String> for Failure {
    fn from(sentence: String) -> Self {
        Self::Sentence(sentence)
    }
}
