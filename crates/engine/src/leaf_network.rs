//! Leaf network: the interface to a network with a value head and a policy head that evaluates the leaves of a tree search.
//!
//! Where the network runs and how batches of several searches are gathered is unknown here.

use std::fmt;

use rukh_chess::{Move, Position};

/// A position for a leaf network.
#[derive(Clone, Copy, Debug)]
pub struct NetworkInput<'p> {
    /// The position. The game is not over in it.
    pub position: &'p Position,
    /// Its legal moves.
    pub moves: &'p [Move],
}

/// What a leaf network gives for a position.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkOutput {
    /// The probabilities of win, draw and loss for the side to move; they add up to 1.
    pub wdl: [f32; 3],
    /// A logit for each legal move, in the order of the moves. The policy is their softmax.
    pub logits: Vec<f32>,
}

/// A network with a value head and a policy head. All threads of an engine share it, and several engines may.
pub trait LeafNetwork: Send + Sync + fmt::Debug {
    /// Its name, for people.
    fn name(&self) -> &str;

    /// The number of positions up to which one call is worth more than several: 1 where a batch is no faster than its
    /// positions one by one.
    fn batch_size(&self) -> usize;

    /// Evaluates the positions: an output for each, in their order. The call returns when all are evaluated; several threads
    /// may call at once. A position gets the same output in every batch, as far as rounding allows.
    fn evaluate(&self, inputs: &[NetworkInput<'_>]) -> Vec<NetworkOutput>;
}
