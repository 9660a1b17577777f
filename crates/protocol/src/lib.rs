#![doc = include_str!("../README.md")]
//!
//! Conversations with chess programs.
//!
//! A line of input becomes [`command::Command`]s, which a [`Session`] obeys; what the session and its engine
//! have to say are [`codec::Reply`]s, which become lines of output. A [`codec::Codec`] stands at both ends
//! and is the only one who knows how a protocol spells things; [`Uci`] and [`Xboard`] are two.
//!
//! The thread that reads is always free: searches, counts and benchmarks run on threads of their own.
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

pub mod about;
pub mod backend;
pub mod board;
pub mod codec;
pub mod command;
mod jobs;
pub mod limits;
mod lines;
pub mod options;
mod output;
mod scores;
mod seat;
mod session;
mod teller;
pub mod uci;
mod words;
pub mod xboard;

pub use jobs::{Hooks, Task};
pub use session::{Flow, Session};
pub use uci::Uci;
pub use xboard::Xboard;
