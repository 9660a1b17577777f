//! What is known beforehand: tables of endings behind the seam that the search asks through, books of openings, and
//! their names.

#![forbid(unsafe_code)]

mod convert;
pub mod openings;
pub mod polyglot;
mod syzygy;

pub use syzygy::Syzygy;
