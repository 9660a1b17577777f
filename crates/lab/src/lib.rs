//! The laboratory. Nothing here prints.

#![forbid(unsafe_code)]

pub mod arena;
pub mod mates;
pub mod packed;
pub mod selfplay;
pub mod stats;
pub mod suites;
pub mod texel;
