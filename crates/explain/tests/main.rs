//! Explanations, through the interface of the crate.
//!
//! They are one program: it links once, and its tests run side by side.

mod examples;
mod explanations;
mod motifs;
mod mutation;
mod properties;
mod special_moves;
