//! Search control: when a tree search ends. Limits of all kinds, and the move that can no longer be overtaken.
//!
//! It reads the root of the tree and the clock, and changes neither.

use std::sync::atomic::Ordering;

use super::arena::ROOT;
use super::proof::Outcome;
use super::tree::{Tree, ranked};
use crate::clock::TimePlan;
use crate::params::{self, fraction};
use crate::search::SharedState;

/// The progress of one thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Counters {
    /// Evaluated leaves.
    pub(super) nodes: u64,
    /// Descents, those to known values included.
    pub(super) descents: u64,
    /// The sum of the plies of all descents.
    pub(super) plies: u64,
    /// The greatest ply.
    pub(super) seldepth: usize,
}

impl Counters {
    /// The depth: the mean ply of the descents, at least 1.
    pub(super) fn depth(&self) -> u32 {
        (self.plies / self.descents.max(1)).max(1) as u32
    }
}

/// Descents to known values that count as one node, so that a node limit ends a search that has nothing left to evaluate.
const DESCENTS_PER_NODE: u64 = 16;

/// The time limits of leaf searches. A leaf near the root is a long search: it ends where the tree search would end, at the
/// soft limit of a move that is not settled. At the hard limit alone it would spend several times the share of a move on a
/// slow machine, move after move, until the clock is so low that a pause of the machine loses the game.
pub(super) fn leaf_plan(shared: &SharedState) -> Option<TimePlan> {
    match shared.limits.is_infinite {
        true => shared.plan,
        false => shared.plan.map(|plan| plan.ending_at_soft(unsettled_factor())),
    }
}

/// The factor on the soft limit while the most visited move is not the best by value.
fn unsettled_factor() -> f64 {
    fraction(params::mcts_time_unsettled_weight())
}

/// Decides when a search ends.
pub(super) struct Control<'s> {
    pub(super) tree: &'s Tree,
    pub(super) shared: &'s SharedState,
    /// Visits of the root when the search began.
    pub(super) visits_before: u32,
    /// Whether there is a single root move.
    pub(super) is_forced: bool,
    /// The number of lines that are reported, at most that of the root moves.
    pub(super) lines: usize,
}

impl Control<'_> {
    /// Whether the search ends now. Only thread 0 asks.
    pub(super) fn is_over(&self, counters: &Counters) -> bool {
        // There must be a move to play: two visits are the root and a child.
        if self.tree.slot(ROOT).visits() < 2 {
            return false;
        }
        self.shared.signals.must_end()
            || self.is_out_of_nodes(counters)
            || self.is_deep_enough(counters)
            || self.is_proven()
            || self.is_out_of_time()
    }

    fn node_limit(&self) -> Option<u64> {
        let limits = &self.shared.limits;
        limits.nodes.into_iter().chain(limits.soft_nodes).min()
    }

    /// The number of leaves that a thread may evaluate next, at most `wanted`: all threads together stay within the node
    /// limit. The first two are always granted, because there must be a move to play.
    pub(super) fn grant_leaves(&self, wanted: usize) -> usize {
        /// The root and a child.
        const LEAST: u64 = 2;
        let Some(limit) = self.node_limit() else { return wanted };
        let share = |granted: u64| (wanted as u64).min(limit.max(LEAST).saturating_sub(granted));
        let grant = |granted: u64| Some(granted + share(granted));
        let before = self.shared.granted_nodes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, grant);
        share(before.unwrap_or_default()) as usize
    }

    /// Takes back leaves that were granted and not evaluated.
    pub(super) fn return_leaves(&self, count: usize) {
        if self.node_limit().is_some() {
            self.shared.granted_nodes.fetch_sub(count as u64, Ordering::Relaxed);
        }
    }

    /// Whether the node limit is reached.
    pub(super) fn is_out_of_nodes(&self, counters: &Counters) -> bool {
        let Some(limit) = self.node_limit() else { return false };
        self.shared.all_nodes() >= limit || counters.descents / DESCENTS_PER_NODE >= limit
    }

    fn is_deep_enough(&self, counters: &Counters) -> bool {
        // In a tree that is nearly solved the mean depth no longer grows.
        const MAX_DESCENTS: u64 = 20_000_000;
        let limit = self.shared.limits.depth;
        limit.is_some_and(|depth| {
            let has_many = counters.descents >= u64::from(depth.max(1));
            has_many && (counters.depth() >= depth.max(1) || counters.descents > MAX_DESCENTS)
        })
    }

    /// Whether a win is proven for every line that is reported, or there is nothing left to prove. With `go mate` only mates
    /// that are short enough are proven.
    fn is_proven(&self) -> bool {
        let children = self.tree.root_children();
        let wins = children.iter().filter(|child| child.bounds().is(Outcome::Win)).count();
        let is_root_proven = self.lines == 1 && self.tree.slot(ROOT).bounds().proven().is_some();
        wins >= self.lines
            || is_root_proven
            || !children.is_empty() && children.iter().all(|child| child.bounds().proven().is_some())
    }

    fn is_out_of_time(&self) -> bool {
        let Some(plan) = self.shared.plan else { return false };
        if self.shared.is_out_of_time() {
            return true;
        }
        if self.shared.signals.is_pondering() {
            return false;
        }
        if plan.is_fixed || self.shared.limits.is_infinite {
            return false;
        }
        self.is_forced || self.is_settled(plan)
    }

    /// Whether the soft limit is reached, or the most visited move cannot be overtaken before it.
    fn is_settled(&self, plan: TimePlan) -> bool {
        let children = self.tree.root_children();
        let order = ranked(children);
        let (Some(&first), Some(&second)) = (order.first(), order.get(1)) else { return false };
        let mean = |index: usize| children[index].mean().unwrap_or(-1.0);
        let has_best_value =
            order.iter().all(|&index| mean(index) <= mean(first) || children[index].visits() < 2);
        let factor = if has_best_value { 1.0 } else { unsettled_factor() };
        let limit = plan.soft_scaled(factor);
        let elapsed = self.shared.elapsed();
        if elapsed >= limit {
            return true;
        }
        let new_visits = self.tree.slot(ROOT).visits().saturating_sub(self.visits_before);
        let rate = f64::from(new_visits) / elapsed.as_secs_f64().max(1e-6);
        let left = rate * (limit - elapsed).as_secs_f64();
        let lead = children[first].visits().saturating_sub(children[second].visits());
        new_visits >= params::mcts_rate_visits() as u32 && f64::from(lead) > left
    }

    /// The share of the budget that is spent, for sequential halving, when so many leaves are in flight; `None` without a
    /// budget.
    pub(super) fn spent(&self, in_flight: u64) -> Option<f64> {
        let nodes = self.shared.all_nodes() + in_flight;
        let by_nodes = self.node_limit().map(|limit| nodes as f64 / limit.max(1) as f64);
        let by_time = self.shared.plan.map(|plan| self.shared.elapsed().div_duration_f64(plan.soft));
        by_nodes.into_iter().chain(by_time).reduce(f64::max)
    }
}
