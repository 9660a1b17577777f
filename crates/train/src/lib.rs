//! Training of the network from games of self-play, on a GPU or a CPU.
//!
//! The network follows from `rukh_eval::nnue::arch`, the one description of the architecture. The files, each using only
//! those before it: `sample` (a labelled position in 32 bytes), `data` (samples from files of games), `batch` (samples as
//! numbers), `parameters` (the shapes of the weights), `sparse` (products of the feature transformer), `model` (the
//! network in floating point), `dense` and `cpu` (its gradients in plain loops), `gpu` (its kernels), `adam`, `schedule`,
//! `trainer` (the loop, with checkpoints), `export` (quantisation), `run` (parts of steps with their files).

#![forbid(unsafe_code)]

pub mod adam;
pub mod batch;
pub mod cpu;
pub mod data;
mod dense;
pub mod export;
#[cfg(feature = "cuda")]
pub mod gpu;
pub mod model;
pub mod parameters;
pub mod run;
pub mod sample;
pub mod schedule;
pub mod sparse;
pub mod trainer;
