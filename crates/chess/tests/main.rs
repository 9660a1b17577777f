//! The rules and the notations, through the interface of the crate.
//!
//! They are one program: it links once, and its tests run side by side.

mod attacks;
mod common;
mod independent;
mod notation;
mod perft_table;
mod pgn;
mod properties;
mod proptests;
mod rules;
mod see;
mod shared_suites;
