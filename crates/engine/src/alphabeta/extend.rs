//! Extensions: moves that deserve a deeper look.

use rukh_chess::Move;
use rukh_eval::Evaluator;

use super::node::{Extension, Node, Window};
use super::picker::EXCHANGE_VALUES;
use super::worker::{Frame, Kind, ScoutNode, Stopped, Worker};
use crate::api::Bound;
use crate::params;
use crate::technique::{Technique, Toolbox};

/// Double extensions on one line; more would let the search run away.
const MAX_DOUBLE_EXTENSIONS: u32 = 8;

impl<E: Evaluator, T: Toolbox> Worker<E, T> {
    /// How many plies more or less a move gets.
    pub(super) fn extend<K: Kind>(&mut self, node: &Node<'_>, mv: Move) -> Result<Extension, Stopped> {
        self.frame(node.ply).double_extensions = self.frame_before(node.ply, 1).double_extensions;
        // No line gets longer than twice the iteration by extensions.
        if K::ROOT || node.ply as i32 >= 2 * self.root.depth() {
            return Ok(Extension::Plies(0));
        }
        let may_be_singular = Some(mv) == node.table_move && self.has(Technique::Singular);
        let singular = if may_be_singular { self.singular(node, mv)? } else { None };
        if let Some(extension) = singular {
            return Ok(extension);
        }
        let is_good_check = self.has(Technique::CheckExtension)
            && node.position.gives_check(mv)
            && node.position.see_at_least(mv, 0, &EXCHANGE_VALUES)
            && node.is_pv;
        Ok(Extension::Plies(i32::from(is_good_check)))
    }

    /// Singular extension: all other moves are searched a little shallower against a bound a little below what the table says
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
