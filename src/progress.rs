//! Progress bars: one that appears after a second, and one for long work.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::finish::Failure;
use crate::output::{eprint_line, print_line};

/// Shorter work shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(200);

/// A bar on standard error that appears after a second, if standard error is a terminal.
pub(crate) struct LateBar {
    bar: ProgressBar,
    start: Instant,
    /// The thread that will show the bar, and the channel that ends it.
    timer: Option<(Sender<()>, JoinHandle<()>)>,
}

impl LateBar {
    /// A bar that counts `unit`.
    pub(crate) fn new(unit: &str) -> Self {
        let bar = ProgressBar::hidden();
        let template =
            format!("{{elapsed_precise}} [{{bar:40}}] {{pos}}/{{len}} {unit}, {{eta}} left {{msg}}");
        bar.set_style(
            ProgressStyle::with_template(&template)
                .expect("the template is well formed")
                .progress_chars("=> "),
        );
        let timer = stderr().is_terminal().then(|| show_later(bar.clone())).flatten();
        Self { bar, start: Instant::now(), timer }
    }

    /// Sets how many units of how many are done.
    pub(crate) fn set(&self, done: usize, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
    }

    /// Sets the message, if the bar is visible.
    pub(crate) fn say(&self, message: impl FnOnce() -> String) {
        if !self.bar.is_hidden() {
            self.bar.set_message(message());
        }
    }

    /// Prints a line above the bar.
    pub(crate) fn print_line(&self, line: &str) -> Result<(), Failure> {
        self.bar.suspend(|| print_line(line))
    }

    /// Removes the bar and returns the elapsed time.
    pub(crate) fn finish(self) -> Duration {
        self.start.elapsed()
    }
}

impl Drop for LateBar {
    fn drop(&mut self) {
        if let Some((over, thread)) = self.timer.take() {
            drop(over);
            // A bar that failed is no error of the work.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

/// Progress of long work: a bar if standard error is a terminal, otherwise a line every minute.
pub(crate) struct Long {
    bar: ProgressBar,
    last: Instant,
}

/// How often progress is printed without a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(60);

impl Long {
    /// A bar of so many parts in the format `template`.
    pub(crate) fn new(parts: u64, template: &str) -> Self {
        let bar = ProgressBar::new(parts);
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        bar.set_style(style.progress_chars("=> "));
        Self { bar, last: Instant::now() }
    }

    /// Sets how many parts were done before this run.
    pub(crate) fn begin_at(&self, done: u64) {
        self.bar.set_position(done);
        self.bar.reset_eta();
    }

    /// Sets how many parts are done, and the message.
    pub(crate) fn set(&mut self, done: u64, message: impl FnOnce() -> String) {
        if !self.bar.is_hidden() {
            self.bar.set_position(done);
            self.bar.set_message(message());
            self.bar.tick();
        } else if self.last.elapsed() >= LINE_INTERVAL {
            eprint_line(&message());
            self.last = Instant::now();
        }
    }

    /// Runs something that prints, with the bar hidden.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for Long {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Shows the bar after [`PATIENCE`]; `None` if no thread can be started.
fn show_later(bar: ProgressBar) -> Option<(Sender<()>, JoinHandle<()>)> {
    let (over, is_over) = mpsc::channel();
    let show = move || {
        if is_over.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(TICK);
        }
    };
    Some((over, thread::Builder::new().spawn(show).ok()?))
}
