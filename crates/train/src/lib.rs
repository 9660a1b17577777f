//! Training of the network from games of self-play, on the processors.
//!
//! The network follows from `rukh_eval::nnue::arch`, the one description of the architecture. The files, each using only
//! those before it: `sample` (a labelled position in 32 bytes), `data` (samples from files of games), `batch` (samples as
//! features, and their order), `parameters` (the shapes of the weights), `dense` (dense layers), `model` (the network in
//! floating point, and its gradients), `schedule`, `trainer` (the loop, with checkpoints), `export` (quantisation), `run`
//! (parts of steps with their files). On a GPU `scripts/pupil` trains the same networks.
//!
//! ```
//! use rukh_chess::Position;
//! use rukh_eval::nnue::{Current, NetworkKind};
//! use rukh_train::batch::Target;
//! use rukh_train::export::quantise;
//! use rukh_train::model::Objective;
//! use rukh_train::sample::Sample;
//! use rukh_train::schedule::Schedule;
//! use rukh_train::trainer::{Settings, Trainer};
//!
//! // White is to move, a queen ahead, and wins: a score of 900 and the result 2.
//! let position: Position = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1".parse()?;
//! let samples = [Sample::new(&position, 900, 2)];
//! let mut trainer = Trainer::new(Settings {
//!     architecture: Current::ARCHITECTURE,
//!     batch: 1,
//!     schedule: Schedule { peak: 0.01, end: 0.001, warm_up: 2, steps: 10 },
//!     objective: Objective { target: Target { scale: 400.0, result_share: 0.3 }, sparsity: 0.0 },
//!     seed: 1,
//!     threads: 1,
//!     averaged_steps: 1,
//!     rounded_steps: 0,
//! });
//! let before = trainer.validate(&samples);
//! trainer.run(&samples, 10);
//! assert!(trainer.validate(&samples) < before);
//! let network = quantise::<Current>(&trainer.weights(), "an example")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
