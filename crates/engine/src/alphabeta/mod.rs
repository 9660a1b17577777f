//! The alpha-beta search.
//!
//! [`search`] is the table of contents: enter, prune, look at the moves, conclude. Each step is a method in a file of its own.

mod buffer;
mod deepen;
mod enter;
mod extend;
mod king_attack;
mod learn;
mod move_pruning;
mod node;
mod picker;
mod prune;
mod quiesce;
mod reduce;
mod reductions;
mod root;
mod search;
mod stability;
mod thread;
mod worker;

pub(crate) use thread::AlphaBeta;

#[cfg(test)]
mod tests;
