//! Atomics and locks of the modules that `models` compiles with those of a model checker.

pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
pub(crate) use std::sync::{Arc, Condvar, Mutex, PoisonError};
