#![doc = include_str!("../README.md")]
//!
//! Chess engine protocols: UCI, XBoard (CECP version 2), and the session behind both.
//!
//! A [`codec::Codec`] decodes a line of input into [`command::Command`]s. A [`Session`] executes them. Replies and
//! search events are [`codec::Reply`]s, which the codec encodes as lines of output. Only the codec knows how a protocol
//! spells things; [`Uci`] and [`Xboard`] are the two codecs. Nothing here knows how the search works.
//!
//! The session thread never blocks on long work: searches, perft and benchmarks run on their own threads.
//!
//! ```
//! use rukh_protocol::{Hooks, Session, Uci};
//!
//! let input = "position startpos moves e2e4\nisready\n";
//! let mut session = Session::new(Uci, std::io::sink(), Hooks::default());
//! session.run(input.as_bytes());
//! assert_eq!(session.position().fullmove_number(), 1);
//! ```

#![forbid(unsafe_code)]

mod background;
mod board;
pub mod codec;
pub mod command;
mod engine_game;
pub mod engine_handle;
mod hooks;
pub mod identity;
mod input;
pub mod limits;
pub mod options;
mod output;
mod perft;
mod protocol_score;
mod search_reporter;
mod session;
mod tokens;
pub mod uci;
mod xboard;

pub use hooks::{GameTask, HookTask, Hooks, LoadLeafNetwork, LoadedLeafNetwork};
pub use session::{Flow, Session, SessionError};
pub use uci::Uci;
pub use xboard::Xboard;
