//! Writing to standard output and to files. `println!` would panic if standard output is closed or full.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use rukh_lab::disk::{self, DiskFile};

use crate::finish::Failure;

/// Prints a text without a line end.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::ReaderGone,
        _ => Failure::Sentence(format!("cannot write to standard output: {error}")),
    })
}

/// Prints a line.
pub(crate) fn print_line(line: &str) -> Result<(), Failure> {
    print(&format!("{line}\n"))
}

/// Prints a line on standard error; ignored if that is closed.
pub(crate) fn eprint_line(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// A file that is written beside and renamed at the end: until then an existing file of that name is unchanged.
pub(crate) struct NewFile {
    /// The name that was given, for messages.
    name: PathBuf,
    path: PathBuf,
    /// The temporary file; `None` if `path` is a device or a pipe, which is written directly.
    temporary: Option<PathBuf>,
    writer: BufWriter<DiskFile>,
}

impl NewFile {
    /// Opens the file for writing.
    pub(crate) fn create(path: &Path) -> Result<Self, String> {
        // A symbolic link stays one: its target is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let older = fs::metadata(&target).ok();
        let is_plain = older.as_ref().is_none_or(fs::Metadata::is_file);
        let temporary = is_plain.then(|| {
            remove_stale(&target);
            let mut name = target.clone().into_os_string();
            name.push(format!(".{}{TEMPORARY}", std::process::id()));
            PathBuf::from(name)
        });
        let file = match &temporary {
            Some(temporary) => DiskFile::create(temporary),
            None => DiskFile::open_special(&target),
        };
        let file = file.map_err(|error| cannot_write(path, &error))?;
        if temporary.is_some() {
            // The lock tells others that it is in use; a file system without locks keeps what a killed process left.
            let _ = file.try_lock();
        }
        if let Some(older) = older.filter(|_| is_plain) {
            // The new file has the permissions of the old one, where they can be set.
            let _ = file.set_permissions(older.permissions());
        }
        Ok(Self { name: path.to_owned(), path: target, temporary, writer: BufWriter::new(file) })
    }

    /// Replaces a whole file.
    pub(crate) fn replace(path: &Path, text: &str) -> Result<(), String> {
        let mut file = Self::create(path)?;
        file.write(text)?;
        file.finish()
    }

    /// Writes a text.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), String> {
        self.write_bytes(text.as_bytes())
    }

    /// Writes bytes.
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.writer.write_all(bytes).map_err(|error| cannot_write(&self.name, &error))
    }

    /// Waits until the file is on the disk and renames it.
    pub(crate) fn finish(mut self) -> Result<(), String> {
        let written = self.writer.flush().and_then(|()| match &self.temporary {
            // A name must not come before its contents, should the machine stop in between.
            Some(temporary) => {
                self.writer.get_ref().sync_data().and_then(|()| disk::rename(temporary, &self.path))
            }
            None => Ok(()),
        });
        written.map_err(|error| cannot_write(&self.name, &error))?;
        self.temporary = None;
        Ok(())
    }
}

/// Removes the temporary file of an unfinished write.
impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // A temporary file that stays does no harm.
            let _ = fs::remove_file(temporary);
        }
    }
}

/// The end of the name of a temporary file, after the number of its process.
const TEMPORARY: &str = ".rukh-part";

/// Removes temporary files of `target` that processes left when they were killed: nobody has them locked.
fn remove_stale(target: &Path) {
    let (Some(folder), Some(name)) = (target.parent(), target.file_name().and_then(OsStr::to_str)) else {
        return;
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let found = entry.file_name();
        let process = found
            .to_str()
            .and_then(|found| found.strip_prefix(name)?.strip_prefix('.')?.strip_suffix(TEMPORARY));
        let is_temporary = process.is_some_and(|number| number.parse::<u32>().is_ok());
        let is_free =
            |path: &Path| File::options().write(true).open(path).is_ok_and(|file| file.try_lock().is_ok());
        if is_temporary && is_free(&entry.path()) {
            // One that stays does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether two paths name one file.
pub(crate) fn is_same_file(a: &Path, b: &Path) -> bool {
    a == b || fs::canonicalize(a).ok().is_some_and(|a| fs::canonicalize(b).ok() == Some(a))
}

/// The sentence about a file that cannot be written.
pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}
