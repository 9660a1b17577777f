//! The evaluator: the interface between a search and an evaluation.
//!
//! It knows neither of them.

use rukh_chess::Position;
use rukh_chess::position::ChangeObserver;

use crate::score::Score;

// ANCHOR: evaluator
/// Evaluates positions along a line of moves.
///
/// A search calls [`Self::reset`] at the root, [`Self::push`] before each move, whose observer then receives the changes
/// of the move, and [`Self::pop`] when the move is unmade. An evaluator can keep incremental state in between:
/// piece-square sums, or the accumulators of a network.
pub trait Evaluator {
    /// Starts a line at `position`.
    fn reset(&mut self, position: &Position);

    /// Adds a level; the observer must receive every change that leads to it. A null move changes nothing.
    fn push(&mut self) -> impl ChangeObserver + '_;

    /// Removes the last level.
    fn pop(&mut self);

    /// The static evaluation of `position`, which is the current one, for the side to move. It is never a proven win or
    /// loss. The side to move must not be in check.
    fn evaluate(&mut self, position: &Position) -> Score;
}
// ANCHOR_END: evaluator
