//! Engine identification: name, version, author, greeting.

/// The name of the engine.
pub const NAME: &str = "Rukh";
/// The version of the engine.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The author of the engine.
pub(crate) const AUTHOR: &str = "the Rukh developers";

/// The line printed when a person starts the engine on a terminal. It is never sent to a GUI.
pub fn greeting() -> String {
    format!(
        "{NAME} {VERSION} by {AUTHOR}. This is a UCI session: `help` lists the commands, `quit` ends it; \
         `rukh --help` shows how to analyse and play."
    )
}
