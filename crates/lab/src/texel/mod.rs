//! Texel tuning: fits the weights of the classical evaluation to the results of games.
//!
//! The evaluation tells a [`Trace`](rukh_eval::hce::trace::Trace) which weight counts how often; from that its value for any other weights, and
//! how it changes with each, follows without asking again. Adam goes down the slope of the error; positions that are kept
//! apart say when to stop.

mod dataset;
mod model;
mod sample;
mod tuner;

pub use dataset::{Dataset, Prepared};
pub use model::Weights;
pub use sample::{Label, Sample};
pub use tuner::{Epoch, Tuner, TunerSettings, chance};
