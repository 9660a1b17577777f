//! Output: whole lines from any thread, copied to the debug log if there is one.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Marks input in the log.
const INPUT_MARK: &str = "<<";
/// Marks output in the log.
const OUTPUT_MARK: &str = ">>";

/// The output of a session.
pub(crate) struct Output {
    sinks: Mutex<Sinks>,
    is_closed: AtomicBool,
    on_close: Mutex<Option<Box<dyn Fn() + Send>>>,
}

struct Sinks {
    writer: Box<dyn Write + Send>,
    log: Option<File>,
    /// The first error of the writer.
    error: Option<io::Error>,
}

impl Output {
    /// Writes lines to `writer`.
    pub(crate) fn new(writer: impl Write + Send + 'static) -> Self {
        let sinks = Sinks { writer: Box::new(writer), log: None, error: None };
        Self { sinks: Mutex::new(sinks), is_closed: AtomicBool::new(false), on_close: Mutex::new(None) }
    }

    /// A thread that panicked while writing leaves at worst half a line; the others continue.
    fn sinks(&self) -> MutexGuard<'_, Sinks> {
        self.sinks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes one or more lines without interleaving others.
    pub(crate) fn write(&self, text: &str) {
        let mut sinks = self.sinks();
        // A single write, so that readers see whole lines.
        let whole = format!("{text}\n");
        let written = sinks.writer.write_all(whole.as_bytes()).and_then(|()| sinks.writer.flush());
        sinks.log(OUTPUT_MARK, text);
        if let Err(error) = written {
            sinks.error.get_or_insert(error);
            drop(sinks);
            self.close();
        }
    }

    /// Marks the output as closed: nobody reads it any more.
    pub(crate) fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        if let Some(on_close) = &*self.on_close.lock().unwrap_or_else(PoisonError::into_inner) {
            on_close();
        }
    }

    /// Sets what is called when the output is closed, on the thread that notices it.
    pub(crate) fn set_on_close(&self, on_close: Option<Box<dyn Fn() + Send>>) {
        *self.on_close.lock().unwrap_or_else(PoisonError::into_inner) = on_close;
    }

    /// Why a line could not be written, except that the reader has gone, which is no fault.
    pub(crate) fn error(&self) -> Option<String> {
        let is_fault = |error: &&io::Error| error.kind() != io::ErrorKind::BrokenPipe;
        self.sinks().error.as_ref().filter(is_fault).map(ToString::to_string)
    }

    /// Copies an input line to the log.
    pub(crate) fn log_input(&self, line: &str) {
        self.sinks().log(INPUT_MARK, line);
    }

    /// Whether the reader has gone or a write has failed.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    /// Appends all lines from now on to a file, or stops doing so. If the file cannot be opened, nothing changes.
    pub(crate) fn log_to(&self, path: Option<&Path>) -> io::Result<()> {
        let log = path.map(|path| OpenOptions::new().append(true).create(true).open(path)).transpose()?;
        self.sinks().log = log;
        Ok(())
    }
}

impl Sinks {
    /// Errors are ignored: a full disk must not disturb the game.
    fn log(&mut self, mark: &str, text: &str) {
        if let Some(log) = &mut self.log {
            let marked = text.lines().map(|line| format!("{mark} {line}\n")).collect::<String>();
            let _ = log.write_all(marked.as_bytes());
        }
    }
}
