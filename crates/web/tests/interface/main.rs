//! The interface of the server by real requests: what works, and what is refused with a sentence.

mod analysis;
mod client;
mod lab;
mod mcts;
mod play;
mod review;
mod rules;
mod safety;
mod slow;
mod tree;
