//! Workshop: many candidates of one engine tested at once, by an SPRT each or by a screening design.
//!
//! `factor` (what a design switches), `screen` (the engines of a design), `trials` (games and verdicts). The games are those of a
//! match. `speed` compares programs without games. Nothing here knows a file or the command line.

mod factor;
mod screen;
mod speed;
mod trials;

pub use factor::{Factor, Level};
pub use screen::Screen;
pub use speed::{SpeedRatio, SpeedTrial, Speeds};
pub use trials::{Trials, challenge};
