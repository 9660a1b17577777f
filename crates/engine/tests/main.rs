//! Searches, through the interface of the crate.
//!
//! They are one program: it links once, and its tests run side by side.

#![allow(clippy::unwrap_used, reason = "tests and their helpers may panic")]

mod common;
mod judgement;
mod leaf_network;
mod levels;
mod mates;
mod search;
#[cfg(feature = "serde")]
mod serde;
mod stopping;
mod tablebases;
mod techniques;
mod tree_search;
