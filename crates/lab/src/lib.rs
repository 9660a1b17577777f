#![doc = include_str!("../README.md")]
//!
//! The laboratory. Nothing here prints.

#![forbid(unsafe_code)]

pub mod ablate;
pub mod adam;
pub mod architecture;
pub mod arena;
pub mod average;
pub mod calendar;
pub mod census;
pub mod disk;
mod faults;
pub mod from_pgn;
pub mod labelled;
pub mod labels;
pub mod ledger;
mod logistic;
pub mod mates;
pub mod packed;
pub mod plot;
pub mod policy_records;
pub mod rescore;
pub mod selfplay;
pub mod singles;
pub mod soak;
pub mod stats;
pub mod store;
pub mod suites;
pub mod texel;
pub mod tuning;
pub mod validation;
pub mod visits;
pub mod wdl_model;
pub mod workshop;
pub mod yardstick;
