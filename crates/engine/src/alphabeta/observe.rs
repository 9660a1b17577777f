//! Observation of the search: what a [`Witness`] receives about a node. Without an active witness nothing of it is compiled.

use rukh_chess::{Move, Position};
use rukh_eval::Evaluator;

use super::node::Window;
use super::worker::{Kind, Searched, Worker};
use crate::technique::TechniqueSet;
use crate::transposition::Entry;
use crate::witness::{NodeEntry, NodeKind, SkipReason, TableHit, Witness};

/// The node type of the main search.
pub(super) const fn node_kind<K: Kind>(is_cut: bool) -> NodeKind {
    match (K::ROOT, K::PV, is_cut) {
        (true, _, _) => NodeKind::Root,
        (_, true, _) => NodeKind::Pv,
        (_, _, true) => NodeKind::Cut,
        (_, _, false) => NodeKind::All,
    }
}

impl<E: Evaluator, T: TechniqueSet, W: Witness> Worker<E, T, W> {
    /// Reports that a node is entered.
    #[inline(always)]
    pub(super) fn observe_enter(&mut self, kind: NodeKind, ply: usize, window: Window, depth: i32) {
        if W::IS_ACTIVE {
            let mv = self.frame_before(ply, 1).mv;
            let iteration = self.root.depth();
            let Window { alpha, beta } = window;
            self.witness.enter(NodeEntry { kind, ply, iteration, mv, depth, alpha, beta });
        }
    }

    /// Reports that the node is left.
    #[inline(always)]
    pub(super) fn observe_leave(&mut self, searched: Searched) {
        if W::IS_ACTIVE {
            self.witness.leave(searched.ok());
        }
    }

    /// Reports the transposition table entry of the node.
    #[inline(always)]
    pub(super) fn observe_entry(&mut self, entry: Option<Entry>, ply: usize) {
        if W::IS_ACTIVE
            && let Some(entry) = entry
        {
            let Entry { depth, bound, mv, .. } = entry;
            self.witness.table_hit(TableHit { depth, bound, score: entry.score(ply), mv });
        }
    }

    /// Reports that the legal moves with this property are not searched, except those already searched or skipped.
    #[inline(always)]
    pub(super) fn observe_others(
        &mut self,
        position: &Position,
        is_skipped: impl Fn(&Move) -> bool,
        reason: SkipReason,
    ) {
        if W::IS_ACTIVE {
            let legal = position.legal_moves();
            let moves: Vec<Move> = legal.iter().copied().filter(is_skipped).collect();
            self.witness.skipped_others(&moves, reason);
        }
    }
}
