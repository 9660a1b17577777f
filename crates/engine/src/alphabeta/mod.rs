//! The alpha-beta search.
//!
//! [`search`] is the table of contents: enter, prune, look at the moves, conclude. Each step is a method in a file of its own.

mod buffer;
mod deepen;
mod extend;
mod hopeless;
mod learn;
mod line;
mod node;
mod picker;
mod pressure;
mod prune;
mod quiesce;
mod reduce;
mod reductions;
mod root;
mod search;
mod stability;
mod worker;

pub(crate) use deepen::{Found, Job, progress};
pub(crate) use worker::{Shared, Worker};

#[cfg(test)]
mod tests;
