//! The yardstick: how well evaluations and searches agree with labels of much deeper searches.
//!
//! A match measures an evaluation in Elo; this measures its error in seconds, by phase and kind of position. Use more than
//! one file: an evaluation may be better at played positions and worse at tree samples.
//!
//! Positions of a yardstick are for measuring. They must not be used for training.

mod file;
mod measure;
mod score;

pub use file::{BadYardstick, read};
pub use measure::{Measure, Phase, Report};
pub use score::{by_engine, by_evaluation, by_search};
