//! A file of games that may still be growing. Its games are found by their number.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fmt, iter};

use rukh_eval::checksum::fnv1a;

use crate::packed::{BOARD_BYTES, PackedError, PackedGame};

/// Why a file of games cannot be a source.
#[derive(Debug)]
pub enum SourceError {
    /// It cannot be read.
    Io(PathBuf, io::Error),
    /// It has no whole game.
    Empty(PathBuf),
    /// A game is wrong: its number from 1.
    BadGame(PathBuf, u64, PackedError),
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Self::Empty(path) => write!(f, "{} has no whole game", path.display()),
            Self::BadGame(path, number, error) => write!(f, "{}: game {number}: {error}", path.display()),
        }
    }
}

impl std::error::Error for SourceError {}

/// The whole games of a file at the time when it was opened.
#[derive(Debug)]
pub struct GamesFile {
    path: PathBuf,
    file: Mutex<File>,
    /// Where each game starts, and where the last one ends.
    starts: Vec<u64>,
    first_game: u64,
}

impl GamesFile {
    /// Finds the games of a file. One that is being written at the end is left out.
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        let failed = |error| SourceError::Io(path.to_owned(), error);
        let file = File::open(path).map_err(failed)?;
        let starts = starts(&file).map_err(failed)?;
        let mut source = Self { path: path.to_owned(), file: Mutex::new(file), starts, first_game: 0 };
        if source.count() == 0 {
            return Err(SourceError::Empty(path.to_owned()));
        }
        // A file of something else is better refused now than after the first search.
        source.game(0)?;
        source.first_game = fnv1a(&source.bytes_of(0).map_err(failed)?);
        Ok(source)
    }

    /// Its name without the folder.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// How many whole games there are.
    pub fn count(&self) -> u64 {
        self.starts.len() as u64 - 1
    }

    /// The checksum of the first game.
    pub(super) fn first_game(&self) -> u64 {
        self.first_game
    }

    /// The game of this number, from 0.
    pub(super) fn game(&self, number: u64) -> Result<PackedGame, SourceError> {
        let bad = |error| SourceError::BadGame(self.path.clone(), number + 1, error);
        let bytes = self.bytes_of(number).map_err(|error| SourceError::Io(self.path.clone(), error))?;
        PackedGame::read(&mut bytes.as_slice())
            .and_then(|game| game.ok_or(PackedError::CutShort))
            .map_err(bad)
    }

    fn bytes_of(&self, number: u64) -> io::Result<Vec<u8>> {
        let (start, end) = (self.starts[number as usize], self.starts[number as usize + 1]);
        let mut bytes = vec![0; (end - start) as usize];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

/// Where each whole game starts, and where the last one ends; their content is not checked.
fn starts(file: &File) -> io::Result<Vec<u64>> {
    const BUFFER: usize = 1 << 20;
    let mut from = BufReader::with_capacity(BUFFER, file);
    let mut length_of_next = || -> io::Result<u64> {
        from.read_exact(&mut [0; BOARD_BYTES])?;
        let mut length = BOARD_BYTES as u64;
        loop {
            let mut pair = [0; 4];
            from.read_exact(&mut pair)?;
            length += pair.len() as u64;
            if pair[..2] == [0, 0] {
                return Ok(length);
            }
        }
    };
    let lengths = iter::from_fn(|| match length_of_next() {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => None,
        length => Some(length),
    });
    let mut starts = vec![0];
    let mut end = 0;
    for length in lengths {
        end += length?;
        starts.push(end);
    }
    Ok(starts)
}
