//! The Universal Chess Interface: how it spells commands and replies.
//!
//! It knows nothing of what a session does with them.

mod codec;
mod go;
mod read;
mod write;

pub use codec::Uci;
pub use read::is_command;
