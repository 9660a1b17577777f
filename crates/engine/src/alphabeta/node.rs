//! Search node: window, depth, evaluation, hash move and flags, as they are known once the node is entered.

use rukh_chess::{Move, Position};
use rukh_eval::Score;

use crate::histories::Context;
use crate::transposition::Entry;

/// The search window: alpha and beta.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const fn new(alpha: Score, beta: Score) -> Self {
        Self { alpha, beta }
    }

    /// The zero window (null window) that tests whether a score is above `alpha`.
    pub(super) fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// The window from the point of view of the other side.
    pub(super) fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// A node being searched.
pub(super) struct Node<'p> {
    pub(super) position: &'p Position,
    pub(super) ply: usize,
    pub(super) depth: i32,
    pub(super) window: Window,
    pub(super) is_pv: bool,
    /// Whether this is an expected cut-node.
    pub(super) is_cut: bool,
    /// The excluded move of a singular search.
    pub(super) excluded: Option<Move>,
    /// The transposition table entry; `None` with an excluded move.
    pub(super) entry: Option<Entry>,
    /// The hash move.
    pub(super) table_move: Option<Move>,
    /// The static evaluation before correction history; `None` in check.
    pub(super) raw_eval: Option<Score>,
    /// The corrected static evaluation, refined by the bound of the entry; in check that of two plies ago.
    pub(super) eval: Score,
    /// The static evaluation after correction history; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// Whether the static evaluation has risen since the last move of the same side, or is at least beta.
    pub(super) is_improving: bool,
    /// PV flag: whether the position is or was in a principal variation.
    pub(super) was_pv: bool,
    /// Lower bound of the score by the tablebases.
    pub(super) floor: Score,
    /// Upper bound of the score by the tablebases.
    pub(super) ceiling: Score,
    /// The index of the histories; set only before the moves are searched.
    pub(super) context: Context,
}

impl Node<'_> {
    pub(super) fn is_check(&self) -> bool {
        self.position.is_check()
    }

    /// Whether node pruning is allowed: not in PV nodes, not in check (there is no static evaluation), not in a singular
    /// search, and not against a mate or tablebase score.
    pub(super) fn may_prune(&self) -> bool {
        !self.is_pv && !self.is_check() && self.excluded.is_none() && !self.window.beta.is_decisive()
    }
}

/// A move from the picker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// Its number in the move order, from 1.
    pub(super) number: usize,
    /// The ordering score, if it is a quiet move that was scored by the picker.
    pub(super) ordering_score: Option<i32>,
}

/// The best move so far.
pub(super) struct Best {
    pub(super) score: Score,
    pub(super) mv: Option<Move>,
}

/// The extension of a move.
pub(super) enum Extension {
    /// Plies of extension; negative for a reduction.
    Plies(i32),
    /// Multicut: the node is cut off with this score.
    Cutoff(Score),
}
