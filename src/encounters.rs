//! Encounters that a command measures one after the other, prints as rows, and keeps in a file to go on from.

use std::path::Path;
use std::process::ExitCode;

use rukh_lab::arena::Encounter;
use rukh_lab::ledger::Ledger;
use rukh_lab::stats::{Estimate, Pairs, Tally};
use serde_json::{Value as Json, json};

use crate::finish::Finish;
use crate::output::eprint_line;

/// Rows that are kept, if someone wants them kept.
pub(crate) struct Rows(Option<Ledger>);

impl Rows {
    /// Opens the file, and reads what is there of the work that `header` describes.
    pub(crate) fn open<T>(
        path: Option<&Path>,
        header: &Json,
        read: impl Fn(&Json) -> Option<T>,
    ) -> Result<(Self, Vec<T>), String> {
        let Some(path) = path else { return Ok((Self(None), Vec::new())) };
        let opened = Ledger::open(path, header);
        let (ledger, lines) = opened.map_err(|error| format!("{}: {error}", path.display()))?;
        let rows = lines.iter().filter_map(|line| read(&serde_json::from_str(line).ok()?));
        Ok((Self(Some(ledger)), rows.collect()))
    }

    /// Keeps another.
    pub(crate) fn add(&mut self, row: &Json) -> Result<(), String> {
        let added = self.0.as_mut().map_or(Ok(()), |ledger| ledger.add(&row.to_string()));
        added.map_err(|error| format!("the state cannot be written: {error}"))
    }
}

/// Ends a command that was interrupted.
pub(crate) fn broken_off() -> Finish {
    eprint_line("broken off; with --state FILE the same command goes on from here");
    Ok(ExitCode::SUCCESS)
}

/// Games, pairs, and what follows from them.
pub(crate) fn to_json(encounter: &Encounter) -> Json {
    let Tally { wins, draws, losses } = encounter.tally;
    let estimate = Estimate::of(&encounter.pairs);
    json!({
        "games": [wins, draws, losses],
        "pairs": encounter.pairs.0,
        "elo": estimate.map(|estimate| estimate.elo.0).filter(|elo| elo.is_finite()),
        "error": estimate.and_then(|estimate| estimate.error()),
    })
}

/// Reads what [`to_json`] gave.
pub(crate) fn from_json(json: &Json) -> Option<Encounter> {
    let games = |place: usize| json["games"][place].as_u64();
    let mut pairs = Pairs::default();
    for (place, count) in pairs.0.iter_mut().enumerate() {
        *count = json["pairs"][place].as_u64()?;
    }
    Some(Encounter { tally: Tally { wins: games(0)?, draws: games(1)?, losses: games(2)? }, pairs })
}

/// How the games ended, for a table.
pub(crate) fn games(encounter: &Encounter) -> String {
    let Tally { wins, draws, losses } = encounter.tally;
    format!("+{wins} ={draws} -{losses}")
}

/// By how much the first is better, for a table; nothing before the first pair.
pub(crate) fn elo(encounter: &Encounter) -> String {
    Estimate::of(&encounter.pairs).map_or_else(String::new, |estimate| {
        let error = estimate.error().map_or_else(String::new, |error| format!(" ± {error:.0}"));
        format!("{:+.0}{error}", estimate.elo.0)
    })
}
