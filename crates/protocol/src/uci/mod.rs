//! The Universal Chess Interface (UCI): its spelling of commands and replies.
//!
//! What a session does with them is unknown here.

mod codec;
mod decode;
mod encode;
mod go;

pub use codec::Uci;
pub use decode::is_command;
