//! Alpha-beta search: principal variation search with iterative deepening.
//!
//! [`search`] is the table of contents: enter the node, prune it, search its moves, store the result. Each step is a method
//! in a file of its own. The measured Elo of each technique is in docs/techniques.

mod buffer;
mod deepen;
mod enter;
mod extend;
mod king_attack;
mod leaf;
mod learn;
mod move_pruning;
mod node;
mod node_search;
mod observe;
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

pub(crate) use leaf::LeafSearch;
pub(crate) use node_search::{InnerNode, NodeSearch};
pub(crate) use thread::{AlphaBeta, search_observed};

#[cfg(test)]
mod tests;
