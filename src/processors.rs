//! The processors of this machine, the default number of threads of subcommands.

use std::thread;

/// The number of processors that this process may use.
pub(crate) fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
