//! Training of the network from games of self-play, on the processors.
//!
//! The network follows from `rukh_eval::nnue::arch`, the one description of the architecture. The files, each using only
//! those before it: `sample` (a labelled position in 32 bytes), `data` (samples from files of games), `batch` (samples as
//! features, and their order), `parameters` (the shapes of the weights), `dense` (dense layers), `model` (the network in
//! floating point, and its gradients), `schedule`, `trainer` (the loop, with checkpoints), `export` (quantisation), `run`
//! (parts of steps with their files). On a GPU `scripts/pupil` trains the same networks.

#![forbid(unsafe_code)]

pub mod batch;
pub mod data;
mod dense;
pub mod export;
pub mod model;
pub mod parameters;
pub mod run;
pub mod sample;
pub mod schedule;
pub mod trainer;
