#![doc = include_str!("../README.md")]
//!
//! The server knows the engine, the rules, play and reviews, and nothing of terminals. Engines work on threads of their own;
//! the threads that answer requests never wait for them. The interface between page and server is described in `API.md`.

#![forbid(unsafe_code)]

mod analysis;
mod app;
mod assets;
mod audience;
mod body;
mod config;
mod connections;
mod engine_slot;
mod error;
mod evaluate;
mod evaluations;
mod game_tree;
mod guard;
mod lab;
mod lock;
mod mcts;
mod measurement;
mod node_json;
mod play;
mod recording;
mod records;
mod review;
mod routes;
mod rules;
mod server;
mod session;
mod sessions;
mod stream;
mod token;
mod topics;
mod worker;

pub use config::Config;
pub use evaluations::Evaluations;
pub use server::{Server, ServerHandle};
