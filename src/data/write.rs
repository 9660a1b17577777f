//! Other files made of games: shuffled, taken apart, as text.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rukh_chess::random::SplitMix64;
use rukh_lab::labelled::LabelledPosition;
use rukh_lab::packed::PackedGame;

use crate::finish::Finish;
use crate::games::Games;
use crate::output::{NewFile, print, print_line};
use crate::progress::LateBar;

/// The games stay in their files until they are written; only their places are shuffled.
pub(super) fn shuffle(files: &[PathBuf], out: &Path, seed: u64) -> Finish {
    let mut to = NewFile::create(out)?;
    let mut places = Vec::new();
    for (file, path) in files.iter().enumerate() {
        let mut games = Games::open(path)?;
        while let Some(found) = games.next()? {
            places.push((file, found.start, found.length));
        }
    }
    SplitMix64::new(seed).shuffle(&mut places);
    let cannot_read = |path: &Path, error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let mut open: Vec<File> = files
        .iter()
        .map(|path| File::open(path).map_err(|error| cannot_read(path, error)))
        .collect::<Result<_, _>>()?;
    let bar = LateBar::new("games");
    let mut bytes = Vec::new();
    for (done, &(file, start, length)) in places.iter().enumerate() {
        bytes.resize(length as usize, 0);
        let from = &mut open[file];
        let read = from.seek(SeekFrom::Start(start)).and_then(|_| from.read_exact(&mut bytes));
        read.map_err(|error| cannot_read(&files[file], error))?;
        to.write_bytes(&bytes)?;
        bar.set(done + 1, places.len());
    }
    to.finish()?;
    drop(bar);
    print_line(&format!("{} games in {}", places.len(), out.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes what `take` makes of each game.
pub(super) fn write_singles(
    files: &[PathBuf],
    out: &Path,
    mut take: impl FnMut(&PackedGame) -> Vec<PackedGame>,
) -> Finish {
    let mut to = NewFile::create(out)?;
    let mut count = 0_u64;
    let mut bytes = Vec::new();
    for path in files {
        let mut games = Games::open(path)?;
        while let Some(found) = games.next()? {
            for single in take(&found.game) {
                single.write(&mut bytes).expect("memory takes what is written");
                count += 1;
            }
            to.write_bytes(&bytes)?;
            bytes.clear();
        }
    }
    to.finish()?;
    print_line(&format!("{count} positions in {}", out.display()))?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn to_epd(files: &[PathBuf], out: Option<&Path>, positions: usize, every: usize) -> Finish {
    let mut to = out.map(NewFile::create).transpose()?;
    let mut left = positions;
    for path in files {
        let mut games = Games::open(path)?;
        while left > 0
            && let Some(found) = games.next()?
        {
            let lines = LabelledPosition::with_result_of(&found.game)
                .step_by(every)
                .take(left)
                .map(|labelled| format!("{labelled}\n"));
            let lines: Vec<String> = lines.collect();
            left -= lines.len();
            match &mut to {
                Some(file) => file.write(&lines.concat())?,
                None => print(&lines.concat())?,
            }
        }
    }
    if let Some(file) = to {
        file.finish()?;
    }
    Ok(ExitCode::SUCCESS)
}
