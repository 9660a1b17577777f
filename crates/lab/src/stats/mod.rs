//! Statistics of results: Elo, pentanomial pairs, SPRT, SPSA, screening designs. Pure functions.

mod design;
mod effects;
mod elo;
mod outcome;
mod pairs;
mod sprt;
mod spsa;

pub use design::{Design, MAX_FACTORS};
pub use effects::{Effect, Effects};
pub use elo::{Elo, Estimate};
pub use outcome::Tally;
pub use pairs::Pairs;
pub use sprt::{Hypotheses, Model, Sprt, Verdict};
pub(crate) use spsa::Perturbation;
pub use spsa::{Parameter, Spsa};
