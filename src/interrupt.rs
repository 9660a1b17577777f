//! Ctrl-C: what is running ends by itself, with everything finished kept.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that an interrupt sets.
pub(crate) fn flag() -> Arc<AtomicBool> {
    let is_over = Arc::new(AtomicBool::new(false));
    let flag = is_over.clone();
    // Where no handler can be set, an interrupt ends the process; what is finished is kept all the same.
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    is_over
}
