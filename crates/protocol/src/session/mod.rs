//! The state machine between a protocol and an engine: the game, the options, and what runs at the moment.
//!
//! It knows no spelling; a codec does that. From below: `core` (the session, its options, searches and other work),
//! `playing` (games that the engine conducts itself), `obey` (lines and commands).

mod core;
mod obey;
mod playing;

pub use core::Session;
pub use obey::Flow;
