//! Leaf evaluation: the interface between the tree search and whatever evaluates its leaves.
//!
//! A [`LeafEvaluator`] takes a batch of leaves and gives WDL and a policy for each: random playouts, the evaluation with a
//! small policy network, or a large network with two heads. It knows nothing of the tree.

use rukh_chess::{Move, Position};

use super::value::ValueModel;
use super::wdl::WinDrawLoss;
use crate::search::Job;

/// What a leaf is evaluated for. A leaf that is never visited again needs no policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    /// WDL alone.
    Value,
    /// The policy alone.
    Policy,
    /// Both.
    Both,
}

/// A leaf of the tree.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// The position. The game is not over in it.
    pub(super) position: Position,
    /// Its legal moves.
    pub(super) moves: Vec<Move>,
    /// Its distance from the root.
    pub(super) ply: usize,
    /// What to give.
    pub(super) wanted: Wanted,
    /// Result: WDL for the side to move.
    pub(super) wdl: WinDrawLoss,
    /// Result: a logit for each of the moves. The policy is their softmax.
    pub(super) logits: Vec<f32>,
}

impl Default for Leaf {
    fn default() -> Self {
        let position = Position::default();
        Self {
            position,
            moves: Vec::new(),
            ply: 0,
            wanted: Wanted::Value,
            wdl: WinDrawLoss::DRAW,
            logits: Vec::new(),
        }
    }
}

impl Leaf {
    /// Whether WDL is wanted.
    pub(super) fn wants_value(&self) -> bool {
        self.wanted != Wanted::Policy
    }

    /// Whether the policy is wanted.
    pub(super) fn wants_policy(&self) -> bool {
        self.wanted != Wanted::Value
    }
}

/// Evaluates leaves.
pub(super) trait LeafEvaluator: Send {
    /// Prepares a search as thread number `index`.
    fn begin(&mut self, job: &Job, index: usize);

    /// How values and scores correspond in the search that was prepared.
    fn value_model(&self) -> ValueModel;

    /// The greatest number of leaves of one call. It is 1 where a batch is no faster than its leaves one by one.
    fn batch_size(&self) -> usize {
        1
    }

    /// Whether the policy comes with the value at no cost, as from a network with two heads. Otherwise it is asked for when
    /// a leaf is visited again.
    fn has_joint_policy(&self) -> bool {
        false
    }

    /// Whether a position has the same value in every search, so that values may be kept.
    fn has_lasting_values(&self) -> bool {
        true
    }

    /// Where this thread helps the first one more by other work than by leaves of its own: does that work until the search of
    /// `root` ends. Returns whether it did.
    fn assist(&mut self, _root: &Position) -> bool {
        false
    }

    /// Gives every leaf what it wants. The same leaf always gets the same answer, except from random playouts.
    fn evaluate(&mut self, leaves: &mut [Leaf]);

    /// Clears everything learnt from earlier searches.
    fn clear(&mut self) {}
}
