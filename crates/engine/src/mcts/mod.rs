//! Monte Carlo tree search: PUCT with a policy and an evaluation, and UCT with random playouts.
//!
//! [`thread`] is the loop: descend to a leaf, evaluate it, back its value up. [`descend`] goes through the tree, [`select`]
//! chooses the way, [`leaf`] is the interface to what evaluates leaves, [`control`] ends the search and [`report`] reports.
//! How it works and what each technique brings is in docs/mcts.md.

mod arena;
mod cache;
mod control;
mod cpu;
mod descend;
mod gumbel;
mod leaf;
mod network;
mod playout;
mod prior;
mod proof;
mod report;
mod select;
mod slot;
mod target;
mod thread;
mod tree;
mod value;
mod view;
mod wdl;

pub(crate) use target::root_target;
pub use target::{RootPolicy, RootTarget, TargetMove};
pub(crate) use thread::Mcts;
pub(crate) use tree::Tree;
pub use view::{MctsNode, MctsTree};

#[cfg(test)]
mod tests;
