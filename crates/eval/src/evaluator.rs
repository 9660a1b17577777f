//! The seam between a search and whatever judges positions.

use rukh_chess::Position;
use rukh_chess::position::ChangeObserver;

use crate::score::Score;

/// Judges positions along a line of moves.
///
/// A search tells it where it stands: [`Self::reset`] at the root, [`Self::push`] before each move, whose observer then
/// hears what the move changes, and [`Self::pop`] when the move is taken back. What is kept between is the evaluator's own
/// affair: incremental sums, or the accumulators of a network.
pub trait Evaluator {
    /// Begins a line at `position`.
    fn reset(&mut self, position: &Position);

    /// Opens a new level; the observer is to hear of every change that leads to it. A null move changes nothing.
    fn push(&mut self) -> impl ChangeObserver + '_;

    /// Goes back to the level before.
    fn pop(&mut self);

    /// The worth of `position`, which is the one reached, for the side to move. It is never a proven win or loss, and
    /// must not be asked of a side in check.
    fn evaluate(&mut self, position: &Position) -> Score;
}
