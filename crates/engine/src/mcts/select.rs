//! Selection: which child a descent visits next. PUCT with a policy, UCB1 without one.
//!
//! It knows the statistics of a node and its children, nothing of chess.

use super::proof::{Bounds, Outcome};
use super::slot::Slot;
use crate::params::{self, fraction};
use crate::technique::{Technique, TechniqueSet};

/// How children are selected.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Rule {
    /// PUCT: value, prior and visits.
    Puct(Puct),
    /// UCB1: value and visits. Every child is visited once before any is visited twice.
    Ucb1,
}

/// The parts of PUCT that can be switched off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Puct {
    grows_with_visits: bool,
    grows_with_spread: bool,
    has_urgency: bool,
}

impl Puct {
    /// PUCT with the techniques that are on.
    pub(super) fn new(techniques: &impl TechniqueSet) -> Self {
        Self {
            grows_with_visits: techniques.has(Technique::ExplorationGrowth),
            grows_with_spread: techniques.has(Technique::ValueSpread),
            has_urgency: techniques.has(Technique::FirstPlayUrgency),
        }
    }

    /// The exploration constant at a node: it grows with the logarithm of the visits and with the spread of the values.
    fn exploration(self, node: &Slot, is_root: bool) -> f64 {
        let visits = f64::from(node.visits());
        let mut exploration = fraction(match is_root {
            true => params::mcts_root_exploration_weight(),
            false => params::mcts_exploration_weight(),
        });
        if self.grows_with_visits {
            let base = f64::from(params::mcts_exploration_base());
            exploration *= 1.0 + ((visits + base) / base).ln();
        }
        if self.grows_with_spread && visits > 1.0 {
            // After few visits the spread is unknown and taken as the usual one.
            let relative = node.spread() / fraction(params::mcts_spread_scale_weight());
            let known = 1.0 - 1.0 / (1.0 + visits / f64::from(params::mcts_spread_visits()));
            let factor = 1.0 + known * (relative - 1.0);
            exploration *= 1.0 + fraction(params::mcts_spread_weight()) * (factor - 1.0);
        }
        exploration
    }

    /// First-play urgency: the value of an unvisited child. It is that of the node, less a reduction that grows with the
    /// share of the policy already visited.
    fn urgency(self, node: &Slot, visited_policy: f64) -> f64 {
        let value = node.mean().map_or(0.0, |mean| -mean);
        if self.has_urgency {
            value - fraction(params::mcts_fpu_weight()) * visited_policy.sqrt()
        } else {
            value
        }
    }
}

/// The value of a child for the side that chooses: the proven one, or the mean, where unfinished visits count as losses.
fn value_of(child: &Slot, bounds: Bounds, draw: f64) -> f64 {
    match bounds.proven() {
        Some(Outcome::Win) => return 1.0,
        Some(Outcome::Draw) => return draw,
        Some(Outcome::Loss) => return -1.0,
        None => {}
    }
    let (visits, virtual_visits) = (f64::from(child.visits()), f64::from(child.in_flight()));
    let lost = virtual_visits * fraction(params::mcts_virtual_loss_weight());
    (child.value_sum() - lost) / (visits + lost).max(1.0)
}

impl Rule {
    // ANCHOR: select
    /// The child that a descent visits next. `draw` is the value of a draw for the side to move. Proven losses, and at
    /// the root proven wins, are visited only if there is nothing else. The children are in the order of their priors, so
    /// that the first unvisited child is the best of all unvisited ones, and the rest need not be read.
    pub(super) fn select(self, node: &Slot, children: &[Slot], is_root: bool, draw: f64) -> Option<usize> {
        let visits = f64::from(node.visits() + node.in_flight()).max(1.0);
        let scale = match self {
            Self::Puct(puct) => puct.exploration(node, is_root) * visits.sqrt(),
            Self::Ucb1 => fraction(params::uct_exploration_weight()),
        };
        let log_visits = visits.ln();
        let mut best: Option<(usize, f64)> = None;
        let mut visited_policy = 0.0;
        for (index, child) in children.iter().enumerate() {
            let count = f64::from(child.visits() + child.in_flight());
            let prior = f64::from(child.prior());
            if count == 0.0 {
                let score = match self {
                    Self::Puct(puct) => puct.urgency(node, visited_policy) + scale * prior,
                    Self::Ucb1 => f64::INFINITY,
                };
                if best.is_none_or(|(_, highest)| score > highest) {
                    best = Some((index, score));
                }
                break;
            }
            visited_policy += prior;
            let bounds = child.bounds();
            // A search that goes on although the root has a won move is one for other lines.
            if bounds.is(Outcome::Loss) || is_root && bounds.is(Outcome::Win) {
                continue;
            }
            let exploration = match self {
                Self::Puct(_) => scale * prior / (1.0 + count),
                Self::Ucb1 => scale * (log_visits / count).sqrt(),
            };
            let score = value_of(child, bounds, draw) + exploration;
            if best.is_none_or(|(_, highest)| score > highest) {
                best = Some((index, score));
            }
        }
        best.map(|(index, _)| index).or((!children.is_empty()).then_some(0))
    }
    // ANCHOR_END: select
}
