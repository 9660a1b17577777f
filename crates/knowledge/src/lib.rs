#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! | module | contents |
//! |---|---|
//! | [`polyglot`] | Polyglot opening books: read, probe, make, write |
//! | [`openings`] | names and ECO codes of openings |
//! | [`Syzygy`] | Syzygy tablebases as a [`Tablebase`](rukh_engine::tablebase::Tablebase) of the search |

#![forbid(unsafe_code)]

mod convert;
pub mod openings;
pub mod polyglot;
mod syzygy;

pub use syzygy::Syzygy;
