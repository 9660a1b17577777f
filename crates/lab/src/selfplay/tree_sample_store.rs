//! The file that positions from inside the searches go to.
//!
//! Each is stored as a game of one move, with the result of the game whose search visited it, so that every reader of games
//! can read it.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::game::{Played, SelfPlay};
use super::store::{GameStoreError, Store};
use crate::disk::DiskFile;
use crate::packed::ONE_MOVE_BYTES;

/// An open file of positions from inside the searches. It goes with a file of games: what belongs to a game must be added
/// before the game is.
#[derive(Debug)]
pub struct TreeSampleStore {
    file: DiskFile,
    positions: u64,
}

impl TreeSampleStore {
    /// Opens the file that goes with a file of so many games, or begins it.
    ///
    /// Its end must be what the last games give; what was written for a game that is not among them is taken away. What is
    /// refused leaves no new file behind.
    pub fn open(path: &Path, settings: &SelfPlay, games: u64) -> Result<Self, GameStoreError> {
        let is_new = !path.exists();
        let opened = Self::go_on(path, settings, games);
        if is_new && opened.is_err() {
            // If it cannot be removed, the refusal is still the error to report.
            let _ = fs::remove_file(path);
        }
        opened
    }

    fn go_on(path: &Path, settings: &SelfPlay, games: u64) -> Result<Self, GameStoreError> {
        let mut file = DiskFile::open_exclusive(path)?.ok_or(GameStoreError::Busy)?;
        let length = file.metadata()?.len();
        let mut whole = 0;
        if length > 0 || games > 0 {
            let (first, last) = last_of(settings, games)?;
            let next = bytes_of(&settings.games(games..games + 1)?)?;
            let most = (last.len() + next.len()) as u64;
            let mut end = Vec::new();
            file.seek(SeekFrom::Start(length.saturating_sub(most)))?;
            file.read_to_end(&mut end)?;
            let begun = begun(&end, &last, &next).ok_or(GameStoreError::Apart)?;
            whole = length - begun as u64;
            if first == 0 && whole != last.len() as u64 {
                return Err(GameStoreError::Apart);
            }
        }
        file.truncate(whole)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Self { file, positions: whole / ONE_MOVE_BYTES })
    }

    /// Adds the tree samples of a game.
    pub fn add(&mut self, played: &Played) -> io::Result<()> {
        self.file.write_all(&bytes_of(std::slice::from_ref(played))?)?;
        self.positions += played.tree_samples.len() as u64;
        Ok(())
    }

    /// How many positions are in it.
    pub fn positions(&self) -> u64 {
        self.positions
    }
}

/// What the last of so many games give, and the number of the first of them: more than are played again for the games themselves
/// if there is nothing inside these, but not without end.
fn last_of(settings: &SelfPlay, games: u64) -> io::Result<(u64, Vec<u8>)> {
    const MOST_REPLAYED: u64 = 100;
    let mut first = games;
    let mut last = Vec::new();
    while last.is_empty() && first > games.saturating_sub(MOST_REPLAYED) {
        let end = first;
        first = end.saturating_sub(Store::REPLAYED);
        last = bytes_of(&settings.games(first..end)?)?;
    }
    Ok((first, last))
}

fn bytes_of(played: &[Played]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    played.iter().flat_map(|played| &played.tree_samples).try_for_each(|game| game.write(&mut bytes))?;
    Ok(bytes)
}

/// How many bytes of `next` follow `last` at the end of `end`; none if it does not end so.
fn begun(end: &[u8], last: &[u8], next: &[u8]) -> Option<usize> {
    let ends_after =
        |begun: &usize| end.strip_suffix(&next[..*begun]).is_some_and(|before| before.ends_with(last));
    (0..=next.len()).rev().find(ends_after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Adjudication;
    use crate::packed::PackedGame;
    use std::fs;

    #[test]
    fn the_file_goes_on_with_its_games() {
        let settings = SelfPlay { nodes: 300, tree_sample_depth: Some(2), ..SelfPlay::default() };
        let path = std::env::temp_dir().join(format!("rukh-tree-samples-{}.vf", std::process::id()));
        let played = settings.games(0..5).expect("a thread is given");
        let bytes = |games: usize| bytes_of(&played[..games]).expect("a vector takes everything");
        assert!(played.iter().all(|played| played.tree_samples.len() > 5));
        let open = |games| TreeSampleStore::open(&path, &settings, games);
        let is_apart = |games| matches!(open(games), Err(GameStoreError::Apart));
        let written = || fs::read(&path).expect("it is there");

        let mut store = open(0).expect("it begins");
        assert!(matches!(open(0), Err(GameStoreError::Busy)));
        played[..3].iter().for_each(|played| store.add(played).expect("it can be written"));
        let positions: usize = played[..3].iter().map(|played| played.tree_samples.len()).sum();
        assert_eq!(store.positions(), positions as u64);
        drop(store);
        assert_eq!(written(), bytes(3));

        assert!(is_apart(4) && is_apart(1) && is_apart(0), "it goes with other games");
        assert_eq!(written(), bytes(3), "it is left alone");
        // The third game was not written any more, or only a part of it and of its tree samples.
        for more in [0, 1, 50, bytes(3).len() - bytes(2).len()] {
            fs::write(&path, &bytes(3)[..bytes(2).len() + more]).expect("it can be");
            drop(open(2).expect("it is resumed"));
            assert_eq!(written(), bytes(2), "{more}");
        }
        let mut store = open(2).expect("it is resumed");
        played[2..].iter().for_each(|played| store.add(played).expect("it can be written"));
        drop(store);
        assert_eq!(written(), bytes(5));
        assert_eq!(open(5).expect("it is resumed").positions(), (bytes(5).len() / 40) as u64);
        let mut from = &written()[..];
        while let Some(game) = PackedGame::read(&mut from).expect("they are games") {
            assert_eq!(game.moves.len(), 1);
        }
        fs::write(&path, "this is something else").expect("it can be");
        assert!(is_apart(0) && is_apart(5));
        fs::remove_file(&path).expect("it is there");
    }

    #[test]
    fn games_without_anything_inside_are_passed_over() {
        const GAMES: usize = 40;
        let path = std::env::temp_dir().join(format!("rukh-tree-samples-few-{}.vf", std::process::id()));
        let adjudication = Adjudication { max_moves: Some(10), ..SelfPlay::default().adjudication };
        let settings = |depth| SelfPlay {
            nodes: 100,
            adjudication,
            tree_sample_depth: Some(depth),
            ..SelfPlay::default()
        };
        let is_poor = |played: &[Played]| played.iter().all(|played| played.tree_samples.is_empty());
        // Games are short, and the deeper it must be, the fewer there are: somewhere two have nothing after one that has.
        let (settings, played, games) = (2..9)
            .map(settings)
            .find_map(|settings| {
                let played = settings.games(0..GAMES as u64).expect("a thread is given");
                let fits = |at: &usize| !is_poor(&played[..at - 2]) && is_poor(&played[at - 2..*at]);
                (3..GAMES).find(fits).map(|games| (settings, played, games))
            })
            .expect("they grow fewer");
        let right = bytes_of(&played[..games]).expect("a vector takes everything");
        fs::write(&path, &right).expect("the folder can be written");
        assert!(TreeSampleStore::open(&path, &settings, games as u64).is_ok());
        assert_eq!(fs::read(&path).expect("it is there"), right);
        fs::write(&path, "").expect("it can be");
        let opened = TreeSampleStore::open(&path, &settings, games as u64);
        assert!(matches!(opened, Err(GameStoreError::Apart)), "what was inside the games is not there");
        fs::remove_file(&path).expect("it is there");
    }
}
