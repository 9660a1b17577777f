//! The tests that need the binary, the documents or several crates.
//!
//! They are one program: it links once, and its tests run side by side.

mod analysis;
mod cli;
mod common;
mod debug;
mod docs;
mod engine;
mod exercises;
mod explain;
mod faults;
mod fuzz_corpus;
mod guide;
mod labels;
mod laboratory;
mod large_network;
mod layering;
mod openbench;
mod play;
mod resources;
mod serve;
mod soak;
mod state;
mod visits;
mod workshop;
