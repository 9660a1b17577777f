#![doc = include_str!("../README.md")]
//!
//! The chess engine as a library: alpha-beta search, Monte Carlo tree search, transposition table, thread pool (Lazy SMP) and
//! time management.
//!
//! A [`Request`](api::Request) goes into [`Engine`]; [`Event`](api::Event)s come out, either to a
//! [`Listener`](api::Listener) or as an iterator. The engine prints nothing, reads no input and has no global state.

#![deny(unsafe_code)]

mod algorithm;
mod alphabeta;
pub mod api;
pub mod bench;
mod candidate_params;
mod clock;
pub mod draw_policy;
mod engine;
mod events;
mod histories;
mod leaf_network;
mod mcts;
mod memory;
mod noise;
pub mod params;
mod pool;
mod primitives;
mod search;
pub mod search_tree;
mod searchers;
#[cfg(feature = "serde")]
pub mod serialize;
#[cfg(feature = "serde")]
mod serialize_event;
pub mod strength;
mod sync;
pub mod tablebase;
pub mod teaching;
pub mod technique;
pub mod threads;
mod transposition;
mod tree_samples;
pub mod witness;

pub use engine::Engine;
pub use events::SearchEvents;
pub use mcts::{MctsNode, MctsTree, RootPolicy, RootTarget, TargetMove};
pub use noise::{Dirichlet, RootNoise};
pub use sync::{SearchResult, SyncSearcher, search_once, search_once_with};
pub use threads::spawn_search;
pub use tree_samples::TreeSample;
