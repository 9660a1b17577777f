//! The classical evaluator: incremental piece-square sums and a pawn hash table.
//!
//! It knows nothing of search.

use rukh_chess::position::ChangeObserver;
use rukh_chess::{Color, Piece, Position, Square};

use super::evaluate::{finish, known};
use super::pawns::PawnTable;
use super::psqt::Psqt;
use crate::evaluator::Evaluator;
use crate::knowledge::kpk;
use crate::score::{MAX_PLY, Score};

/// The classical (hand-crafted) evaluation as an [`Evaluator`].
///
/// Material and piece-square values are updated with every move; pawn structures are kept in a pawn hash table.
#[derive(Clone, Debug)]
pub struct Classical {
    levels: Vec<Psqt>,
    pawns: PawnTable,
}

impl Default for Classical {
    fn default() -> Self {
        kpk::prepare();
        let mut levels = Vec::with_capacity(MAX_PLY + 2);
        levels.push(Psqt::default());
        Self { levels, pawns: PawnTable::default() }
    }
}

impl Classical {
    /// An evaluator that has not been given a position yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The piece-square sums of the current position.
    pub fn psqt(&self) -> Psqt {
        *self.levels.last().expect("the level of the root is never popped")
    }
}

impl Evaluator for Classical {
    fn reset(&mut self, position: &Position) {
        self.levels.clear();
        self.levels.push(Psqt::of(position));
    }

    #[inline]
    fn push(&mut self) -> impl ChangeObserver + '_ {
        self.levels.push(self.psqt());
        Changes(self.levels.last_mut().expect("a level was just added"))
    }

    #[inline]
    fn pop(&mut self) {
        debug_assert!(self.levels.len() > 1, "the root cannot be popped");
        self.levels.pop();
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        let psqt = self.psqt();
        debug_assert_eq!(psqt, Psqt::of(position), "the position is not the one that the moves led to");
        let summary = match known(position, psqt.phase) {
            Some(summary) => summary,
            None => finish(position, psqt, self.pawns.get(position), &mut ()),
        };
        Score::new(summary.value_for(position.side_to_move()))
    }
}

/// Updates the piece-square sums of a new level.
struct Changes<'l>(&'l mut Psqt);

impl ChangeObserver for Changes<'_> {
    #[inline]
    fn placed(&mut self, color: Color, piece: Piece, square: Square) {
        self.0.placed(color, piece, square);
    }

    #[inline]
    fn removed(&mut self, color: Color, piece: Piece, square: Square) {
        self.0.removed(color, piece, square);
    }

    #[inline]
    fn moved(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        self.0.moved(color, piece, from, to);
    }
}
