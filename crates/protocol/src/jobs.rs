//! Long work that is no search: counting lines, measuring speed. It has a thread of its own, so that the
//! session stays free.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use rukh_chess::Position;
use rukh_chess::notation::CastlingNotation;
use rukh_chess::perft::perft;
use rukh_eval::Evaluation;

use crate::output::Output;

/// Work that others do for a session: it takes what positions are judged by and the words after the command, tells lines as
/// they come, or complains in a sentence. It runs on a thread of its own.
pub type Task =
    fn(evaluation: &Evaluation, arguments: &[String], print: &mut dyn FnMut(&str)) -> Result<(), String>;

/// What a session can do only with the help of others.
#[derive(Clone, Copy)]
pub struct Hooks {
    /// What a position is worth and why, in several lines.
    pub eval: fn(&Evaluation, &Position) -> String,
    /// Measures the speed.
    pub bench: Task,
    /// Draws positions to begin games from.
    pub openings: Task,
}

/// No help at all: the commands say so.
impl Default for Hooks {
    fn default() -> Self {
        Self {
            eval: |_, _| "there is no evaluation here".to_owned(),
            bench: |_, _, _| Err("there is no benchmark here".to_owned()),
            openings: |_, _, _| Err("there are no openings here".to_owned()),
        }
    }
}

/// A piece of work under way.
pub(crate) struct Job {
    handle: JoinHandle<()>,
    is_stopped: Arc<AtomicBool>,
}

impl Job {
    /// Begins, or says that the system has no thread for it. The work is given a flag that asks it to end
    /// early.
    pub(crate) fn start(work: impl FnOnce(&AtomicBool) + Send + 'static) -> Result<Self, String> {
        let is_stopped = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_stopped);
        let spawned = thread::Builder::new().name("job".to_owned()).spawn(move || work(&flag));
        let handle = spawned.map_err(|error| format!("there is no thread for this: {error}"))?;
        Ok(Self { handle, is_stopped })
    }

    /// Asks the work to end early.
    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Waits for the end. Work that died has said so on the error stream.
    pub(crate) fn wait(self) {
        let _ = self.handle.join();
    }
}

/// The most moves deep that lines are counted: far beyond what anyone can wait for.
pub(crate) const MAX_PERFT_DEPTH: u32 = 64;
/// Below this depth a count is over before anyone could stop it.
const WHOLE_DEPTH: u32 = 4;

/// Counts the lines of `depth` moves by their first move and writes the counts.
pub(crate) fn divide(
    position: &Position,
    depth: u32,
    castling: CastlingNotation,
    output: &Output,
    is_stopped: &AtomicBool,
) {
    let is_over = || is_stopped.load(Ordering::Relaxed) || output.is_broken();
    let mut total = u64::from(depth == 0);
    if let Some(below) = depth.checked_sub(1) {
        for &mv in &*position.legal_moves() {
            let nodes = count(&position.after(mv), below, &is_over);
            if is_over() {
                output.write("\nThe count was stopped.");
                return;
            }
            total = total.saturating_add(nodes);
            output.write(&format!("{}: {nodes}", position.uci(mv, castling)));
        }
    }
    output.write(&format!("\nNodes searched: {total}\n"));
}

/// The lines of `depth` moves, or fewer once it is over.
fn count(position: &Position, depth: u32, is_over: &impl Fn() -> bool) -> u64 {
    if depth <= WHOLE_DEPTH {
        return perft(position, depth);
    }
    let mut nodes = 0u64;
    for &mv in &*position.legal_moves() {
        if is_over() {
            break;
        }
        nodes = nodes.saturating_add(count(&position.after(mv), depth - 1, is_over));
    }
    nodes
}
