//! The games that are finished, in a file beside the output, so that an interrupted review goes on where it was.
//!
//! Each game is one line of JSON that says by which settings it was judged; whatever is torn or of other settings is not
//! used, and its game is judged again.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use rukh_chess::Position;
use rukh_chess::game::Game;
use rukh_chess::notation::CastlingNotation;
use rukh_eval::Score;
use rukh_explain::review::{PositionAnalysis, Review};
use rukh_explain::variation;
use serde_json::{Value, json};

/// The file, and what it held when it was opened.
pub(super) struct Finished {
    path: PathBuf,
    file: File,
    settings: String,
    /// The judgements of a game, in the order in which a review asks for them, by the game.
    games: HashMap<String, Vec<Value>>,
}

impl Finished {
    /// Where the finished games of this output are kept.
    pub(super) fn path_beside(output: &Path) -> PathBuf {
        let mut name = output.as_os_str().to_owned();
        name.push(".part");
        PathBuf::from(name)
    }

    /// Opens the file at `path`, or begins one; of what it holds, only games judged by these settings are used.
    pub(super) fn open(path: &Path, settings: &str) -> Result<Self, String> {
        let cannot =
            |what: &str, error: &dyn std::fmt::Display| format!("cannot {what} {}: {error}", path.display());
        let text = match fs::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(cannot("read", &error)),
        };
        // What does not begin like ours is not ours to write to or to take away.
        if !(text.is_empty() || text.starts_with(BEGINNING)) {
            return Err(format!("{} holds something else than finished games of a review", path.display()));
        }
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let games = lines.filter(|line| line["settings"] == settings).filter_map(|line| {
            Some((line["game"].as_str()?.to_owned(), line["judgements"].as_array()?.clone()))
        });
        let games = games.collect();
        let mut file =
            File::options().append(true).create(true).open(path).map_err(|error| cannot("write", &error))?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").map_err(|error| cannot("write", &error))?;
        }
        Ok(Self { path: path.to_owned(), file, settings: settings.to_owned(), games })
    }

    /// The review of a game that is finished already.
    pub(super) fn review(&self, game: &Game) -> Option<Review> {
        let mut judgements = self.games.get(&name(game))?.iter();
        let review = Review::new(game, |game| {
            judgements.next().and_then(|judgement| read(judgement, game.position())).ok_or(())
        });
        review.ok()
    }

    /// Keeps a game, with the judgements in the order in which they were asked for.
    pub(super) fn add(&mut self, game: &Game, judgements: &[Value]) -> Result<(), String> {
        // The keys are written in the order of their names: `BEGINNING` counts on it.
        let line = json!({ "game": name(game), "judgements": judgements, "settings": self.settings });
        let written =
            self.file.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| format!("cannot write {}: {error}", self.path.display()))
    }

    /// Everything is written elsewhere: takes the file away.
    pub(super) fn remove(self) -> Result<(), String> {
        drop(self.file);
        fs::remove_file(&self.path).map_err(|error| format!("cannot remove {}: {error}", self.path.display()))
    }
}

/// How each line begins.
const BEGINNING: &str = "{\"game\":";

/// What tells a game from another: where it begins, and its moves.
fn name(game: &Game) -> String {
    format!("{} | {}", game.start(), in_uci(game.start(), game.moves()))
}

fn in_uci(start: &Position, moves: &[rukh_chess::Move]) -> String {
    let words = variation::positions(start, moves)
        .map(|(position, mv)| position.uci(mv, CastlingNotation::RookSquare));
    words.collect::<Vec<_>>().join(" ")
}

/// A judgement as it is kept.
pub(super) fn write(judgement: &PositionAnalysis, position: &Position) -> Value {
    json!({
        "score": judgement.score.value(),
        "wdl": judgement.wdl,
        "line": in_uci(position, &judgement.pv),
    })
}

/// A judgement that was kept; none if it is none of this position.
fn read(value: &Value, position: &Position) -> Option<PositionAnalysis> {
    let score = Score::from_value(i32::try_from(value["score"].as_i64()?).ok()?);
    let chances = value["wdl"].as_array()?.iter().map(|chance| u32::try_from(chance.as_u64()?).ok());
    let wdl: [u32; 3] = chances.collect::<Option<Vec<_>>>()?.try_into().ok()?;
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
