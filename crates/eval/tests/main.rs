//! The evaluations, through the interface of the crate.
//!
//! They are one program: it links once, and its tests run side by side.

mod classical;
mod common;
mod endgames;
mod tapered;
mod terms;
