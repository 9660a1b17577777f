//! Where lines go: whole, one after the other, whichever thread they come from, and into the log if there is
//! one.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Marks what the session was told, in the log.
const INPUT_MARK: &str = "<<";
/// Marks what the session said.
const OUTPUT_MARK: &str = ">>";

/// A sink for lines.
pub(crate) struct Output {
    sinks: Mutex<Sinks>,
    is_broken: AtomicBool,
}

struct Sinks {
    writer: Box<dyn Write + Send>,
    log: Option<File>,
}

impl Output {
    /// Lines go to `writer`.
    pub(crate) fn new(writer: impl Write + Send + 'static) -> Self {
        let sinks = Sinks { writer: Box::new(writer), log: None };
        Self { sinks: Mutex::new(sinks), is_broken: AtomicBool::new(false) }
    }

    /// A thread that died while writing leaves at worst half a line behind: the others go on.
    fn sinks(&self) -> MutexGuard<'_, Sinks> {
        self.sinks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a text of one line or more, so that no other line comes between.
    pub(crate) fn write(&self, text: &str) {
        let mut sinks = self.sinks();
        // One write for all of it: readers that wait for data then see whole lines.
        let whole = format!("{text}\n");
        let written = sinks.writer.write_all(whole.as_bytes()).and_then(|()| sinks.writer.flush());
        if written.is_err() {
            self.is_broken.store(true, Ordering::Relaxed);
        }
        sinks.note(OUTPUT_MARK, text);
    }

    /// Tells the log of a line that came in.
    pub(crate) fn note_input(&self, line: &str) {
        self.sinks().note(INPUT_MARK, line);
    }

    /// Whether nobody reads any more.
    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken.load(Ordering::Relaxed)
    }

    /// Copies all lines to the end of a file from now on, or to none. If it cannot be opened, nothing changes.
    pub(crate) fn log_to(&self, path: Option<&Path>) -> io::Result<()> {
        let log = path.map(|path| OpenOptions::new().append(true).create(true).open(path)).transpose()?;
        self.sinks().log = log;
        Ok(())
    }
}

impl Sinks {
    /// A log that cannot be written any more, on a full disk perhaps, must not disturb the game.
    fn note(&mut self, mark: &str, text: &str) {
        if let Some(log) = &mut self.log {
            let marked = text.lines().map(|line| format!("{mark} {line}\n")).collect::<String>();
            let _ = log.write_all(marked.as_bytes());
        }
    }
}
