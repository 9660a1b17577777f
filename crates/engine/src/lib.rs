//! The search: it never prints and never reads; it is asked through [`Engine`] and tells through a
//! [`Listener`](api::Listener).

#![deny(unsafe_code)]

mod alone;
mod alphabeta;
pub mod api;
pub mod bench;
pub mod clock;
mod engine;
pub mod histories;
mod inside;
mod memory;
pub mod params;
mod pool;
pub mod strength;
pub mod table;
pub mod tablebase;
pub mod teaching;
pub mod technique;

pub use alone::{Finding, Solo, search_alone};
pub use engine::Engine;
pub use inside::Inside;
pub use pool::spawn_search;
