//! Descent: from the root to a leaf by selection, and the backup of its value to the root.
//!
//! Threads share the tree. A descent marks its path with virtual visits, so that others choose other leaves, and takes no
//! lock on the way down. It knows nothing of limits and of how leaves are evaluated.

use rukh_chess::history::KeyHistory;
use rukh_chess::{Color, Move, Position};
use rukh_eval::MAX_PLY;

use super::arena::ROOT;
use super::leaf::{Leaf, Wanted};
use super::proof::{Bounds, Outcome};
use super::select::Rule;
use super::slot::{EXPANDING, NO_CHILDREN, Slot, Visit};
use super::tree::Tree;
use super::wdl::WinDrawLoss;
use crate::noise::RootNoise;
use crate::params;
use crate::params::fraction;
use crate::search::SharedState;

/// A descent from the root.
#[derive(Debug, Default)]
pub(super) struct Descent {
    /// The slots from the root to the leaf.
    pub(super) path: Vec<u32>,
}

impl Descent {
    /// Whether there is no room for a further ply below its end.
    fn is_deep(&self) -> bool {
        self.path.len() >= MAX_PLY - 1
    }
}

/// Where a descent ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Reached {
    /// At a value that is known, for the side to move.
    Value(Visit),
    /// At a leaf that must be evaluated.
    Leaf,
    /// At a node that another descent is evaluating or expanding.
    Collision,
}

/// What the descents of one search share.
pub(super) struct Descender<'s> {
    pub(super) tree: &'s Tree,
    pub(super) shared: &'s SharedState,
    pub(super) rule: Rule,
    /// Only these root moves are searched; empty for all.
    pub(super) root_moves: &'s [Move],
    pub(super) root_side: Color,
    /// The value by which a draw is worse for the root side.
    pub(super) contempt: f64,
    pub(super) has_cache: bool,
    pub(super) has_solver: bool,
    /// With `go mate` results beyond these plies prove nothing above them, and tablebases, which know no distance, are not
    /// probed.
    pub(super) mate_plies: Option<usize>,
    pub(super) has_temperature: bool,
    /// The root move of the next descent, where sequential halving chooses it.
    pub(super) forced: Option<usize>,
    /// Whether leaves are given a policy when they are first evaluated.
    pub(super) has_joint_policy: bool,
    /// Noise on the priors of the root, where self-play wants it.
    pub(super) noise: Option<RootNoise>,
    /// The keys of the game and of the current line.
    pub(super) keys: KeyHistory,
    pub(super) root_len: usize,
}

/// Gives a policy for the position of the leaf.
pub(super) type Expand<'e> = dyn FnMut(&mut Leaf) + 'e;

impl Descender<'_> {
    /// Descends to a leaf and adds a virtual visit to every slot of the path. If the leaf is to be evaluated, `leaf` gets its
    /// position and moves.
    pub(super) fn descend(
        &mut self,
        root: &Position,
        descent: &mut Descent,
        leaf: &mut Leaf,
        expand: &mut Expand<'_>,
    ) -> Reached {
        descent.path.clear();
        descent.path.push(ROOT);
        leaf.position.clone_from(root);
        let mut others = self.tree.slot(ROOT).enter();
        let mut last = None;
        let reached = loop {
            if let Some(reached) = self.stop_here(descent, leaf, others) {
                break reached;
            }
            let block = match self.children(descent, leaf, last, expand) {
                Ok(block) => block,
                Err(reached) => break reached,
            };
            let (first, children) = self.tree.arena.block(block);
            let is_root = descent.path.len() == 1;
            let node = self.tree.slot(descent.path[descent.path.len() - 1]);
            let draw = self.draw_value(leaf.position.side_to_move());
            let forced = self.forced.filter(|_| is_root);
            let chosen = forced.or_else(|| self.rule.select(node, children, is_root, draw));
            let Some((index, mv)) = chosen.and_then(|index| Some((index, children[index].mv()?))) else {
                break Reached::Collision;
            };
            others = children[index].enter();
            self.tree.arena.prefetch_children(&children[index]);
            descent.path.push(first + index as u32);
            self.keys.push(&leaf.position);
            leaf.position.make(mv, &mut ());
            last = Some(mv);
        };
        leaf.ply = descent.path.len() - 1;
        while self.keys.len() > self.root_len {
            self.keys.pop();
        }
        reached
    }

    /// The end of the descent at the last slot of the path, if it ends there: the result is known, or it is a leaf.
    fn stop_here(&self, descent: &Descent, leaf: &mut Leaf, others: u32) -> Option<Reached> {
        let slot = self.tree.slot(*descent.path.last()?);
        let position = &leaf.position;
        let is_root = descent.path.len() == 1;
        if !is_root {
            if let Some(outcome) = slot.bounds().proven() {
                return Some(Reached::Value(self.outcome_visit(outcome.flipped(), position)));
            }
            if self.keys.is_draw_in_search(position, self.root_len) {
                slot.mark_repetition();
                return Some(Reached::Value(self.outcome_visit(Outcome::Draw, position)));
            }
        }
        if slot.visits() > 0 {
            return None;
        }
        if others > 0 {
            return Some(Reached::Collision);
        }
        leaf.moves.clear();
        leaf.moves.extend_from_slice(&position.legal_moves());
        if !is_root && let Some(bounds) = self.result(position, &leaf.moves) {
            slot.set_bounds(bounds.flipped());
            let outcome = bounds.proven()?;
            return Some(Reached::Value(self.outcome_visit(outcome, position)));
        }
        if self.has_cache
            && let Some(wdl) = self.tree.cache.probe(position)
        {
            leaf.wdl = wdl;
            leaf.wanted = Wanted::Value;
            return Some(Reached::Value(self.leaf_visit(wdl, position)));
        }
        leaf.wanted = if self.has_joint_policy { Wanted::Both } else { Wanted::Value };
        Some(Reached::Leaf)
    }

    /// The block of children of the last slot, which is expanded now if it has none.
    fn children(
        &self,
        descent: &Descent,
        leaf: &mut Leaf,
        last: Option<Move>,
        expand: &mut Expand<'_>,
    ) -> Result<u32, Reached> {
        let at = descent.path[descent.path.len() - 1];
        let slot = self.tree.slot(at);
        loop {
            match slot.children() {
                EXPANDING => return Err(Reached::Collision),
                NO_CHILDREN if slot.exchange_children(NO_CHILDREN, EXPANDING) => break,
                NO_CHILDREN => {}
                block => return Ok(block),
            }
        }
        leaf.moves.clear();
        leaf.moves.extend_from_slice(&leaf.position.legal_moves());
        let block = if descent.is_deep() {
            None
        } else {
            leaf.wanted = Wanted::Policy;
            expand(leaf);
            self.add_children(at, leaf, last)
        };
        let is_published = slot.exchange_children(EXPANDING, block.unwrap_or(NO_CHILDREN));
        debug_assert!(is_published, "only this thread expands the node");
        block.ok_or_else(|| {
            // There is no room below: the position is evaluated once more.
            leaf.wanted = Wanted::Value;
            Reached::Leaf
        })
    }

    /// Writes the children of `at`, whose node is being expanded, in the order of their priors.
    pub(super) fn add_children(&self, at: u32, leaf: &Leaf, last: Option<Move>) -> Option<u32> {
        let is_root = at == ROOT;
        let mut moves: Vec<(Move, f32)> =
            leaf.moves.iter().copied().zip(leaf.logits.iter().copied()).collect();
        if is_root && !self.root_moves.is_empty() {
            moves.retain(|(mv, _)| self.root_moves.contains(mv));
        }
        if let Some(handicap) = &self.shared.handicap {
            let sees = |mv: Move| !handicap.overlooks(&leaf.position, mv, last);
            if moves.iter().any(|&(mv, _)| sees(mv)) {
                moves.retain(|&(mv, _)| sees(mv));
            }
        }
        let temperature = match (self.has_temperature, is_root) {
            (false, _) => 1.0,
            (true, true) => fraction(params::mcts_root_temperature_weight()),
            (true, false) => fraction(params::mcts_temperature_weight()),
        };
        softmax(&mut moves, temperature as f32);
        let noise = self.noise.filter(|_| is_root);
        if let Some((dirichlet, seed)) = noise.and_then(|noise| Some((noise.dirichlet?, noise.seed))) {
            dirichlet.mix_into(moves.iter_mut().map(|(_, prior)| prior), seed);
        }
        let block = self.tree.arena.allocate(at, moves.len() as u32)?;
        let (_, children) = self.tree.arena.block(block);
        // The bits of numbers that are not negative are in the order of these.
        let mut order: Vec<(u32, usize)> =
            moves.iter().enumerate().map(|(at, (_, prior))| (!prior.to_bits(), at)).collect();
        order.sort_unstable();
        for (child, (_, at)) in children.iter().zip(order) {
            let (mv, prior) = moves[at];
            child.reset(Some(mv), prior);
        }
        Some(block)
    }

    /// Expands a leaf that came with its policy.
    pub(super) fn expand_evaluated(&self, descent: &Descent, leaf: &Leaf) {
        let at = descent.path[descent.path.len() - 1];
        let slot = self.tree.slot(at);
        if !descent.is_deep() && slot.exchange_children(NO_CHILDREN, EXPANDING) {
            let block = self.add_children(at, leaf, None);
            slot.exchange_children(EXPANDING, block.unwrap_or(NO_CHILDREN));
        }
    }

    /// The result of a position by the rules or the tablebases, for the side to move.
    fn result(&self, position: &Position, moves: &[Move]) -> Option<Bounds> {
        if moves.is_empty() {
            return Some(match position.is_check() {
                true => Bounds::exact(Outcome::Loss, 0),
                false => Bounds::DRAW,
            });
        }
        if position.has_insufficient_material() || position.halfmove_clock() >= Position::FIFTY_MOVES {
            return Some(Bounds::DRAW);
        }
        let probing = self.shared.probing.as_ref().filter(|_| self.mate_plies.is_none())?;
        if !probing.may_probe(position, probing.depth) {
            return None;
        }
        let (score, _) = probing.score(position, 0)?;
        self.shared.tablebase_hits.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Some(match (score.is_win(), score.is_loss()) {
            (true, _) => Bounds::tablebase(Outcome::Win),
            (_, true) => Bounds::tablebase(Outcome::Loss),
            _ => Bounds::DRAW,
        })
    }

    /// The value of a draw for a side: contempt makes it worse for the side to move at the root.
    pub(super) fn draw_value(&self, side: Color) -> f64 {
        if side == self.root_side { -self.contempt } else { self.contempt }
    }

    fn outcome_visit(&self, outcome: Outcome, position: &Position) -> Visit {
        match outcome {
            Outcome::Win => Visit { value: 1.0, draw: 0.0 },
            Outcome::Draw => Visit { value: self.draw_value(position.side_to_move()), draw: 1.0 },
            Outcome::Loss => Visit { value: -1.0, draw: 0.0 },
        }
    }

    /// The visit of a leaf with this WDL, for the side to move.
    pub(super) fn leaf_visit(&self, wdl: WinDrawLoss, position: &Position) -> Visit {
        let draw = self.draw_value(position.side_to_move());
        Visit { value: wdl.value() + f64::from(wdl.draw) * draw, draw: wdl.draw }
    }

    /// Backs up the value of the leaf, which is for its side to move, and removes the virtual visits.
    pub(super) fn back_up(&self, descent: &Descent, visit: Visit) {
        if self.has_solver {
            self.solve(descent);
        }
        let mut visit = visit.flipped();
        for &index in descent.path.iter().rev() {
            let slot = self.tree.slot(index);
            slot.add(visit);
            slot.leave();
            visit = visit.flipped();
        }
    }

    /// Removes the virtual visits of a descent that found nothing.
    pub(super) fn cancel(&self, descent: &Descent) {
        descent.path.iter().for_each(|&index| self.tree.slot(index).leave());
    }

    /// Updates the bounds of the nodes above a proven leaf, as far as they change.
    fn solve(&self, descent: &Descent) {
        let Some((&leaf, above)) = descent.path.split_last() else { return };
        if self.mate_plies.is_some_and(|most| above.len() > most) {
            return;
        }
        if self.tree.slot(leaf).bounds().proven().is_none() {
            return;
        }
        for &index in above.iter().rev() {
            let Some((_, children)) = self.tree.arena.children_of(index) else { return };
            let slot = self.tree.slot(index);
            let bounds = Bounds::of_children(children.iter().map(Slot::bounds)).flipped();
            if slot.bounds() == bounds {
                return;
            }
            slot.set_bounds(bounds);
        }
    }
}

/// The softmax of logits divided by a temperature, in place.
fn softmax(moves: &mut [(Move, f32)], temperature: f32) {
    let greatest = moves.iter().map(|&(_, logit)| logit).fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for (_, logit) in moves.iter_mut() {
        *logit = ((*logit - greatest) / temperature).exp();
        sum += *logit;
    }
    moves.iter_mut().for_each(|(_, prior)| *prior /= sum);
}
