//! Ctrl-C as a flag: long work sees it, saves what is finished and ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that Ctrl-C sets.
pub(crate) fn flag() -> Arc<AtomicBool> {
    let is_over = Arc::new(AtomicBool::new(false));
    let flag = is_over.clone();
    // Without a handler Ctrl-C ends the process; what is finished is saved nevertheless.
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    is_over
}
