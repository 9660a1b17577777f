#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! [`LargeNetwork`] implements [`LeafNetwork`](rukh_engine::api::LeafNetwork). The files, each using only those before it:
//! `encoding` (a position as the numbers of the network), `file` (the file of a network), `weights` (its weights, batch norms
//! folded), `cpu` (the network in plain loops), `device` (where it runs), `model` (the network in layers, for a GPU), `gpu` (the
//! layers on a GPU), `batcher` (batches of many searches), `network` (all of it together).

#![deny(unsafe_code)]

mod batcher;
mod cpu;
mod device;
pub mod encoding;
pub mod file;
#[cfg(feature = "cuda")]
mod gpu;
#[cfg(any(feature = "cuda", test))]
mod model;
mod network;
mod weights;

pub use device::{Backend, is_device_thread};
pub use network::LargeNetwork;
