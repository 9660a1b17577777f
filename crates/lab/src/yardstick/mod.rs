//! The yardstick: how well evaluations and searches agree with labels of much deeper searches.
//!
//! A match says what an evaluation is worth; this says in seconds what it knows, and where. One file alone misleads: an
//! evaluation may know played positions better and those inside a search worse.
//!
//! Positions of a yardstick are for measuring. Nothing may learn from them.

mod file;
mod measure;
mod score;

pub use file::{BadYardstick, read};
pub use measure::{Measure, Phase, Report};
pub use score::{by_engine, by_evaluation, by_search};
