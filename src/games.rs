//! Games in viriformat from files, with progress.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use rukh_lab::packed::PackedGame;

use crate::progress::LateBar;

/// A game and its place in the file, in bytes.
pub(crate) struct Found {
    pub(crate) game: PackedGame,
    pub(crate) start: u64,
    pub(crate) length: u64,
}

/// Calls `look` for all games of some files.
pub(crate) fn for_each_game(files: &[PathBuf], mut look: impl FnMut(&PackedGame)) -> Result<(), String> {
    for path in files {
        let mut games = Games::open(path)?;
        while let Some(found) = games.next()? {
            look(&found.game);
        }
    }
    Ok(())
}

/// The games of a file in order.
pub(crate) struct Games<'p> {
    path: &'p Path,
    from: BufReader<File>,
    bar: LateBar,
    length: u64,
    at: u64,
    number: u64,
}

impl<'p> Games<'p> {
    pub(crate) fn open(path: &'p Path) -> Result<Self, String> {
        let file = File::open(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let length = file.metadata().map_or(0, |data| data.len());
        let from = BufReader::with_capacity(1 << 20, file);
        Ok(Self { path, from, bar: LateBar::new("million bytes"), length, at: 0, number: 0 })
    }

    /// The next game; `None` at the end. A malformed game is reported with its number and place.
    pub(crate) fn next(&mut self) -> Result<Option<Found>, String> {
        const MILLION: u64 = 1_000_000;
        self.number += 1;
        let game = PackedGame::read(&mut self.from).map_err(|error| {
            format!("{}: game {}, at byte {}: {error}", self.path.display(), self.number, self.at)
        })?;
        let found = game.map(|game| Found { start: self.at, length: game.bytes(), game });
        self.at += found.as_ref().map_or(0, |found| found.length);
        self.bar.set((self.at / MILLION) as usize, (self.length / MILLION) as usize);
        Ok(found)
    }
}
