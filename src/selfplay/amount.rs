//! How much self-play is wanted: games, positions or minutes.

use std::time::Duration;

use rukh_lab::selfplay::Stored;

/// How much is wanted, what is there already included.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub(super) struct Amount {
    /// Games
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) games: Option<u64>,

    /// Positions
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    positions: Option<u64>,

    /// Minutes from now
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    minutes: Option<u64>,
}

impl Amount {
    /// The part of it that is there, from 0 to 1 and more.
    pub(super) fn part(&self, stored: &Stored, elapsed: Duration) -> f64 {
        let parts = [
            self.games.map(|games| stored.games as f64 / games as f64),
            self.positions.map(|positions| stored.positions as f64 / positions as f64),
            self.minutes.map(|minutes| elapsed.as_secs_f64() / (60 * minutes) as f64),
        ];
        parts.into_iter().flatten().fold(0.0, f64::max)
    }
}
