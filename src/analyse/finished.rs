//! Finished reviews in a file beside the output, from which an interrupted run is resumed.
//!
//! Each game is one line of JSON with the settings of its analysis. Lines that are cut off or have other settings are ignored,
//! and their games are analysed again.

use std::collections::HashMap;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use rukh_chess::Position;
use rukh_chess::game::Game;
use rukh_chess::notation::CastlingNotation;
use rukh_eval::Score;
use rukh_explain::review::{PositionAnalysis, Review};
use rukh_explain::variation;
use rukh_lab::disk::DiskFile;
use serde_json::{Value, json};

/// The file and the reviews that it held when it was opened.
pub(super) struct Finished {
    path: PathBuf,
    file: DiskFile,
    settings: String,
    /// The analyses of each game, in the order in which a review asks for them.
    games: HashMap<String, Vec<Value>>,
}

impl Finished {
    /// The path of the file for an output.
    pub(super) fn path_beside(output: &Path) -> PathBuf {
        let mut name = output.as_os_str().to_owned();
        name.push(".part");
        PathBuf::from(name)
    }

    /// Opens or creates the file. Only games analysed with these settings are used.
    pub(super) fn open(path: &Path, settings: &str) -> Result<Self, String> {
        let cannot =
            |what: &str, error: &dyn std::fmt::Display| format!("cannot {what} {}: {error}", path.display());
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(cannot("read", &error)),
        };
        // A file of another program must not be changed or removed. The first line may have been cut off anywhere.
        if !(bytes.starts_with(BEGINNING.as_bytes()) || BEGINNING.as_bytes().starts_with(&bytes)) {
            return Err(format!(
                "{} is not a file of finished reviews; move it away or name another output",
                path.display()
            ));
        }
        // A last line without its end was cut off by a kill.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let games = lines.filter(|line| line["settings"] == settings).filter_map(|line| {
            Some((line["game"].as_str()?.to_owned(), line["positions"].as_array()?.clone()))
        });
        let games = games.collect();
        let file = DiskFile::append(path).map_err(|error| cannot("write", &error))?;
        file.truncate(whole as u64).map_err(|error| cannot("write", &error))?;
        Ok(Self { path: path.to_owned(), file, settings: settings.to_owned(), games })
    }

    /// The review of a finished game.
    pub(super) fn review(&self, game: &Game) -> Option<Review> {
        let mut analyses = self.games.get(&name(game))?.iter();
        let review = Review::new(game, |game| {
            analyses.next().and_then(|analysis| read(analysis, game.position())).ok_or(())
        });
        review.ok()
    }

    /// Saves a game with its analyses, in the order in which the review asked for them.
    pub(super) fn add(&mut self, game: &Game, analyses: &[Value]) -> Result<(), String> {
        // `BEGINNING` relies on the alphabetical order of the keys.
        let line = json!({ "game": name(game), "positions": analyses, "settings": self.settings });
        let written =
            self.file.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| format!("cannot write {}: {error}", self.path.display()))
    }

    /// Removes the file, when the output is written.
    pub(super) fn remove(self) -> Result<(), String> {
        drop(self.file);
        fs::remove_file(&self.path).map_err(|error| format!("cannot remove {}: {error}", self.path.display()))
    }
}

/// The start of each line.
const BEGINNING: &str = "{\"game\":";

/// The identity of a game: its start position and its moves.
fn name(game: &Game) -> String {
    format!("{} | {}", game.start(), in_uci(game.start(), game.moves()))
}

fn in_uci(start: &Position, moves: &[rukh_chess::Move]) -> String {
    let words = variation::positions(start, moves)
        .map(|(position, mv)| position.uci(mv, CastlingNotation::RookSquare));
    words.collect::<Vec<_>>().join(" ")
}

/// An analysis as JSON.
pub(super) fn write(analysis: &PositionAnalysis, position: &Position) -> Value {
    json!({
        "score": analysis.score.value(),
        "wdl": analysis.wdl,
        "line": in_uci(position, &analysis.pv),
    })
}

/// Reads what [`write()`] wrote; `None` if it does not fit the position.
fn read(value: &Value, position: &Position) -> Option<PositionAnalysis> {
    let score = Score::from_value(i32::try_from(value["score"].as_i64()?).ok()?);
    let counts = value["wdl"].as_array()?.iter().map(|count| u32::try_from(count.as_u64()?).ok());
    let wdl: [u32; 3] = counts.collect::<Option<Vec<_>>>()?.try_into().ok()?;
    if wdl.iter().copied().map(u64::from).sum::<u64>() != 1000 {
        return None;
    }
    let mut here = position.clone();
    let mut pv = Vec::new();
    for word in value["line"].as_str()?.split_whitespace() {
        let mv = here.parse_uci(word).ok()?;
        here.make(mv, &mut ());
        pv.push(mv);
    }
    Some(PositionAnalysis { score, wdl, pv })
}
