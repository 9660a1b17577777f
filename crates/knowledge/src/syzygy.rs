//! Syzygy tablebases: WDL and DTZ probes for the search.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use rukh_chess::Position;
use rukh_engine::tablebase::{Tablebase, Wdl};
use shakmaty::Chess;
use shakmaty_syzygy::{SyzygyError, Tablebase as Tables};

use crate::convert::to_shakmaty;

/// Open Syzygy tablebases.
pub struct Syzygy {
    tables: Tables<Chess>,
    count: usize,
    /// Reports on missing and damaged tables; each is sent once.
    reported: Mutex<BTreeSet<String>>,
    report: Box<dyn Fn(&str) + Send + Sync>,
}

impl fmt::Debug for Syzygy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Syzygy").field("count", &self.count).finish_non_exhaustive()
    }
}

impl Syzygy {
    /// Opens the tables in the folders of `path`, which are separated as in the environment variable `PATH`. `report` receives
    /// one sentence for each missing or damaged table, also during later probes.
    pub fn open(path: &str, report: impl Fn(&str) + Send + Sync + 'static) -> Result<Self, String> {
        let mut tables = Tables::new();
        let mut count = 0;
        for folder in std::env::split_paths(path).filter(|folder: &PathBuf| !folder.as_os_str().is_empty()) {
            let cannot = |error: std::io::Error| format!("{} cannot be read: {error}", folder.display());
            for entry in fs::read_dir(&folder).map_err(cannot)? {
                let file = entry.map_err(cannot)?.path();
                if !file.extension().is_some_and(|extension| extension == "rtbw" || extension == "rtbz") {
                    continue;
                }
                // A damaged file does not affect the others.
                match tables.add_file(&file) {
                    Ok(()) => count += 1,
                    Err(error) => report(&format!("{} is not used: {error}", file.display())),
                }
            }
        }
        if count == 0 {
            return Err(format!("there are no tablebase files in {path}"));
        }
        Ok(Self { tables, count, reported: Mutex::default(), report: Box::new(report) })
    }

    /// The number of tablebase files.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The value of a probe; `None` if it failed. The first failure of each table is reported.
    fn known<T>(&self, probe: Result<T, SyzygyError>) -> Option<T> {
        let sentence = match probe {
            Ok(value) => return Some(value),
            Err(SyzygyError::Castling | SyzygyError::TooManyPieces) => return None,
            Err(SyzygyError::MissingTable { metric, material }) => {
                format!("the {metric} table {material} is missing")
            }
            Err(SyzygyError::ProbeFailed { metric, material, .. }) => {
                format!("the {metric} table {material} cannot be read and is not used")
            }
        };
        if self.reported.lock().unwrap_or_else(PoisonError::into_inner).insert(sentence.clone()) {
            (self.report)(&sentence);
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
        Some(match self.known(self.tables.probe_wdl_after_zeroing(&to_shakmaty(position)?))? {
            Theirs::Win => Wdl::Win,
            Theirs::CursedWin => Wdl::CursedWin,
            Theirs::Draw => Wdl::Draw,
            Theirs::BlessedLoss => Wdl::BlessedLoss,
            Theirs::Loss => Wdl::Loss,
        })
    }

    fn dtz(&self, position: &Position) -> Option<i32> {
        self.known(self.tables.probe_dtz(&to_shakmaty(position)?)).map(|dtz| dtz.ignore_rounding().0)
    }
}
