//! Prunings among the moves: moves that need not be made.

use rukh_chess::{Color, Move, Piece, Position};
use rukh_eval::{Evaluator, Score};

use super::node::{Candidate, Node};
use super::picker::Picker;
use super::worker::Worker;
use crate::params::{self, ONE, exchange_values};
use crate::technique::{Technique, TechniqueSet};

/// Pieces beside pawns and kings at the start of a game.
const ALL_PIECES: u32 = 14;

impl<E: Evaluator, T: TechniqueSet> Worker<E, T> {
    /// Whether a move can be left out. Something must be known to be better than being mated, and the side to move must have
    /// a piece: among pawns alone every move may be the one.
    pub(super) fn prunes_move(
        &mut self,
        node: &Node<'_>,
        picker: &mut Picker,
        candidate: &Candidate,
        best: Score,
        alpha: Score,
    ) -> bool {
        let Candidate { mv, number, .. } = *candidate;
        let us = node.position.side_to_move();
        let pawns_and_king =
            node.position.colored_pieces(us, Piece::Pawn) | node.position.colored_pieces(us, Piece::King);
        if best.is_loss() || pawns_and_king == node.position.color(us) {
            return false;
        }
        if mv.is_noisy() {
            return self.fails_see(node, mv, -params::see_noisy_margin() * node.depth);
        }
        if node.is_check() {
            return false;
        }
        if self.is_late_move(node, number) {
            picker.skip_quiet();
            return !node.position.gives_check(mv);
        }
        let reduced = (node.depth - self.reductions.plies(node.depth, number)).max(0);
        let is_futile = self.is_futile(node, reduced, alpha) && !self.attacks_king_zone(node.position, mv)
            || self.has_bad_history(node, candidate, reduced);
        if is_futile && !node.position.gives_check(mv) {
            return true;
        }
        self.fails_see(node, mv, -params::see_quiet_margin() * reduced * reduced)
    }

    /// Late move pruning, or move count pruning: so many moves have been tried that the rest, ordered behind them, will
    /// not do better.
    ///
    /// It is wrong where the ordering is.
    fn is_late_move(&self, node: &Node<'_>, number: usize) -> bool {
        let depth = node.depth;
        let patience = (params::lmp_base() + depth * depth) / if node.is_improving { 1 } else { 2 };
        self.has(Technique::LateMovePruning)
            && !node.is_pv
            && depth <= params::lmp_max_depth()
            && number as i32 > patience
    }

    /// Futility: so far below alpha that no quiet move makes up for it in the plies left. The fewer pieces, the less a quiet
    /// move can change, and the smaller the margin.
    ///
    /// It is wrong where a quiet move threatens more than one piece.
    fn is_futile(&self, node: &Node<'_>, reduced: i32, alpha: Score) -> bool {
        let full = params::futility_base_margin() + params::futility_depth_margin() * reduced;
        let endgame = params::futility_endgame_weight();
        let phase = phase(node.position);
        let margin = full * (endgame + (ONE - endgame) * phase / ONE) / ONE;
        self.has(Technique::Futility)
            && reduced <= params::futility_max_depth()
            && !alpha.is_decisive()
            && node.eval + margin <= alpha
    }

    /// History pruning: everywhere else in the tree this move was bad.
    fn has_bad_history(&self, node: &Node<'_>, candidate: &Candidate, reduced: i32) -> bool {
        self.has(Technique::HistoryPruning)
            && reduced <= params::history_pruning_max_depth()
            && self.ordering_score(node, candidate) < -params::history_pruning_margin() * (reduced + 1)
    }

    /// Exchange pruning: the piece is lost where it goes, and more than the plies left could bring back.
    fn fails_see(&self, node: &Node<'_>, mv: Move, threshold: i32) -> bool {
        self.has(Technique::ExchangePruning)
            && node.depth <= params::see_pruning_max_depth()
            && !node.position.see_at_least(mv, threshold, &exchange_values())
    }
}

/// How much of the pieces of a game are left, in 1024ths.
fn phase(position: &Position) -> i32 {
    let pieces = position.occupied() ^ position.pieces(Piece::Pawn) ^ position.pieces(Piece::King);
    debug_assert_eq!(position.pieces(Piece::King).count() as usize, Color::COUNT);
    (pieces.count().min(ALL_PIECES) * ONE as u32 / ALL_PIECES) as i32
}
