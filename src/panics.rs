//! Panics: each ends the process, so that a GUI or a match notices it. The server is the exception: there a panic ends one
//! request or one search, and everything else goes on. So are the threads of a GPU, whose library panics where there is none:
//! the leaf network then uses the CPU.

use std::panic::{set_hook, take_hook};
use std::process::abort;

/// From now on a panic on any thread ends the process.
pub(crate) fn end_the_process() {
    let report = take_hook();
    set_hook(Box::new(move |panic| {
        if !is_recovered() {
            report(panic);
            abort();
        }
    }));
}

/// Whether the panic of this thread is caught and reported in a sentence.
#[cfg(feature = "large-network")]
fn is_recovered() -> bool {
    std::thread::current().name().is_some_and(rukh_leaf_network::is_device_thread)
}

/// No thread recovers.
#[cfg(not(feature = "large-network"))]
fn is_recovered() -> bool {
    false
}
