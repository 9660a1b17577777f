//! A progress bar that shows itself only when something takes longer than a second.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter work is over before anyone wonders.
const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(200);

/// The bar; it goes to standard error, and only if that is a terminal.
pub(crate) struct LateBar {
    bar: ProgressBar,
    start: Instant,
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
        Self { bar, start: Instant::now() }
    }

    /// Tells how many parts of how many are done.
    pub(crate) fn set(&self, done: usize, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
        if self.bar.is_hidden() && self.start.elapsed() > PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(TICK);
        }
    }

    /// Says what is being worked on.
    pub(crate) fn say(&self, message: String) {
        self.bar.set_message(message);
    }

    /// Prints a line above the bar.
    pub(crate) fn println(&self, line: &str) {
        self.bar.suspend(|| println!("{line}"));
    }

    /// Takes the bar away and returns the time since it was made.
    pub(crate) fn finish(self) -> Duration {
        self.bar.finish_and_clear();
        self.start.elapsed()
    }
}
