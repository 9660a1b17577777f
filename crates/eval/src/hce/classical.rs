//! The classical evaluation as a search uses it.

use rukh_chess::position::ChangeObserver;
use rukh_chess::{Color, Piece, Position, Square};

use super::base::Base;
use super::kpk;
use super::pawns::PawnTable;
use super::whole::{finish, known};
use crate::evaluator::Evaluator;
use crate::score::{MAX_PLY, Score};

/// Judges positions by terms a person can name.
///
/// Material and squares are kept up to date move by move, judgements of pawns in a table of its own.
#[derive(Clone, Debug)]
pub struct Classical {
    levels: Vec<Base>,
    pawns: PawnTable,
}

impl Default for Classical {
    fn default() -> Self {
        kpk::prepare();
        let mut levels = Vec::with_capacity(MAX_PLY + 2);
        levels.push(Base::default());
        Self { levels, pawns: PawnTable::default() }
    }
}

impl Classical {
    /// An evaluation that has seen nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What is kept up to date for the position reached.
    pub fn base(&self) -> Base {
        *self.levels.last().expect("the level of the root is never taken away")
    }
}

impl Evaluator for Classical {
    fn reset(&mut self, position: &Position) {
        self.levels.clear();
        self.levels.push(Base::of(position));
    }

    #[inline]
    fn push(&mut self) -> impl ChangeObserver + '_ {
        self.levels.push(self.base());
        Changes(self.levels.last_mut().expect("a level was just added"))
    }

    #[inline]
    fn pop(&mut self) {
        debug_assert!(self.levels.len() > 1, "the root cannot be taken back");
        self.levels.pop();
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        let base = self.base();
        debug_assert_eq!(base, Base::of(position), "the evaluation was told of another position");
        let summary = match known(position, base.phase) {
            Some(summary) => summary,
            None => finish(position, base, self.pawns.get(position), &mut ()),
        };
        Score::centipawns(summary.worth_for(position.side_to_move()))
    }
}

/// Hears the changes that lead to a new level.
struct Changes<'l>(&'l mut Base);

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
