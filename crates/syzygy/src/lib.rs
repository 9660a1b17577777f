//! Syzygy tablebases, by the library of the field, behind the seam that the search asks through.

#![forbid(unsafe_code)]

mod convert;
mod tables;

pub use tables::Syzygy;
