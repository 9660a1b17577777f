//! A node of the search: what is known of it while its moves are looked at.

use rukh_chess::{Move, Position};
use rukh_eval::Score;

use crate::histories::Context;
use crate::transposition::Entry;

/// The scores between which a node's value matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const fn new(alpha: Score, beta: Score) -> Self {
        Self { alpha, beta }
    }

    /// The empty window that asks whether a score is above `alpha`.
    pub(super) fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// The same window as the other side sees it.
    pub(super) fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// A node that is being searched, with what was found out on entering it.
pub(super) struct Node<'p> {
    pub(super) position: &'p Position,
    pub(super) ply: usize,
    pub(super) depth: i32,
    pub(super) window: Window,
    pub(super) is_pv: bool,
    /// Whether a cut-off is expected.
    pub(super) is_cut: bool,
    pub(super) excluded: Option<Move>,
    pub(super) entry: Option<Entry>,
    pub(super) table_move: Option<Move>,
    /// The static evaluation before corrections; none in check.
    pub(super) raw_eval: Option<Score>,
    /// The corrected evaluation, sharpened by the table; in check the one of two plies ago stands for it.
    pub(super) eval: Score,
    /// The corrected static evaluation.
    pub(super) static_eval: Option<Score>,
    pub(super) is_improving: bool,
    /// Whether the position is or was in a principal variation.
    pub(super) was_pv: bool,
    /// The least and the most that tables of endings leave open.
    pub(super) floor: Score,
    pub(super) ceiling: Score,
    /// What histories know it by; threats are looked at when moves are.
    pub(super) context: Context,
}

impl Node<'_> {
    pub(super) fn is_check(&self) -> bool {
        self.position.is_check()
    }

    /// What all prunings before the moves have in common: they compare an evaluation with a bound, so there must be one,
    /// and nothing proven may be thrown away.
    pub(super) fn may_prune(&self) -> bool {
        !self.is_pv && !self.is_check() && self.excluded.is_none() && !self.window.beta.is_decisive()
    }
}

/// A move whose turn has come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// Its place among the moves, from 1.
    pub(super) number: usize,
    /// What was known of it when it was ordered, if it is a quiet move that was.
    pub(super) ordering_score: Option<i32>,
}

/// The best of the moves looked at.
pub(super) struct Best {
    pub(super) score: Score,
    pub(super) mv: Option<Move>,
}

/// What is decided about a move before it is searched.
pub(super) enum Extension {
    /// Plies more, or, if negative, less.
    Plies(i32),
    /// The node is cut off with this score.
    Cutoff(Score),
}
