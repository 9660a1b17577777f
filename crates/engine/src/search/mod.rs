//! What every search algorithm shares: the job, the state its threads share, the result of a thread, and the reporting of
//! principal variations.
//!
//! A search algorithm implements [`Searcher`]. This module knows none of them: alpha-beta and any other search depend on it,
//! never the other way round.

mod job;
mod pv;
mod result;
mod searcher;
mod shared;

pub(crate) use job::Job;
pub(crate) use result::{ThreadResult, vote};
pub(crate) use searcher::Searcher;
pub(crate) use shared::SharedState;
