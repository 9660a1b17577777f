//! Disk: the file operations of work that must survive their failure. Every state and every output goes through them.
//!
//! In a debug build the variable `RUKH_FAULT` makes an operation fail, for tests: `write:3` the third write of the process,
//! `write:3+` all from it on, `short:3` the third write after half of its bytes, `sync:3`, `truncate:3` and `rename:3` the
//! others; `kill:3` ends the process at the third operation of any kind. [`inject`] does so for the work of one thread. In a
//! release build nothing fails by request. What the files contain is unknown here.

use std::fs::{self, File, Metadata, Permissions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::faults::{Fault, Operation, requested};
pub use crate::faults::{Injected, inject};

/// An open file.
#[derive(Debug)]
pub struct DiskFile {
    file: File,
    path: PathBuf,
}

impl DiskFile {
    /// Creates a file or empties it.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { file: File::create(path)?, path: path.to_owned() })
    }

    /// Opens a file that is written at its end, or creates it.
    pub fn append(path: &Path) -> io::Result<Self> {
        let file = File::options().append(true).create(true).open(path)?;
        Ok(Self { file, path: path.to_owned() })
    }

    /// Opens a device or a pipe for writing.
    pub fn open_special(path: &Path) -> io::Result<Self> {
        Ok(Self { file: File::options().write(true).open(path)?, path: path.to_owned() })
    }

    /// Opens a file for reading and writing, or creates it; `None` if another process has it locked.
    pub(crate) fn open_exclusive(path: &Path) -> io::Result<Option<Self>> {
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { file, path: path.to_owned() })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Locks the file, if nobody else has and the file system can.
    pub fn try_lock(&self) -> bool {
        self.file.try_lock().is_ok()
    }

    /// Sets the permissions.
    pub fn set_permissions(&self, permissions: Permissions) -> io::Result<()> {
        self.file.set_permissions(permissions)
    }

    /// Size and kind.
    pub fn metadata(&self) -> io::Result<Metadata> {
        self.file.metadata()
    }

    /// Waits until what was written is on the disk.
    pub fn sync_data(&self) -> io::Result<()> {
        refuse(Operation::Sync, &self.path)?;
        self.file.sync_data()
    }

    /// Cuts the file off at this length.
    pub fn truncate(&self, length: u64) -> io::Result<()> {
        refuse(Operation::Truncate, &self.path)?;
        self.file.set_len(length)
    }
}

/// Opens a file that is resumed or started. One that could not be started is removed.
pub(crate) fn remove_unstarted<T, E>(path: &Path, open: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let is_new = !path.exists();
    let opened = open();
    if is_new && opened.is_err() {
        // The error is worth more than a failure to remove it.
        let _ = fs::remove_file(path);
    }
    opened
}

/// Whether a file is empty or the first part of `header`: it was being started when the writer was killed.
pub(crate) fn is_start_of(header: &[u8], file: &mut DiskFile) -> io::Result<bool> {
    let mut bytes = Vec::new();
    Read::take(file, header.len() as u64).read_to_end(&mut bytes)?;
    Ok(bytes.len() < header.len() && header.starts_with(&bytes))
}

impl Read for DiskFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}

impl Seek for DiskFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Write for DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let half = &bytes[..bytes.len().div_ceil(2)];
        match requested(Operation::Write, &self.path) {
            None => self.file.write(bytes),
            Some(Fault::Refusal(error)) => Err(error),
            Some(Fault::Half) => self.file.write(half),
            Some(Fault::Kill(exit)) => {
                self.file.write_all(half)?;
                exit()
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Renames a file.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    refuse(Operation::Rename, from)?;
    fs::rename(from, to)
}

/// Replaces a file: until the new one is whole and on the disk, the old one is unchanged. A device or a pipe is written directly.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A symbolic link stays one: its target is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
        return DiskFile::open_special(&path)?.write_all(bytes);
    }
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".part");
    let temporary = PathBuf::from(temporary);
    let write = || {
        let mut file = DiskFile::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_data()?;
        rename(&temporary, &path)
    };
    write().inspect_err(|_| {
        // One that stays is overwritten by the next attempt.
        let _ = fs::remove_file(&temporary);
    })
}

/// The error of a requested fault of an operation that is done as a whole.
fn refuse(operation: Operation, path: &Path) -> io::Result<()> {
    match requested(operation, path) {
        None | Some(Fault::Half) => Ok(()),
        Some(Fault::Refusal(error)) => Err(error),
        Some(Fault::Kill(exit)) => exit(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let path = std::env::temp_dir().join(format!("rukh-disk-{}", std::process::id()));
        for text in ["one", "another"] {
            replace(&path, text.as_bytes()).expect("there is room");
            assert_eq!(fs::read_to_string(&path).expect("it is there"), text);
        }
        let temporary = path.with_extension("part");
        assert!(!temporary.exists());
        // A folder in the way of the temporary file: the old file stays.
        fs::create_dir(&temporary).expect("there is room");
        assert!(replace(&path, b"third").is_err());
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "another");
        fs::remove_dir(&temporary).expect("it is there");
        fs::remove_file(&path).expect("it is there");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_directly() {
        replace(Path::new("/dev/null"), b"anything").expect("it takes everything");
        assert!(!fs::metadata("/dev/null").expect("it is there").is_file());
    }
}
