//! Whole sessions, through the interface of the crate.
//!
//! They are one program: it links once, and its tests run side by side.

#![allow(clippy::unwrap_used, reason = "tests and their helpers may panic")]

mod bad_input;
mod common;
mod limits;
mod options;
mod searching;
mod transcripts;
mod uci_decode;
mod uci_encode;
mod xboard;
