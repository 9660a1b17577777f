//! Statistics of results: Elo, pentanomial pairs, SPRT, SPSA. Pure functions.

mod elo;
mod outcome;
mod pairs;
mod sprt;
mod spsa;

pub use elo::{Elo, Estimate};
pub use outcome::Tally;
pub use pairs::Pairs;
pub use sprt::{Hypotheses, Model, Sprt, Verdict};
pub(crate) use spsa::Perturbation;
pub use spsa::{Parameter, Spsa};
