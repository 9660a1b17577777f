//! Syzygy tablebases, read by shakmaty-syzygy, behind the trait of the engine.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use rukh_chess::Position;
use rukh_engine::tablebase::{Tablebase, Wdl};
use shakmaty::Chess;
use shakmaty_syzygy::{SyzygyError, Tablebase as Tables};

use crate::convert::theirs;

/// Tables that have been opened.
pub struct Syzygy {
    tables: Tables<Chess>,
    count: usize,
    /// Tables that were missed or found broken, each told once.
    told: Mutex<BTreeSet<String>>,
    tell: Box<dyn Fn(&str) + Send + Sync>,
}

impl fmt::Debug for Syzygy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Syzygy").field("count", &self.count).finish_non_exhaustive()
    }
}

impl Syzygy {
    /// Opens the tables of the folders in `path`, which stand one after the other as in the environment variable PATH.
    /// `tell` later hears of each table that is missing or broken, once.
    pub fn open(path: &str, tell: impl Fn(&str) + Send + Sync + 'static) -> Result<Self, String> {
        let mut tables = Tables::new();
        let mut count = 0;
        for folder in std::env::split_paths(path).filter(|folder: &PathBuf| !folder.as_os_str().is_empty()) {
            let cannot = |error: std::io::Error| format!("{} cannot be read: {error}", folder.display());
            for entry in fs::read_dir(&folder).map_err(cannot)? {
                let file = entry.map_err(cannot)?.path();
                if !file.extension().is_some_and(|extension| extension == "rtbw" || extension == "rtbz") {
                    continue;
                }
                // One that is broken does not spoil the others.
                match tables.add_file(&file) {
                    Ok(()) => count += 1,
                    Err(error) => tell(&format!("{} is not used: {error}", file.display())),
                }
            }
        }
        if count == 0 {
            return Err(format!("there are no tables in {path}"));
        }
        Ok(Self { tables, count, told: Mutex::default(), tell: Box::new(tell) })
    }

    /// How many files there are.
    pub fn count(&self) -> usize {
        self.count
    }

    fn answer<T>(&self, answer: Result<T, SyzygyError>) -> Option<T> {
        let sentence = match answer {
            Ok(answer) => return Some(answer),
            Err(SyzygyError::Castling | SyzygyError::TooManyPieces) => return None,
            Err(SyzygyError::MissingTable { metric, material }) => {
                format!("the {metric} table {material} is missing")
            }
            Err(SyzygyError::ProbeFailed { metric, material, .. }) => {
                format!("the {metric} table {material} cannot be read and is not used")
            }
        };
        if self.told.lock().unwrap_or_else(PoisonError::into_inner).insert(sentence.clone()) {
            (self.tell)(&sentence);
        }
        None
    }
}

impl Tablebase for Syzygy {
    fn max_pieces(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    fn wdl(&self, position: &Position) -> Option<Wdl> {
        use shakmaty_syzygy::Wdl as Theirs;
        Some(match self.answer(self.tables.probe_wdl_after_zeroing(&theirs(position)?))? {
            Theirs::Win => Wdl::Win,
            Theirs::CursedWin => Wdl::CursedWin,
            Theirs::Draw => Wdl::Draw,
            Theirs::BlessedLoss => Wdl::BlessedLoss,
            Theirs::Loss => Wdl::Loss,
        })
    }

    fn dtz(&self, position: &Position) -> Option<i32> {
        self.answer(self.tables.probe_dtz(&theirs(position)?)).map(|dtz| dtz.ignore_rounding().0)
    }
}
