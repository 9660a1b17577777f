//! The laboratory. Nothing here prints.

#![forbid(unsafe_code)]

pub mod ablate;
pub mod adam;
pub mod arena;
pub mod calendar;
pub mod census;
mod exclusive;
pub mod labelled;
pub mod ledger;
pub mod mates;
pub mod packed;
pub mod plot;
pub mod selfplay;
pub mod singles;
pub mod stats;
pub mod suites;
pub mod texel;
pub mod tuning;
pub mod validation;
pub mod wdl_model;
