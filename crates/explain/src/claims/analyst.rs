//! The analyst: the searches that an explanation needs, as a trait. An engine, a file or a test can be one.

use rukh_chess::{Move, Position};

use crate::review::PositionAnalysis;

/// Searches positions. Positions are searched without game history.
pub trait Analyst {
    /// The analysis of a position in which the side to move has a legal move. `moves` restricts the root moves unless
    /// it is empty; `share` is the share of the nodes of one explanation. `None` if the search was interrupted.
    fn analyse(&mut self, position: &Position, moves: &[Move], share: f64) -> Option<PositionAnalysis>;

    /// The nodes of a search with this share.
    fn nodes(&self, share: f64) -> Option<u64>;

    /// The tablebase result for the side to move: 1 win, 0.5 draw, 0 loss; `None` if it is not known.
    fn tablebase(&self, _position: &Position) -> Option<f64> {
        None
    }

    /// The distance to zeroing of a decided position (DTZ), in plies; `None` if it is not known.
    fn distance(&self, _position: &Position) -> Option<u32> {
        None
    }

    /// The static value of a position by the network, for the side to move, in centipawns; `None` without a network.
    fn network_value(&self, _position: &Position) -> Option<i32> {
        None
    }
}
