//! The search: it never prints and never reads; it is asked through [`Engine`] and tells through a
//! [`Listener`](api::Listener).

#![deny(unsafe_code)]

mod alphabeta;
pub mod api;
pub mod bench;
pub mod clock;
pub mod draw_policy;
mod engine;
mod events;
pub mod histories;
mod memory;
pub mod params;
mod pool;
mod search;
mod searchers;
pub mod strength;
mod sync;
pub mod tablebase;
pub mod teaching;
pub mod technique;
pub mod transposition;
mod tree_samples;

pub use engine::Engine;
pub use events::SearchEvents;
pub use pool::spawn_search;
pub use sync::{SearchResult, SyncSearcher, search_once};
pub use tree_samples::TreeSample;
