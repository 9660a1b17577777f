//! `rukh data from-pgn`: training data from PGN with scores, such as the uploads of OpenBench.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rukh_chess::notation::pgn::{Games, decode};
use rukh_lab::from_pgn::packed;
use rukh_lab::packed::NO_SCORE;
use serde_json::{Value as Json, json};

use crate::finish::{Failure, Finish};
use crate::output::{NewFile, is_same_file, print_line};
use crate::progress::LateBar;
use crate::unpack::for_each_file;

/// What has been converted so far.
#[derive(Default)]
struct Converted {
    games: u64,
    positions: u64,
    scored: u64,
    skipped: Vec<Json>,
}

pub(super) fn from_pgn(files: &[PathBuf], out: &Path, as_json: bool) -> Finish {
    if files.iter().any(|file| is_same_file(file, out)) {
        return Err(format!("{} would be written over the games it is made from", out.display()).into());
    }
    let mut to = NewFile::create(out)?;
    let bar = LateBar::new("bytes");
    let mut converted = Converted::default();
    for path in files {
        for_each_file(path, |name, bytes| converted.add(name, bytes, &mut to, &bar, as_json))?;
    }
    bar.finish();
    let Converted { games, positions, scored, skipped } = converted;
    if games == 0 {
        return Err(format!("there is no game to write to {}", out.display()).into());
    }
    to.finish()?;
    if as_json {
        let summary = json!({ "games": games, "positions": positions, "scored": scored, "skipped": skipped });
        print_line(&summary.to_string())?;
    } else {
        print_line(&format!(
            "{games} games with {positions} positions in {}, {scored} with a score; {} games skipped",
            out.display(),
            skipped.len()
        ))?;
    }
    Ok(if skipped.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Converted {
    /// Adds the games of a text.
    fn add(
        &mut self,
        name: &str,
        bytes: &[u8],
        to: &mut NewFile,
        bar: &LateBar,
        as_json: bool,
    ) -> Result<(), Failure> {
        let text = decode(bytes);
        let mut games = Games::new(&text);
        bar.say(|| name.to_owned());
        let mut number = 0;
        while let Some(game) = games.next() {
            number += 1;
            bar.set(games.bytes_read(), text.len());
            let game = match game {
                Ok(game) => packed(&game).map_err(|unusable| format!("game {number}: {unusable}")),
                Err(error) => Err(error.to_string()),
            };
            match game {
                Ok(game) => {
                    self.games += 1;
                    self.positions += game.moves.len() as u64;
                    self.scored += game.moves.iter().filter(|(_, score)| *score != NO_SCORE).count() as u64;
                    let mut packed = Vec::with_capacity(game.bytes() as usize);
                    game.write(&mut packed).expect("memory takes what is written");
                    to.write_bytes(&packed)?;
                }
                Err(fault) => {
                    if !as_json {
                        bar.print_line(&format!("{name}: {fault}"))?;
                    }
                    self.skipped.push(json!({ "file": name, "fault": fault }));
                }
            }
        }
        Ok(())
    }
}
