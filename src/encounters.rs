//! Measured encounters: rows that a subcommand prints, and saves in a state file to resume from.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rukh_lab::arena::Encounter;
use rukh_lab::ledger::{Ledger, LedgerError};
use rukh_lab::stats::{Estimate, Pairs, Tally};
use serde_json::{Value as Json, json};

use crate::finish::Finish;
use crate::output::eprint_line;

/// The saved rows: the state file with its path; none without one.
pub(crate) struct Rows(Option<(Ledger, PathBuf)>);

impl Rows {
    /// Opens the state file of the work that `header` defines, and reads its rows.
    pub(crate) fn open<T>(
        path: Option<&Path>,
        header: &Json,
        read: impl Fn(&Json) -> Option<T>,
    ) -> Result<(Self, Vec<T>), String> {
        let Some(path) = path else { return Ok((Self(None), Vec::new())) };
        let opened = Ledger::open(path, header);
        let (ledger, lines) = opened.map_err(|error| format!("{}: {error}", path.display()))?;
        let read = |(number, line): (usize, &String)| {
            let row = serde_json::from_str(line).ok().and_then(|json| read(&json));
            row.ok_or_else(|| format!("{}: {}", path.display(), LedgerError::Broken(number)))
        };
        // The header is the first line.
        let rows = (2..).zip(&lines).map(read).collect::<Result<_, _>>()?;
        Ok((Self(Some((ledger, path.to_owned()))), rows))
    }

    /// Saves a row.
    pub(crate) fn add(&mut self, row: &Json) -> Result<(), String> {
        let Some((ledger, path)) = &mut self.0 else { return Ok(()) };
        ledger.add(&row.to_string()).map_err(|error| format!("cannot write {}: {error}", path.display()))
    }
}

/// Ends an interrupted subcommand.
pub(crate) fn interrupted() -> Finish {
    eprint_line("interrupted; with --state FILE the same command resumes from here");
    Ok(ExitCode::SUCCESS)
}

/// Games, pairs, Elo and error.
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

/// Reads what [`to_json`] wrote.
pub(crate) fn from_json(json: &Json) -> Option<Encounter> {
    let games = |place: usize| json["games"][place].as_u64();
    let mut pairs = Pairs::default();
    for (place, count) in pairs.0.iter_mut().enumerate() {
        *count = json["pairs"][place].as_u64()?;
    }
    Some(Encounter { tally: Tally { wins: games(0)?, draws: games(1)?, losses: games(2)? }, pairs })
}

/// Wins, draws and losses for a table.
pub(crate) fn games(encounter: &Encounter) -> String {
    let Tally { wins, draws, losses } = encounter.tally;
    format!("+{wins} ={draws} -{losses}")
}

/// The Elo difference with its error for a table; empty before the first pair.
pub(crate) fn elo(encounter: &Encounter) -> String {
    Estimate::of(&encounter.pairs).map_or_else(String::new, |estimate| {
        let error = estimate.error().map_or_else(String::new, |error| format!(" ± {error:.0}"));
        format!("{:+.0}{error}", estimate.elo.0)
    })
}
