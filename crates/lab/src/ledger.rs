//! A file from which interrupted work goes on: a line that says what the work is, then a line for each part that is done.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::exclusive;

/// An open ledger; nobody else can write it meanwhile.
#[derive(Debug)]
pub struct Ledger {
    file: File,
}

/// Why a ledger cannot be used.
#[derive(Debug)]
pub enum LedgerError {
    /// It cannot be read or written.
    Io(io::Error),
    /// Someone else writes it.
    Busy,
    /// It is of other work, or of none.
    Foreign,
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Busy => f.write_str("something else is using it"),
            Self::Foreign => f.write_str("it is the state of something else; name another file"),
        }
    }
}

impl std::error::Error for LedgerError {}

impl From<io::Error> for LedgerError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Ledger {
    /// Opens the ledger of the work that `header` describes on one line, or begins one; what is done already.
    pub fn open(path: &Path, header: &str) -> Result<(Self, Vec<String>), LedgerError> {
        let mut file = exclusive::open(path)?.ok_or(LedgerError::Busy)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        // What comes after the last end of a line was being written when something went wrong.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let mut lines = text.lines();
        let mut done = Vec::new();
        match lines.next() {
            // A beginning of this very header was being written when something went wrong.
            None if header.as_bytes().starts_with(&bytes) => {
                file.set_len(0)?;
                file.rewind()?;
                file.write_all(format!("{header}\n").as_bytes())?;
            }
            Some(line) if line == header => {
                done.extend(lines.map(str::to_owned));
                file.set_len(whole as u64)?;
                file.seek(SeekFrom::End(0))?;
            }
            _ => return Err(LedgerError::Foreign),
        }
        file.sync_data()?;
        Ok((Self { file }, done))
    }

    /// Adds a part that is done. When this returns, it is on the disk.
    pub fn add(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes())?;
        self.file.sync_data()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn work_goes_on_after_its_last_whole_line() {
        let path = std::env::temp_dir().join(format!("rukh-ledger-{}", std::process::id()));
        let (mut ledger, done) = Ledger::open(&path, "work").expect("it is new");
        assert!(done.is_empty());
        assert!(matches!(Ledger::open(&path, "work"), Err(LedgerError::Busy)));
        ledger.add("one").expect("it can be written");
        drop(ledger);
        fs::write(&path, "work\none\ntw").expect("it can be written");
        let (mut ledger, done) = Ledger::open(&path, "work").expect("it goes on");
        assert_eq!(done, ["one"]);
        ledger.add("two").expect("it can be written");
        drop(ledger);
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "work\none\ntwo\n");
        fs::write(&path, "wor").expect("it can be written");
        assert_eq!(Ledger::open(&path, "work").expect("it begins again").1, [""; 0]);
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "work\n");
        for foreign in ["other work\none\n", "other"] {
            fs::write(&path, foreign).expect("it can be written");
            assert!(matches!(Ledger::open(&path, "work"), Err(LedgerError::Foreign)));
            assert_eq!(fs::read_to_string(&path).expect("it is there"), foreign, "it is left alone");
        }
        fs::remove_file(&path).expect("it is there");
    }
}
