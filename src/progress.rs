//! How far work has come: a bar that shows itself only after a second, and one for work that takes long.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::finish::Failure;
use crate::output::{eprint_line, print_line};

/// Shorter work is over before anyone wonders.
const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(200);

/// The bar; it goes to standard error, and only if that is a terminal.
pub(crate) struct LateBar {
    bar: ProgressBar,
    start: Instant,
    /// The thread that will show the bar, and what it waits on meanwhile.
    curtain: Option<(Sender<()>, JoinHandle<()>)>,
}

impl LateBar {
    /// A bar that counts parts of the work named by `unit`.
    pub(crate) fn new(unit: &str) -> Self {
        let bar = ProgressBar::hidden();
        let template =
            format!("{{elapsed_precise}} [{{bar:40}}] {{pos}}/{{len}} {unit}, {{eta}} left {{msg}}");
        bar.set_style(
            ProgressStyle::with_template(&template)
                .expect("the template is well formed")
                .progress_chars("=> "),
        );
        let curtain = stderr().is_terminal().then(|| raise_later(bar.clone())).flatten();
        Self { bar, start: Instant::now(), curtain }
    }

    /// Tells how many parts of how many are done.
    pub(crate) fn set(&self, done: usize, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
    }

    /// Says what is being worked on, if anyone can see it.
    pub(crate) fn say(&self, message: impl FnOnce() -> String) {
        if !self.bar.is_hidden() {
            self.bar.set_message(message());
        }
    }

    /// Prints a line above the bar.
    pub(crate) fn print_line(&self, line: &str) -> Result<(), Failure> {
        self.bar.suspend(|| print_line(line))
    }

    /// Takes the bar away and returns the time since it was made.
    pub(crate) fn finish(self) -> Duration {
        self.start.elapsed()
    }
}

impl Drop for LateBar {
    fn drop(&mut self) {
        if let Some((over, thread)) = self.curtain.take() {
            drop(over);
            // A bar is not worth a complaint.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

/// Progress of work that takes minutes or days: a bar where standard error is a terminal, elsewhere a line now and then.
pub(crate) struct Long {
    bar: ProgressBar,
    last: Instant,
}

/// Where nobody watches, progress is told this often.
const QUIET: Duration = Duration::from_secs(60);

impl Long {
    /// A bar of so many parts, drawn by `template`.
    pub(crate) fn new(parts: u64, template: &str) -> Self {
        let bar = ProgressBar::new(parts);
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        bar.set_style(style.progress_chars("=> "));
        Self { bar, last: Instant::now() }
    }

    /// Where the work begins, if it was begun before.
    pub(crate) fn begin_at(&self, done: u64) {
        self.bar.set_position(done);
        self.bar.reset_eta();
    }

    /// So many parts are done; what is said beside.
    pub(crate) fn set(&mut self, done: u64, message: impl FnOnce() -> String) {
        if !self.bar.is_hidden() {
            self.bar.set_position(done);
            self.bar.set_message(message());
            self.bar.tick();
        } else if self.last.elapsed() >= QUIET {
            eprint_line(&message());
            self.last = Instant::now();
        }
    }

    /// Runs something that prints.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for Long {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Shows the bar once patience is over, if the work is not; `None` where the system has no thread to give.
fn raise_later(bar: ProgressBar) -> Option<(Sender<()>, JoinHandle<()>)> {
    let (over, is_over) = mpsc::channel();
    let raise = move || {
        if is_over.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(TICK);
        }
    };
    Some((over, thread::Builder::new().spawn(raise).ok()?))
}
