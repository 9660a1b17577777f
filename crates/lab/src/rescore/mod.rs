//! Rescoring: a few positions from each of many cheap games, each labelled by a deep search.
//!
//! One label from each of many games is better than many labels from one game, whose positions are alike. So the games are
//! played with few nodes, and the nodes go into the labels.
//!
//! The labels of a game follow from the settings, the seed, the number of its source and its own number: nothing learnt in one
//! game is known in another. So they are the same on any number of threads, and an interrupted run is resumed where it ended.

mod label;
mod run;
mod select;
mod settings;
mod source;

pub(crate) use label::table_mebibytes;
pub use run::RescoreError;
pub use settings::Rescore;
pub use source::{GamesFile, SourceError};
