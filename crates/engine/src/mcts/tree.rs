//! Search tree: arena, evaluation cache and root, kept between searches.
//!
//! After a move and its reply the subtree of the new position becomes the tree (tree reuse). It knows moves and positions of
//! the game, not how children are chosen or evaluated.

use std::sync::{Mutex, PoisonError};

use rukh_chess::game::Game;
use rukh_chess::{Move, Position};

use super::arena::{Arena, ROOT};
use super::cache::EvaluationCache;
use super::proof::{Bounds, Outcome};
use super::slot::{NO_CHILDREN, Slot, Visits};
use crate::technique::TechniqueOverrides;

/// Of the memory of the tree, one part in so many is the evaluation cache.
const CACHE_PART: usize = 16;
/// Plies by which the game may have advanced for the tree to be reused: a move, its reply, and two more after a ponder miss.
const REUSED_PLIES: usize = 4;

/// The search tree of an engine, shared by its threads.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(super) arena: Arena,
    pub(super) cache: EvaluationCache,
    root: Mutex<Option<RootState>>,
}

/// What the values in the tree depend on, and the position of its root.
#[derive(Clone, PartialEq, Debug)]
struct RootState {
    /// The position of the root, with its clocks.
    position: Position,
    conditions: Conditions,
}

/// Everything besides the game that the values of a tree depend on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Conditions {
    /// The root moves to search; empty for all.
    pub(crate) moves: Vec<Move>,
    /// Techniques that are switched against their default.
    pub(crate) overrides: TechniqueOverrides,
    /// Contempt, and the side whose contempt it is.
    pub(crate) contempt: Option<(i32, rukh_chess::Color)>,
    /// The mate that is searched for: results beyond it prove nothing.
    pub(crate) mate: Option<i32>,
}

impl Tree {
    /// A tree in `bytes` of memory, initialised by `threads` threads; `None` if the memory is not available.
    pub(crate) fn new(bytes: usize, threads: usize) -> Option<Self> {
        let cache = bytes / CACHE_PART;
        Some(Self {
            arena: Arena::new(bytes - cache, threads)?,
            cache: EvaluationCache::new(cache, threads)?,
            root: Mutex::new(None),
        })
    }

    /// Removes everything. No thread may be searching.
    pub(crate) fn clear(&self) {
        let mut root = self.lock();
        self.arena.clear();
        self.cache.clear();
        *root = None;
    }

    /// Calls `read` with the position of the root, which does not change meanwhile; `None` before the first search.
    pub(super) fn with_root<T>(&self, read: impl FnOnce(&Position) -> Option<T>) -> Option<T> {
        self.lock().as_ref().and_then(|root| read(&root.position))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<RootState>> {
        self.root.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The segments of its memory.
    #[cfg(test)]
    pub(crate) fn segments(&self) -> usize {
        self.arena.segments()
    }

    /// Permille of the memory in use.
    pub(crate) fn permille(&self) -> u32 {
        self.arena.permille()
    }

    /// Makes the current position of `game` the root and keeps its subtree if the tree has it. No thread may be searching.
    /// Returns whether it was kept.
    pub(crate) fn begin(&self, game: &Game, conditions: Conditions, may_reuse: bool) -> bool {
        let mut root = self.lock();
        let line = root.as_ref().filter(|_| may_reuse).and_then(|root| root.moves_to(game, &conditions));
        let is_kept = line.is_some_and(|line| self.advance(&line));
        if !is_kept {
            self.arena.clear();
        }
        *root = Some(RootState { position: game.position().clone(), conditions });
        is_kept
    }

    /// Moves the root along `line`; false if the tree does not contain it.
    fn advance(&self, line: &[Move]) -> bool {
        let mut at = ROOT;
        for &mv in line {
            let Some((first, children)) = self.arena.children_of(at) else { return false };
            let Some(index) = children.iter().position(|child| child.mv() == Some(mv)) else { return false };
            at = first + index as u32;
        }
        // A draw by repetition has been played: the position was never searched.
        let is_searched = !self.slot(at).is_repetition() && self.arena.children_of(at).is_some();
        if is_searched && at != ROOT {
            self.arena.set_root(at);
            self.forget_repetitions(ROOT);
        }
        is_searched
    }

    /// Removes the visits of all draws by repetition below a slot, from the whole path: with another root they may be draws
    /// no longer. Returns the removed visits as the side of the slot sees them. No thread may be searching.
    fn forget_repetitions(&self, at: u32) -> Visits {
        let slot = self.slot(at);
        let gone = if slot.is_repetition() {
            let _ = slot.exchange_children(slot.children(), NO_CHILDREN);
            // Removes the mark as well.
            slot.set_bounds(Bounds::OPEN);
            slot.all_visits()
        } else {
            let children = self.arena.children_of(at);
            let visited = children.into_iter().flat_map(|(first, children)| {
                (first..).zip(children).filter(|(_, child)| child.visits() > 0).map(|(child, _)| child)
            });
            visited.map(|child| self.forget_repetitions(child)).fold(Visits::default(), Visits::and).flipped()
        };
        if gone.count > 0 {
            slot.subtract(&gone);
        }
        gone
    }

    /// The slot of this index.
    pub(super) fn slot(&self, index: u32) -> &Slot {
        self.arena.slot(index)
    }

    /// The children of the root.
    pub(super) fn root_children(&self) -> &[Slot] {
        self.arena.children_of(ROOT).map_or(&[], |(_, children)| children)
    }

    /// The line of best moves that begins with the child `first` of the root.
    pub(super) fn principal_variation(&self, root: &Position, first: usize) -> Vec<Move> {
        let Some((block, children)) = self.arena.children_of(ROOT) else { return Vec::new() };
        let Some(mv) = children.get(first).and_then(Slot::mv) else { return Vec::new() };
        let (mut pv, mut position, mut at) = (vec![mv], root.after(mv), block + first as u32);
        while pv.len() < rukh_eval::MAX_PLY
            && let Some((first, children)) = self.arena.children_of(at)
        {
            let Some(best) = best_child(children).filter(|&best| children[best].visits() > 0) else { break };
            // The block may be overwritten by another thread at this moment.
            let Some(mv) = children[best].mv().filter(|&mv| position.is_legal(mv)) else { break };
            position = position.after(mv);
            pv.push(mv);
            at = first + best as u32;
        }
        pv
    }
}

impl RootState {
    /// The moves from this root to the current position of `game`, if the tree can be reused there.
    fn moves_to(&self, game: &Game, conditions: &Conditions) -> Option<Vec<Move>> {
        if self.conditions != *conditions {
            return None;
        }
        let len = game.positions().len();
        let plies = (0..=REUSED_PLIES.min(len - 1))
            .find(|&plies| game.positions()[len - 1 - plies] == self.position)?;
        // A tree of some of the moves is no tree of all moves one ply later.
        let moves = &game.moves()[len - 1 - plies..];
        (plies == 0 || conditions.moves.is_empty()).then(|| moves.to_vec())
    }
}

/// The best of these children: a proven win, the shortest first; then the most visited that is not a proven loss; of proven
/// losses the longest.
pub(super) fn best_child(children: &[Slot]) -> Option<usize> {
    ranked(children).first().copied()
}

/// The children from the best to the worst.
pub(super) fn ranked(children: &[Slot]) -> Vec<usize> {
    let rank = |child: &Slot| {
        let bounds = child.bounds();
        let (class, distance) = match bounds.proven() {
            Some(Outcome::Win) => (2, -i32::from(bounds.plies) - if bounds.is_tablebase { 2_000 } else { 0 }),
            Some(Outcome::Loss) => (0, i32::from(bounds.plies) + if bounds.is_tablebase { 2_000 } else { 0 }),
            _ => (1, 0),
        };
        let mean = (child.mean().unwrap_or(-1.0) * 1e6) as i64;
        (class, distance, child.visits(), mean, (child.prior() * 1e6) as i64)
    };
    let mut order: Vec<usize> = (0..children.len()).collect();
    order.sort_by_cached_key(|&index| std::cmp::Reverse(rank(&children[index])));
    order
}
