//! Extensions: moves that deserve a deeper look.

use rukh_chess::types::Rank;
use rukh_chess::{Move, Piece, Position};
use rukh_eval::Evaluator;

use super::node::{Extension, Node, Window};
use super::worker::{Frame, Kind, ScoutNode, Stopped, Worker};
use crate::api::Bound;
use crate::params::{self, PLY, exchange_values};
use crate::technique::{Technique, TechniqueSet};

/// Double extensions on one line; more would let the search run away.
const MAX_DOUBLE_EXTENSIONS: u32 = 8;

/// Whether a pawn comes to the seventh rank, where no other pawn can stop it.
fn reaches_seventh(position: &Position, mv: Move) -> bool {
    let seventh = Rank::Seventh.relative_to(position.side_to_move());
    position.piece_on(mv.from()) == Some(Piece::Pawn) && mv.to().rank() == seventh
}

impl<E: Evaluator, T: TechniqueSet> Worker<E, T> {
    /// How many plies more or less a move gets.
    pub(super) fn extend<K: Kind>(&mut self, node: &Node<'_>, mv: Move) -> Result<Extension, Stopped> {
        self.inherit_extensions(node.ply);
        // No line gets longer than twice the iteration by extensions.
        if K::ROOT || node.ply as i32 >= 2 * self.root.depth() {
            return Ok(Extension::Plies(0));
        }
        let may_be_singular = Some(mv) == node.table_move && self.has(Technique::Singular);
        let singular = if may_be_singular { self.singular(node, mv)? } else { None };
        if let Some(extension) = singular {
            return Ok(extension);
        }
        let weight = if node.is_pv { self.extension_weight(node, mv) } else { 0 };
        if !self.has(Technique::FractionalExtensions) {
            return Ok(Extension::Plies((weight + PLY / 2) / PLY));
        }
        let owed = &mut self.frame(node.ply).owed;
        let sum = *owed + weight;
        *owed = sum % PLY;
        Ok(Extension::Plies(sum / PLY))
    }

    /// What a line has been extended by so far goes on from the ply before, whatever was searched here last.
    pub(super) fn inherit_extensions(&mut self, ply: usize) {
        let Frame { double_extensions, owed, .. } = *self.frame_before(ply, 1);
        let frame = self.frame(ply);
        (frame.double_extensions, frame.owed) = (double_extensions, owed);
    }

    /// The reasons to look deeper at a move of the principal variation, in 1024ths of a ply.
    ///
    /// Fractional extensions: a reason may be worth less than a ply. What does not make a whole one is owed to the moves
    /// that follow; without the technique it is rounded.
    fn extension_weight(&self, node: &Node<'_>, mv: Move) -> i32 {
        let is_good_check =
            || node.position.gives_check(mv) && node.position.see_at_least(mv, 0, &exchange_values());
        let mut weight = 0;
        if self.has(Technique::CheckExtension) && is_good_check() {
            weight += params::check_extension_weight();
        }
        if self.has(Technique::RecaptureExtension) && self.is_recapture(node, mv) {
            weight += params::recapture_extension_weight();
        }
        if self.has(Technique::PassedPawnExtension) && reaches_seventh(node.position, mv) {
            weight += params::passed_pawn_extension_weight();
        }
        weight.min(PLY)
    }

    /// Whether a move takes what has just taken.
    fn is_recapture(&self, node: &Node<'_>, mv: Move) -> bool {
        let last = self.frame_before(node.ply, 1).mv.filter(|last| last.is_capture());
        mv.is_capture() && last.is_some_and(|last| last.to() == mv.to())
    }

    /// Singular extension: all other moves are searched to half the depth against a bound a little below what the table says
    /// of this one. If all fail, it is the only good move and is searched deeper, twice deeper if they fail badly. If another
    /// reaches beta too, several moves do, and the node is cut off (multicut). If the table expects a cut-off anyway, the move
    /// is searched less deep (negative extension).
    fn singular(&mut self, node: &Node<'_>, mv: Move) -> Result<Option<Extension>, Stopped> {
        let Some(entry) = node.entry else { return Ok(None) };
        let score = entry.score(node.ply);
        let is_reliable = entry.bound != Bound::Upper
            && entry.depth >= node.depth - params::singular_depth_slack()
            && !score.is_decisive();
        if node.depth < params::singular_min_depth() || !is_reliable || node.excluded.is_some() {
            return Ok(None);
        }
        let goal = score - params::singular_margin() * node.depth / 64;
        let frame = *self.frame(node.ply);
        self.frame(node.ply).excluded = Some(mv);
        let others = self.search::<ScoutNode>(
            node.position,
            node.ply,
            Window::above(goal - 1),
            (node.depth - 1) / 2,
            node.is_cut,
        );
        let cutoffs = self.frame(node.ply).cutoffs;
        *self.frame(node.ply) = Frame { cutoffs, ..frame };
        let others = others?;
        if others < goal {
            let is_alone_by_far = !node.is_pv
                && others < goal - params::singular_double_margin()
                && frame.double_extensions < MAX_DOUBLE_EXTENSIONS;
            if is_alone_by_far {
                self.frame(node.ply).double_extensions += 1;
            }
            return Ok(Some(Extension::Plies(1 + i32::from(is_alone_by_far))));
        }
        if goal >= node.window.beta && !goal.is_decisive() {
            return Ok(Some(Extension::Cutoff(goal)));
        }
        let plies = match (score >= node.window.beta, node.is_cut) {
            (true, _) => -2,
            (false, true) => -1,
            (false, false) => 0,
        };
        Ok(Some(Extension::Plies(plies)))
    }
}
