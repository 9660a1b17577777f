//! The search.

pub mod api;
mod engine;

pub use engine::Engine;
