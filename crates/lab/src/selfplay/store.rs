//! The file that games of self-play go to.

use std::fmt;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::game::SelfPlay;
use crate::disk::DiskFile;
use crate::packed::{PackedError, PackedGame};

/// An open file of games.
#[derive(Debug)]
pub struct Store {
    file: DiskFile,
}

/// What is in it already.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stored {
    /// Games.
    pub games: u64,
    /// Positions with a move and a score.
    pub positions: u64,
}

impl Stored {
    /// Counts another game.
    pub fn add(&mut self, game: &PackedGame) {
        self.games += 1;
        self.positions += game.moves.len() as u64;
    }
}

/// Why a file cannot be resumed.
#[derive(Debug)]
pub enum GameStoreError {
    /// It cannot be read or written.
    Io(io::Error),
    /// Someone else writes it.
    Busy,
    /// What is in it cannot be read as games.
    Broken(u64, PackedError),
    /// Its games are not those that these settings give.
    Foreign,
    /// It does not go with the games beside it.
    Apart,
}

impl fmt::Display for GameStoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Busy => f.write_str("something else is writing it"),
            Self::Broken(number, error) => write!(f, "game {number} is broken: {error}"),
            Self::Foreign => f.write_str(
                "its last games are not those that this engine plays with these settings; name another file",
            ),
            Self::Apart => f.write_str(
                "its last positions are not those inside the last games with these settings; name another file for both",
            ),
        }
    }
}

impl std::error::Error for GameStoreError {}

impl From<io::Error> for GameStoreError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Store {
    /// The last games that are played again, to see whether they come out the same.
    pub(super) const REPLAYED: u64 = 2;

    /// Opens a file to add games to, or begins one; what is in it.
    ///
    /// A game that was being written when something went wrong is taken away.
    pub fn open(path: &Path, settings: &SelfPlay) -> Result<(Self, Stored), GameStoreError> {
        let mut file = DiskFile::open_exclusive(path)?.ok_or(GameStoreError::Busy)?;
        let mut stored = Stored::default();
        let mut last: Vec<PackedGame> = Vec::new();
        let mut whole = 0;
        let length = file.metadata()?.len();
        let mut reader = BufReader::new(&mut file);
        loop {
            match PackedGame::read(&mut reader) {
                Ok(Some(game)) => {
                    stored.add(&game);
                    whole = reader.stream_position()?;
                    if last.len() as u64 == Self::REPLAYED {
                        last.remove(0);
                    }
                    last.push(game);
                }
                Ok(None) | Err(PackedError::CutShort) => break,
                Err(error) => return Err(GameStoreError::Broken(stored.games + 1, error)),
            }
        }
        let is_cut_short = whole < length;
        let replayed = stored.games - last.len() as u64..stored.games + u64::from(is_cut_short);
        let mut replayed: Vec<_> = settings.games(replayed)?.into_iter().map(|played| played.game).collect();
        if is_cut_short {
            // What comes after the last whole game must be the start of the next one.
            let mut rest = Vec::new();
            file.seek(SeekFrom::Start(whole))?;
            file.read_to_end(&mut rest)?;
            let mut next = Vec::new();
            replayed.pop().expect("it was played").write(&mut next)?;
            if !next.starts_with(&rest) {
                return Err(GameStoreError::Foreign);
            }
        }
        if replayed != last {
            return Err(GameStoreError::Foreign);
        }
        file.truncate(whole)?;
        file.seek(SeekFrom::End(0))?;
        Ok((Self { file }, stored))
    }

    /// Adds a game.
    pub fn add(&mut self, game: &PackedGame) -> io::Result<()> {
        let mut bytes = Vec::new();
        game.write(&mut bytes)?;
        self.file.write_all(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_goes_on_where_it_ends() {
        let settings = SelfPlay { nodes: 100, ..SelfPlay::default() };
        let path = std::env::temp_dir().join(format!("rukh-store-{}.vf", std::process::id()));
        let games: Vec<_> =
            settings.games(0..4).expect("a thread is given").into_iter().map(|played| played.game).collect();
        let bytes = |games: &[PackedGame]| {
            let mut bytes = Vec::new();
            games.iter().for_each(|game| game.write(&mut bytes).expect("a vector takes everything"));
            bytes
        };
        // Two games, and a part of the third.
        let whole = bytes(&games[..2]).len();
        fs::write(&path, &bytes(&games[..3])[..whole + 50]).expect("the folder can be written");
        let (mut store, stored) = Store::open(&path, &settings).expect("it is resumed");
        let positions = games[..2].iter().map(|game| game.moves.len() as u64).sum();
        assert_eq!(stored, Stored { games: 2, positions });
        assert!(matches!(Store::open(&path, &settings), Err(GameStoreError::Busy)));
        games[2..].iter().for_each(|game| store.add(game).expect("it can be written"));
        drop(store);
        assert_eq!(fs::read(&path).expect("it is there"), bytes(&games));
        let other = SelfPlay { seed: 2, ..settings.clone() };
        assert!(matches!(Store::open(&path, &other), Err(GameStoreError::Foreign)));
        fs::write(&path, "short, but not ours").expect("it can be");
        assert!(matches!(Store::open(&path, &settings), Err(GameStoreError::Foreign)));
        assert_eq!(fs::read(&path).expect("it is there"), b"short, but not ours", "it is left alone");
        fs::write(&path, "this is no file of games, but it is long enough to hold one").expect("it can be");
        assert!(matches!(Store::open(&path, &settings), Err(GameStoreError::Broken(1, _))));
        fs::remove_file(&path).expect("it is there");
    }
}
