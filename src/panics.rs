//! Panics: each ends the process, so that a GUI or a match notices it. The server is the exception: there a panic ends one
//! request or one search, and everything else goes on.

use std::panic::{set_hook, take_hook};
use std::process::abort;

/// From now on a panic on any thread ends the process.
pub(crate) fn end_the_process() {
    let report = take_hook();
    set_hook(Box::new(move |panic| {
        report(panic);
        abort();
    }));
}
