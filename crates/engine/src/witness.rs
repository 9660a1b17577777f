//! Search witness: an observer of every node of an alpha-beta search. With `()` as witness everything is compiled away.
//!
//! The trait `Witness` receives the events of a node in this order: an optional `Intent`, enter, transposition table hit,
//! static evaluation, changes of depth, skipped moves and child nodes, the reason of the result, leave. It must not know
//! the search: it gets values and can change nothing.

use rukh_chess::Move;
use rukh_eval::Score;

use crate::api::Bound;
use crate::technique::Technique;

/// Declares an enum whose values have a name for output and a description.
macro_rules! named {
    ($(#[$attribute:meta])* $enum:ident { $($(#[doc = $sentence:literal])+ $value:ident = $name:literal,)+ }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $enum { $($(#[doc = $sentence])+ $value),+ }

        impl $enum {
            /// All values.
            pub const ALL: &[Self] = &[$(Self::$value),+];

            /// The name in JSON and text output.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$value => $name),+ }
            }

            /// The description.
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$value => concat!($($sentence),+)),+ }
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $enum {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    };
}

named! {
    /// The node type.
    NodeKind {
        /// The root of an iteration.
        Root = "root",
        /// PV node: an open window.
        Pv = "pv",
        /// Expected cut-node: a zero window, and a move is expected to fail high.
        Cut = "cut",
        /// Expected all-node: a zero window, and all moves are expected to fail low.
        All = "all",
        /// A node of the quiescence search.
        Quiescence = "quiescence",
    }
}

named! {
    /// Why a node was searched.
    Purpose {
        /// An iteration of iterative deepening, or its repetition with a wider aspiration window.
        Iteration = "iteration",
        /// The search for a requested mate.
        MateSearch = "mate-search",
        /// The first move of a PV node, with the full window.
        FirstMove = "first-move",
        /// A move with a zero window at full depth.
        ZeroWindow = "zero-window",
        /// A late move with a zero window at reduced depth.
        Reduced = "reduced",
        /// The re-search at full depth of a reduced move that failed high.
        DepthResearch = "depth-re-search",
        /// The re-search with the full window of a move that failed high with a zero window.
        WindowResearch = "window-re-search",
        /// The search after a null move.
        NullMove = "null-move",
        /// The verification of a null move cut-off, in the same position.
        NullVerification = "null-verification",
        /// The singular search: the same position without the hash move.
        Singular = "singular",
        /// The quiescence search of razoring, in the same position.
        Razoring = "razoring",
        /// The quiescence search of a ProbCut capture.
        ProbcutQuiescence = "probcut-quiescence",
        /// The reduced search of a ProbCut capture.
        Probcut = "probcut",
        /// A move of the quiescence search.
        Quiescence = "quiescence",
    }
}

impl Purpose {
    /// Whether the node is the position of its parent: no move leads to it.
    pub const fn is_same_position(self) -> bool {
        matches!(self, Self::NullVerification | Self::Singular | Self::Razoring)
    }

    /// The technique of the parent that searches such a node; `None` if no technique can be switched off for it.
    pub const fn technique(self) -> Option<Technique> {
        match self {
            Self::NullMove | Self::NullVerification => Some(Technique::NullMove),
            Self::Singular => Some(Technique::Singular),
            Self::Razoring => Some(Technique::Razoring),
            Self::ProbcutQuiescence | Self::Probcut => Some(Technique::Probcut),
            Self::Reduced => Some(Technique::LateMoveReductions),
            _ => None,
        }
    }
}

named! {
    /// Why a node has its score.
    Reason {
        /// A draw by rule: repetition, fifty moves or insufficient material.
        Draw = "draw",
        /// The greatest ply is reached.
        MaxPly = "max-ply",
        /// Mate distance pruning.
        MateDistance = "mate-distance",
        /// A transposition table cut-off.
        TableCutoff = "table-cutoff",
        /// A tablebase result.
        Tablebase = "tablebase",
        /// Razoring.
        Razoring = "razoring",
        /// Reverse futility pruning.
        ReverseFutility = "reverse-futility",
        /// Null move pruning.
        NullMove = "null-move",
        /// ProbCut.
        Probcut = "probcut",
        /// Multicut.
        Multicut = "multicut",
        /// A move failed high.
        BetaCutoff = "beta-cutoff",
        /// A move raised alpha and none failed high.
        RaisedAlpha = "raised-alpha",
        /// All moves that were searched failed low.
        FailedLow = "failed-low",
        /// No legal move: mate or stalemate, or the excluded move of a singular search is the only one.
        NoMoves = "no-moves",
        /// Stand pat: the static evaluation of a quiescence node.
        StandPat = "stand-pat",
        /// Delta pruning: no move of a quiescence node was searched, and captures were pruned by delta pruning.
        DeltaPruning = "delta-pruning",
        /// The search was stopped; there is no score.
        Stopped = "stopped",
    }
}

impl Reason {
    /// The technique that decides such a node; `None` if no technique can be switched off for it.
    pub const fn technique(self) -> Option<Technique> {
        match self {
            Self::MateDistance => Some(Technique::MateDistance),
            Self::TableCutoff => Some(Technique::TableCutoff),
            Self::Razoring => Some(Technique::Razoring),
            Self::ReverseFutility => Some(Technique::ReverseFutility),
            Self::NullMove => Some(Technique::NullMove),
            Self::Probcut => Some(Technique::Probcut),
            Self::Multicut => Some(Technique::Singular),
            Self::DeltaPruning => Some(Technique::DeltaPruning),
            _ => None,
        }
    }
}

/// Why a move was not searched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SkipReason {
    /// A pruning technique.
    Technique(Technique),
    /// It is the excluded move of a singular search.
    Excluded,
    /// It is overlooked because of a limited strength.
    Overlooked,
    /// The quiescence search leaves underpromotions to the main search.
    Underpromotion,
    /// An evasion that avoids mate was found in the quiescence search, so other quiet evasions are not searched.
    EvasionFound,
}

impl SkipReason {
    /// The name in JSON and text output; for a technique that of the technique.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Technique(technique) => technique.name(),
            Self::Excluded => "excluded",
            Self::Overlooked => "overlooked",
            Self::Underpromotion => "underpromotion",
            Self::EvasionFound => "evasion-found",
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for SkipReason {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl From<Technique> for SkipReason {
    fn from(technique: Technique) -> Self {
        Self::Technique(technique)
    }
}

/// Why the next node is entered, and with which change of depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Intent {
    pub(crate) purpose: Purpose,
    /// Plies by which the move is searched deeper (negative: less deep), before the reduction.
    pub(crate) extension: i32,
    /// Plies by which it is searched less deep (late move reductions); negative after a fail-high by far.
    pub(crate) reduction: i32,
}

impl From<Purpose> for Intent {
    #[inline]
    fn from(purpose: Purpose) -> Self {
        Self { purpose, extension: 0, reduction: 0 }
    }
}

/// A node as it is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NodeEntry {
    pub(crate) kind: NodeKind,
    pub(crate) ply: usize,
    /// The iteration.
    pub(crate) iteration: i32,
    /// The move that led here; `None` for the root and after a null move.
    pub(crate) mv: Option<Move>,
    /// The depth; 0 in quiescence.
    pub(crate) depth: i32,
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
}

/// A transposition table entry that was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TableHit {
    /// The depth of the entry.
    pub depth: i32,
    /// The kind of its score.
    pub bound: Bound,
    /// Its score for the side to move at the node.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::score"))]
    pub score: Score,
    /// The hash move.
    #[cfg_attr(feature = "serde", serde(rename = "move", serialize_with = "crate::serialize::optional_uci"))]
    pub mv: Option<Move>,
}

/// An observer of the search.
pub(crate) trait Witness: Send {
    /// Whether events are observed. If not, nothing is computed for them.
    const IS_ACTIVE: bool;

    /// Why the next node will be entered.
    fn intend(&mut self, intent: Intent);
    /// A node is entered. It counts as one node of the search.
    fn enter(&mut self, entry: NodeEntry);
    /// The current node has a transposition table entry.
    fn table_hit(&mut self, hit: TableHit);
    /// The corrected static evaluation of the current node.
    fn evaluated(&mut self, eval: Score);
    /// A technique changes the depth of the current node by so many plies.
    fn depth_changed(&mut self, technique: Technique, plies: i32);
    /// A move of the current node is not searched.
    fn skipped(&mut self, mv: Move, reason: SkipReason);
    /// These moves of the current node are not searched either, except those already searched or skipped.
    fn skipped_others(&mut self, moves: &[Move], reason: SkipReason);
    /// Why the current node will have its score, and by which move.
    fn decided(&mut self, reason: Reason, best: Option<Move>);
    /// The current node is left with this score; `None` if the search was stopped.
    fn leave(&mut self, score: Option<Score>);
}

/// No observer, for play.
impl Witness for () {
    const IS_ACTIVE: bool = false;

    #[inline(always)]
    fn intend(&mut self, _: Intent) {}
    #[inline(always)]
    fn enter(&mut self, _: NodeEntry) {}
    #[inline(always)]
    fn table_hit(&mut self, _: TableHit) {}
    #[inline(always)]
    fn evaluated(&mut self, _: Score) {}
    #[inline(always)]
    fn depth_changed(&mut self, _: Technique, _: i32) {}
    #[inline(always)]
    fn skipped(&mut self, _: Move, _: SkipReason) {}
    #[inline(always)]
    fn skipped_others(&mut self, _: &[Move], _: SkipReason) {}
    #[inline(always)]
    fn decided(&mut self, _: Reason, _: Option<Move>) {}
    #[inline(always)]
    fn leave(&mut self, _: Option<Score>) {}
}
