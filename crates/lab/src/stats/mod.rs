//! Statistics of results: Elo, pentanomial pairs, SPRT, SPSA. Pure functions.

pub mod elo;
pub mod outcome;
pub mod pairs;
pub mod sprt;
pub mod spsa;

pub use elo::{Elo, Estimate};
pub use outcome::Tally;
pub use pairs::Pairs;
pub use sprt::{Hypotheses, Model, Sprt, Verdict};
pub use spsa::{Parameter, Perturbation, Spsa};
