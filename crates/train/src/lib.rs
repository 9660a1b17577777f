//! Training of the network from games of self-play, on a GPU or a CPU by the same code.
//!
//! From below: `sample` (a position in 32 bytes), `data` (samples from files of games), `batch` (samples as tensors want them),
//! `model` (the network in floating point), `cpu` (its slopes in plain loops), `rows` and `gpu` (its slopes on a GPU), `adam`,
//! `schedule`, `trainer` (the loop, with checkpoints), `export` (whole numbers for the engine).

#![forbid(unsafe_code)]

pub mod adam;
pub mod batch;
pub mod cpu;
pub mod data;
pub mod export;
#[cfg(feature = "cuda")]
pub mod gpu;
pub mod model;
pub mod rows;
pub mod sample;
pub mod schedule;
pub mod trainer;
