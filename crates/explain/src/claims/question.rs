//! The question about a move and its answer.

use rukh_chess::{Move, Position};

use super::claim::Claim;
use crate::accuracy::MoveJudgement;

/// A loss of expected score up to this is noise: the move is as good as the best.
pub const NOISE: f64 = 0.02;

/// The question: why this move, and why not that one.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The position.
    pub position: &'a Position,
    /// The opponent's last move, with the position before it.
    pub previous: Option<(&'a Position, Move)>,
    /// The move to explain; `None` for the best one.
    pub mv: Option<Move>,
    /// A move to compare it with.
    pub against: Option<Move>,
}

/// The answer.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The position.
    pub position: Position,
    /// The explained move.
    pub mv: Move,
    /// The best move that was found.
    pub best: Move,
    /// The expected score of the best move and of the explained one.
    pub expected: [f64; 2],
    /// What is claimed, the most useful first.
    pub claims: Vec<Claim>,
}

impl Explanation {
    /// The expected score that the move loses against the best.
    pub fn loss(&self) -> f64 {
        (self.expected[0] - self.expected[1]).max(0.0)
    }

    /// Whether the move is as good as the best.
    pub fn is_as_good(&self) -> bool {
        self.mv == self.best || self.loss() <= NOISE
    }

    /// The judgement, if the move is a bad one.
    pub fn judgement(&self) -> Option<MoveJudgement> {
        if self.is_as_good() { None } else { MoveJudgement::from_loss(self.loss()) }
    }
}
