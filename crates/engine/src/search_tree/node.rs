//! Tree node: one search of one position, with window, depth, score and reason, and its recorded child nodes.

use std::collections::BTreeMap;

use rukh_chess::Move;
use rukh_eval::Score;

use crate::api::Bound;
use crate::technique::Technique;
use crate::witness::{Intent, NodeEntry, NodeKind, Purpose, Reason, SkipReason, TableHit};

/// One search of one position. A position that is searched again, reduced and then at full depth, has a node for each.
///
/// All scores are for the side to move at the node.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TreeNode {
    /// The move that led here; `None` for the root, after a null move, and where the position is that of the parent.
    #[cfg_attr(feature = "serde", serde(rename = "move", serialize_with = "crate::serialize::optional_uci"))]
    pub mv: Option<Move>,
    /// Why the node was searched.
    pub purpose: Purpose,
    /// The node type.
    pub kind: NodeKind,
    /// Distance from the root in plies.
    pub ply: usize,
    /// The iteration.
    pub iteration: i32,
    /// The depth with which it was entered; 0 in quiescence.
    pub depth: i32,
    /// Plies of extension of the move; negative for a negative extension.
    pub extension: i32,
    /// Plies of reduction of the move (late move reductions).
    pub reduction: i32,
    /// Changes of the depth at the node itself, in plies.
    pub depth_changes: Vec<(Technique, i32)>,
    /// The lower end of the window; `None` if it is open.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::optional_score"))]
    pub alpha: Option<Score>,
    /// The upper end of the window; `None` if it is open.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::optional_score"))]
    pub beta: Option<Score>,
    /// The transposition table entry.
    pub table: Option<TableHit>,
    /// The corrected static evaluation; `None` in check and where it was not needed.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::optional_score"))]
    pub static_eval: Option<Score>,
    /// The score; `None` if the search was stopped.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::optional_score"))]
    pub score: Option<Score>,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Why the node has its score.
    pub reason: Reason,
    /// The move that decided it, if one did.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::optional_uci"))]
    pub best: Option<Move>,
    /// Nodes of the subtree, this one included.
    pub nodes: u64,
    /// Moves that were not searched.
    pub skipped: Vec<Skipped>,
    /// Searches below this node that are not in `children`.
    pub collapsed: Collapsed,
    /// The recorded searches below this node, in the order of the search.
    pub children: Vec<Self>,
    /// Plies below the recorded position; `None` on the path to it.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) below: Option<usize>,
}

/// A move that was not searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Skipped {
    /// The move.
    #[cfg_attr(feature = "serde", serde(rename = "move", serialize_with = "crate::serialize::uci"))]
    pub mv: Move,
    /// Why it was not searched.
    pub reason: SkipReason,
}

/// Searches that are counted but not recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Collapsed {
    /// Child nodes.
    pub children: u64,
    /// Nodes of their subtrees.
    pub nodes: u64,
}

/// How often the depth was changed, and by how much in sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DepthChange {
    /// Number of changes.
    pub count: u64,
    /// Sum of the plies; negative for reductions.
    pub plies: i64,
}

impl DepthChange {
    pub(super) fn add(&mut self, plies: i32) {
        self.count += 1;
        self.plies += i64::from(plies);
    }
}

/// Counts over all nodes of a search, recorded or not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Totals {
    /// Nodes by purpose.
    pub searched: BTreeMap<Purpose, u64>,
    /// Nodes by the reason of their score. The sum is the number of nodes.
    pub decided: BTreeMap<Reason, u64>,
    /// Skipped moves by reason.
    pub skipped: BTreeMap<SkipReason, u64>,
    /// Changes of depth by technique.
    pub depth_changes: BTreeMap<Technique, DepthChange>,
    /// Extensions of moves.
    pub extensions: DepthChange,
    /// Negative extensions of moves.
    pub negative_extensions: DepthChange,
    /// Nodes with a transposition table entry.
    pub table_hits: u64,
}

impl TreeNode {
    /// A node that was entered and not yet left.
    pub(super) fn entered(entry: NodeEntry, intent: Intent, below: Option<usize>) -> Self {
        let NodeEntry { kind, ply, iteration, mv, depth, alpha, beta } = entry;
        let Intent { purpose, extension, reduction } = intent;
        Self {
            mv: mv.filter(|_| !purpose.is_same_position()),
            purpose,
            kind,
            ply,
            iteration,
            depth,
            extension,
            reduction,
            depth_changes: Vec::new(),
            alpha: (alpha > Score::MIN).then_some(alpha),
            beta: (beta < Score::MAX).then_some(beta),
            table: None,
            static_eval: None,
            score: None,
            bound: Bound::Exact,
            reason: Reason::Stopped,
            best: None,
            nodes: 1,
            skipped: Vec::new(),
            collapsed: Collapsed::default(),
            children: Vec::new(),
            below,
        }
    }

    /// Sets score and bound.
    pub(super) fn conclude(&mut self, score: Option<Score>) {
        self.score = score;
        let Some(score) = score else {
            (self.reason, self.best) = (Reason::Stopped, None);
            return;
        };
        self.bound = if self.beta.is_some_and(|beta| score >= beta) {
            Bound::Lower
        } else if self.alpha.is_some_and(|alpha| score <= alpha) {
            Bound::Upper
        } else {
            Bound::Exact
        };
    }

    /// Counts a child node without recording it.
    pub(super) fn collapse(&mut self, child: &Self) {
        self.collapsed.children += 1;
        self.collapsed.nodes += child.nodes;
    }

    /// Collapses all recorded nodes below this one that `is_kept` refuses.
    pub(super) fn retain(&mut self, is_kept: &impl Fn(&Self) -> bool) {
        for mut child in std::mem::take(&mut self.children) {
            if is_kept(&child) {
                child.retain(is_kept);
                self.children.push(child);
            } else {
                self.collapse(&child);
            }
        }
    }

    /// The number of recorded nodes below this one.
    pub fn recorded_below(&self) -> usize {
        self.children.iter().map(|child| 1 + child.recorded_below()).sum()
    }
}
