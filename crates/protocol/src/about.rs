//! Who is speaking.

/// The name of the engine.
pub const NAME: &str = "Rukh";
/// Its version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Who wrote it.
pub const AUTHOR: &str = "the Rukh developers";

/// The line for a person who has started the engine on a terminal. A program must never see it before asking.
pub fn greeting() -> String {
    format!(
        "{NAME} {VERSION} by {AUTHOR}. This is a UCI session: `help` lists its commands, `quit` ends it; \
         `rukh --help` tells how to analyse and play."
    )
}
