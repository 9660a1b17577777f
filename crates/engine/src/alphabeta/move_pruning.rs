//! Move pruning (move-loop pruning): late move, futility, history and SEE pruning of single moves.

use rukh_chess::{Color, Move, Piece, Position};
use rukh_eval::{Evaluator, Score};

use super::node::{Candidate, Node};
use super::picker::Picker;
use super::worker::Worker;
use crate::params::{self, ONE, exchange_values};
use crate::technique::{Technique, TechniqueSet};
use crate::witness::Witness;

/// Pieces besides pawns and kings in the initial position.
const ALL_PIECES: u32 = 14;

impl<E: Evaluator, T: TechniqueSet, W: Witness> Worker<E, T, W> {
    /// The technique by which a move is pruned; `None` if it is searched. A score better than being mated must be known, and the
    /// side to move must have a piece besides pawns: in pawn endgames zugzwang is frequent and every move may matter.
    pub(super) fn prunes_move(
        &mut self,
        node: &Node<'_>,
        picker: &mut Picker,
        candidate: &Candidate,
        best: Score,
        alpha: Score,
    ) -> Option<Technique> {
        let Candidate { mv, number, .. } = *candidate;
        let us = node.position.side_to_move();
        let pawns_and_king =
            node.position.colored_pieces(us, Piece::Pawn) | node.position.colored_pieces(us, Piece::King);
        if best.is_loss() || pawns_and_king == node.position.color(us) {
            return None;
        }
        if mv.is_noisy() {
            let fails = self.fails_see(node, mv, -params::see_noisy_margin() * node.depth);
            return fails.then_some(Technique::ExchangePruning);
        }
        if node.is_check() {
            return None;
        }
        if self.is_late_move(node, number) {
            picker.skip_quiet();
            return (!node.position.gives_check(mv)).then_some(Technique::LateMovePruning);
        }
        let reduced = (node.depth - self.reductions.plies(node.depth, number)).max(0);
        let is_futile =
            self.is_futile(node, candidate, reduced, alpha) && !self.attacks_king_zone(node.position, mv);
        let technique = match is_futile {
            true => Some(Technique::Futility),
            false => self.has_bad_history(node, candidate, reduced).then_some(Technique::HistoryPruning),
        };
        if technique.is_some() && !node.position.gives_check(mv) {
            return technique;
        }
        let fails = self.fails_see(node, mv, -params::see_quiet_margin() * reduced * reduced);
        fails.then_some(Technique::ExchangePruning)
    }

    // ANCHOR: late_move
    /// Late move pruning (move count pruning): after a number of moves that grows with the depth, the remaining quiet moves,
    /// ordered behind them, are unlikely to be better.
    ///
    /// It is wrong where the move ordering is wrong.
    fn is_late_move(&self, node: &Node<'_>, number: usize) -> bool {
        let depth = node.depth;
        let move_limit = (params::lmp_base() + depth * depth) / if node.is_improving { 1 } else { 2 };
        self.has(Technique::LateMovePruning)
            && !node.is_pv
            && depth <= params::lmp_max_depth()
            && number as i32 > move_limit
    }
    // ANCHOR_END: late_move

    // ANCHOR: futility
    /// Futility pruning: the evaluation is so far below alpha that a quiet move cannot make up the difference in the plies left.
    /// With fewer pieces a quiet move changes less, so the margin is smaller.
    ///
    /// It is wrong where a quiet move makes a double threat or threatens mate. Checks and moves that attack the king zone are
    /// exempt.
    pub(super) fn is_futile(
        &self,
        node: &Node<'_>,
        candidate: &Candidate,
        reduced: i32,
        alpha: Score,
    ) -> bool {
        let full = params::futility_base_margin() + params::futility_depth_margin() * reduced;
        let endgame = params::futility_endgame_weight();
        let phase = phase(node.position);
        let mut margin = full * (endgame + (ONE - endgame) * phase / ONE) / ONE;
        if self.has(Technique::HistoryFutility) {
            margin += self.ordering_score(node, candidate) / params::history_futility_divisor();
        }
        self.has(Technique::Futility)
            && reduced <= params::futility_max_depth()
            && !alpha.is_decisive()
            && node.eval + margin <= alpha
    }
    // ANCHOR_END: futility

    /// History pruning (continuation history pruning): a quiet move that failed nearly everywhere else in the tree is unlikely to
    /// be best here.
    ///
    /// It is wrong where this position is the exception. Checks are exempt.
    fn has_bad_history(&self, node: &Node<'_>, candidate: &Candidate, reduced: i32) -> bool {
        self.has(Technique::HistoryPruning)
            && reduced <= params::history_pruning_max_depth()
            && self.ordering_score(node, candidate) < -params::history_pruning_margin() * (reduced + 1)
    }

    // ANCHOR: fails_see
    /// SEE pruning (static exchange evaluation): the move loses more material on its to-square than the plies left are likely
    /// to regain.
    ///
    /// It is wrong for sacrifices.
    fn fails_see(&self, node: &Node<'_>, mv: Move, threshold: i32) -> bool {
        self.has(Technique::ExchangePruning)
            && node.depth <= params::see_pruning_max_depth()
            && !node.position.see_at_least(mv, threshold, &exchange_values())
    }
    // ANCHOR_END: fails_see
}

/// The game phase: the share of pieces besides pawns and kings that are left, in 1024ths.
fn phase(position: &Position) -> i32 {
    let pieces = position.occupied() ^ position.pieces(Piece::Pawn) ^ position.pieces(Piece::King);
    debug_assert_eq!(position.pieces(Piece::King).count() as usize, Color::COUNT);
    (pieces.count().min(ALL_PIECES) * ONE as u32 / ALL_PIECES) as i32
}
