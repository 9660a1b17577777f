//! The solutions of the exercises of the guide, as tests: `cargo test --test integration CHAPTER_N`.
//!
//! The test of exercise N of a chapter has a name that begins with the file name of the chapter, `_` for `-`, and N.

mod board;
mod chapters;
mod common;
mod endgames;
mod engine;
mod evaluation;
mod laboratory;
mod network;
mod ordering;
mod pruning;
mod search;
mod teach;
