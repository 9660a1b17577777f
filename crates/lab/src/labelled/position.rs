//! The type of a labelled position.

use rukh_chess::game::Outcome;
use rukh_chess::{Color, Move, Position};
use rukh_eval::Score;

/// Where a labelled position comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum SampleKind {
    /// It was played, and it is quiet: there is no check, and the move of the game neither captures nor promotes.
    Played,
    /// It is one or two random moves away from a played one.
    Perturbed,
    /// It was drawn from the transposition table of the search of a played one.
    Tree,
}

impl SampleKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [Self; 3] = [Self::Played, Self::Perturbed, Self::Tree];

    /// The number that stands for it in files.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Played => "played",
            Self::Perturbed => "perturbed",
            Self::Tree => "tree",
        }
    }
}

/// A position with what is known about it.
#[derive(Clone, PartialEq, Debug)]
pub struct LabelledPosition {
    /// The position.
    pub position: Position,
    /// The score of a search for the side to move.
    pub score: Option<Score>,
    /// The best move of that search.
    pub best: Option<Move>,
    /// The expected score of the side to move, from 0 to 1: the probability to win and half of that to draw.
    pub expected: Option<f64>,
    /// The result of the game; none if it is unknown or if a random move came later in the game.
    pub outcome: Option<Outcome>,
    /// Where the position comes from.
    pub kind: Option<SampleKind>,
}

/// A position without a label.
impl From<Position> for LabelledPosition {
    fn from(position: Position) -> Self {
        Self { position, score: None, best: None, expected: None, outcome: None, kind: None }
    }
}

impl LabelledPosition {
    /// The result for a side, from 0 (lost) to 1 (won): the outcome of the game, or else the expected score.
    pub(crate) fn result_for(&self, side: Color) -> Option<f64> {
        let of_game = self.outcome.map(|outcome| f64::from(outcome.half_points(side)) / 2.0);
        let is_own = side == self.position.side_to_move();
        of_game.or_else(|| self.expected.map(|expected| if is_own { expected } else { 1.0 - expected }))
    }

    /// The score for White, in internal units.
    pub(crate) fn white_score(&self) -> Option<i32> {
        let sign = if self.position.side_to_move() == Color::White { 1 } else { -1 };
        self.score.map(|score| sign * score.value())
    }
}
