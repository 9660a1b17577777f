//! Texel tuning: fits the weights of the classical evaluation to the results of games.
//!
//! The evaluation reports to a [`Trace`](rukh_eval::hce::trace::Trace) how often each weight counts. Value and gradient for
//! any other weights follow from these counts. Adam minimises the error; the error on the validation set decides when to stop.

mod dataset;
mod model;
mod sample;
mod tuner;

pub use dataset::{Dataset, Prepared};
pub use model::Weights;
pub use sample::{Label, Sample};
pub use tuner::{Epoch, Tuner, TunerSettings, chance};
