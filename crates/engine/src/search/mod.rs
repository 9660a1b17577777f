//! Search infrastructure, independent of the algorithm: jobs, shared state, thread results, reporting of principal
//! variations.
//!
//! A search algorithm implements [`Searcher`]. This module knows none of them: alpha-beta and any other search depend on it,
//! and it does not depend on them.

mod job;
mod pv;
mod result;
mod searcher;
mod shared;
mod signals;

use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) use job::Job;
pub(crate) use result::{ThreadResult, vote};
pub(crate) use searcher::Searcher;
pub(crate) use shared::SharedState;
pub(crate) use signals::Signals;
