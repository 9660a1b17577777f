//! Extensions: singular, check, recapture and passed pawn extensions.

use rukh_chess::types::Rank;
use rukh_chess::{Move, Piece, Position};
use rukh_eval::Evaluator;

use super::node::{Extension, Node, Window};
use super::worker::{Frame, Kind, ScoutNode, Stopped, Worker};
use crate::api::Bound;
use crate::params::{self, PLY, exchange_values};
use crate::technique::{Technique, TechniqueSet};
use crate::witness::{Purpose, Witness};

/// The number 1 in the fixed point of the margin of singular extensions.
const MARGIN_ONE: i32 = 64;
/// Greatest number of double extensions on one line; it prevents a search explosion.
const MAX_DOUBLE_EXTENSIONS: u32 = 8;

/// Whether a move is a pawn move to the seventh rank, where no enemy pawn can stop it.
fn reaches_seventh(position: &Position, mv: Move) -> bool {
    let seventh = Rank::Seventh.relative_to(position.side_to_move());
    position.piece_on(mv.from()) == Some(Piece::Pawn) && mv.to().rank() == seventh
}

impl<E: Evaluator, T: TechniqueSet, W: Witness> Worker<E, T, W> {
    /// The extension of a move in plies.
    pub(super) fn extend<K: Kind>(&mut self, node: &Node<'_>, mv: Move) -> Result<Extension, Stopped> {
        self.inherit_extensions(node.ply);
        // Lines twice as long as the iteration are not extended.
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
        let extension_remainder = &mut self.frame(node.ply).extension_remainder;
        let sum = *extension_remainder + weight;
        *extension_remainder = sum % PLY;
        Ok(Extension::Plies(sum / PLY))
    }

    /// Copies the extension counters of the line from the previous ply.
    pub(super) fn inherit_extensions(&mut self, ply: usize) {
        let Frame { double_extensions, extension_remainder, .. } = *self.frame_before(ply, 1);
        let frame = self.frame(ply);
        (frame.double_extensions, frame.extension_remainder) = (double_extensions, extension_remainder);
    }

    /// The extension of a move in a PV node, in 1024ths of a ply: the sum of the reasons, at most one ply.
    ///
    /// Fractional extensions: a reason may give less than a ply. The remainder is carried along the line until it makes a
    /// whole ply; without the technique it is rounded.
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

    /// Whether a move captures on the square of the previous capture.
    fn is_recapture(&self, node: &Node<'_>, mv: Move) -> bool {
        let last = self.frame_before(node.ply, 1).mv.filter(|last| last.is_capture());
        mv.is_capture() && last.is_some_and(|last| last.to() == mv.to())
    }

    // ANCHOR: singular
    /// Singular extension: the hash move is excluded and the node searched to half the depth, with a zero window below the
    /// score of the entry.
    ///
    /// - All other moves fail low: the hash move is the only good move and is extended by one ply, or by two if they fail low
    ///   by a margin (double extension).
    /// - The bound reaches beta: several moves fail high, and the node is cut off (multicut).
    /// - The entry or the node type expects a cut-off: the hash move is searched less deep (negative extension).
    ///
    /// It is wrong where half the depth does not show that another move is as good.
    fn singular(&mut self, node: &Node<'_>, mv: Move) -> Result<Option<Extension>, Stopped> {
        let Some(entry) = node.entry else { return Ok(None) };
        let score = entry.score(node.ply);
        let is_reliable = entry.bound != Bound::Upper
            && entry.depth >= node.depth - params::singular_depth_slack()
            && !score.is_decisive();
        if node.depth < params::singular_min_depth() || !is_reliable || node.excluded.is_some() {
            return Ok(None);
        }
        let goal = score - params::singular_margin() * node.depth / MARGIN_ONE;
        let frame = *self.frame(node.ply);
        self.frame(node.ply).excluded = Some(mv);
        self.witness.intend(Purpose::Singular.into());
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
            let is_singular_by_far = !node.is_pv
                && others < goal - params::singular_double_margin()
                && frame.double_extensions < MAX_DOUBLE_EXTENSIONS;
            if is_singular_by_far {
                self.frame(node.ply).double_extensions += 1;
            }
            return Ok(Some(Extension::Plies(1 + i32::from(is_singular_by_far))));
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
    // ANCHOR_END: singular
}
