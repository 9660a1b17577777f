//! The session: the state machine between a codec and an engine. It holds the game, the options and the running work.
//!
//! It knows no spelling. From below: `core` (the session, its options, searches and background work), `game_commands`
//! (games that the engine conducts, as in XBoard), `dispatch` (lines and commands).

mod core;
mod dispatch;
mod game_commands;

pub use core::{Session, SessionError};
pub use dispatch::Flow;
