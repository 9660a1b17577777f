//! The ledger of a match: what was to be played, then a line for each game that is over.

use std::io;
use std::path::Path;

use serde_json::{Value as Json, json};

use super::player::Entrant;
use super::record;
use super::standings::Result as GameResult;
use super::tournament::{Finished, Match};
use crate::ledger::{Ledger, LedgerError};

/// An open journal.
#[derive(Debug)]
pub struct Journal(Ledger);

impl Journal {
    /// Opens the journal of a match, or begins one; the games that are over.
    pub fn open(path: &Path, of: &Match) -> Result<(Self, Vec<(GameResult, String)>), LedgerError> {
        let (ledger, lines) = Ledger::open(path, &header(of).to_string())?;
        let games = lines.iter().filter_map(|line| record::from_line(line, &of.schedule));
        Ok((Self(ledger), games.collect()))
    }

    /// Adds a game. When this returns, it is on the disk.
    pub fn add(&mut self, game: &Finished) -> io::Result<()> {
        self.0.add(&record::to_line(&game.result, &game.reason, &game.pgn))
    }
}

/// What makes a match this one: the same games would be played.
fn header(of: &Match) -> Json {
    json!({
        "match": of.event,
        "entrants": of.entrants.iter().map(Entrant::to_json).collect::<Vec<_>>(),
        "encounters": of.schedule.encounters(),
        "games": of.schedule.len(),
        "adjudication": format!("{:?}", of.adjudication),
        "openings": of.book.fingerprint(),
    })
}
