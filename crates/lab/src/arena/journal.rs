//! The file from which an interrupted match goes on: what was to be played, then a line for each game that is over.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde_json::{Value as Json, json};

use super::player::Entrant;
use super::record;
use super::standings::Result as GameResult;
use super::tournament::{Finished, Match};

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    file: File,
}

/// Why a journal cannot be used.
#[derive(Debug)]
pub enum JournalError {
    /// It cannot be read or written.
    Io(io::Error),
    /// Another match writes it.
    Busy,
    /// It is of another match, or of none.
    Foreign,
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Busy => f.write_str("another match is using it"),
            Self::Foreign => f.write_str("it is the state of another match"),
        }
    }
}

impl std::error::Error for JournalError {}

impl From<io::Error> for JournalError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Journal {
    /// Opens the journal of a match, or begins one; the games that are over.
    pub fn open(path: &Path, of: &Match) -> Result<(Self, Vec<(GameResult, String)>), JournalError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::Busy,
            TryLockError::Error(error) => JournalError::Io(error),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        // What comes after the last end of a line was being written when something went wrong.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let mut lines = text.lines();
        let header = header(of).to_string();
        let mut games = Vec::new();
        match lines.next() {
            None if bytes.is_empty() => writeln!(file, "{header}")?,
            Some(line) if line == header => {
                games.extend(lines.filter_map(|line| record::from_line(line, &of.schedule)));
                file.set_len(whole as u64)?;
                file.seek(SeekFrom::End(0))?;
            }
            _ => return Err(JournalError::Foreign),
        }
        file.sync_data()?;
        Ok((Self { file }, games))
    }

    /// Adds a game. When this returns, it is on the disk.
    pub fn add(&mut self, game: &Finished) -> io::Result<()> {
        let line = record::to_line(&game.result, &game.reason, &game.pgn);
        self.file.write_all(format!("{line}\n").as_bytes())?;
        self.file.sync_data()
    }
}

/// What makes a match this one: the same games would be played.
fn header(of: &Match) -> Json {
    let entrant = |entrant: &Entrant| {
        json!({
            "name": entrant.name,
            "command": entrant.command.to_string_lossy(),
            "args": entrant.args,
            "options": entrant.options,
            "control": entrant.control.to_string(),
        })
    };
    let openings = (0..of.book.count()).map(|round| of.book.of_round(round));
    json!({
        "match": of.event,
        "entrants": of.entrants.iter().map(entrant).collect::<Vec<_>>(),
        "encounters": of.schedule.encounters(),
        "games": of.schedule.len(),
        "adjudication": format!("{:?}", of.adjudication),
        "openings": [of.book.count(), openings.fold(0, |hash, opening| opening.mix_into(hash))],
    })
}
