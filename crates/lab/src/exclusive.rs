//! Exclusive files: a file that is resumed is written by one process at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

/// Opens the file, or begins it; none if someone else has it.
pub(crate) fn open(path: &Path) -> io::Result<Option<File>> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
