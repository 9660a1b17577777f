//! The settings of a soak test.

use std::time::Duration;

/// The settings of a soak test.
#[derive(Clone, Debug)]
pub struct Soak {
    /// The seed of all games.
    pub seed: u64,
    /// The most plies of a game.
    pub plies: u64,
    /// Folders of tablebases: some games use them, and scores are compared with them.
    pub tables: Option<String>,
    /// Everything must be answered within this time.
    pub patience: Duration,
    /// Time beyond the limit of a search that is no fault.
    pub slack: Duration,
}
