//! What is known beforehand: tables of endings behind the seam that the search asks through, and books of openings.

#![forbid(unsafe_code)]

mod convert;
pub mod polyglot;
mod syzygy;

pub use syzygy::Syzygy;
