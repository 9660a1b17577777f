//! Root target: what a finished search teaches about its root, a policy over the legal moves and WDL.
//!
//! It reads the root and its children. How the policy was searched is known by [`RootPolicy`] alone.

use rukh_chess::Move;

use super::arena::ROOT;
use super::proof::Outcome;
use super::slot::Slot;
use super::tree::{Tree, ranked};
use crate::params::{self, fraction};

/// How the policy target is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RootPolicy {
    /// The shares of the visits, for PUCT.
    Visits,
    /// The improved policy of completed Q-values, for a Gumbel root.
    Improved,
}

/// A root move after a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TargetMove {
    /// The move.
    pub mv: Move,
    /// Its visits.
    pub visits: u32,
    /// Its prior probability, noise included.
    pub prior: f32,
    /// Its share of the policy target; all add up to 1.
    pub target: f64,
}

/// What a search teaches about its root.
#[derive(Clone, PartialEq, Debug)]
pub struct RootTarget {
    /// All legal moves, in the order of their priors.
    pub moves: Vec<TargetMove>,
    /// WDL of the side to move: the mean of the visited moves, weighted by the policy target.
    pub wdl: [f64; 3],
    /// Whether the result is proven.
    pub is_proven: bool,
}

/// What the last search of a tree teaches about its root; `None` if there was none.
pub(crate) fn root_target(tree: &Tree, policy: RootPolicy) -> Option<RootTarget> {
    RootTarget::new(tree.slot(ROOT), tree.root_children(), policy)
}

impl RootTarget {
    /// The target of a root with these children; `None` before a child is visited.
    pub(super) fn new(root: &Slot, children: &[Slot], policy: RootPolicy) -> Option<Self> {
        if children.iter().all(|child| child.visits() == 0) {
            return None;
        }
        let shares = match (decided(children), policy) {
            (Some(best), _) => (0..children.len()).map(|at| f64::from(u8::from(at == best))).collect(),
            (None, RootPolicy::Visits) => visit_shares(children),
            (None, RootPolicy::Improved) => improved_policy(children, own_value(root, children)),
        };
        let wdl = mean_wdl(children, &shares);
        let is_proven =
            root.bounds().proven().is_some() || children.iter().any(|child| is(child, Outcome::Win));
        let moves = children.iter().zip(shares).filter_map(|(child, target)| {
            Some(TargetMove { mv: child.mv()?, visits: child.visits(), prior: child.prior(), target })
        });
        Some(Self { moves: moves.collect(), wdl, is_proven })
    }
}

fn is(child: &Slot, outcome: Outcome) -> bool {
    child.bounds().is(outcome)
}

/// The move that gets everything: the shortest proven win or, where all moves are proven to lose, the longest loss.
fn decided(children: &[Slot]) -> Option<usize> {
    let has_win = children.iter().any(|child| is(child, Outcome::Win));
    let is_lost = children.iter().all(|child| is(child, Outcome::Loss));
    ranked(children).first().copied().filter(|_| has_win || is_lost)
}

/// The shares of the visits. Proven losses have none.
fn visit_shares(children: &[Slot]) -> Vec<f64> {
    let visits = |child: &Slot| if is(child, Outcome::Loss) { 0.0 } else { f64::from(child.visits()) };
    let sum: f64 = children.iter().map(visits).sum();
    if sum == 0.0 {
        // All visited moves lose: what is left has not been looked at.
        let open: f64 = children.iter().filter(|child| !is(child, Outcome::Loss)).map(prior).sum();
        return children
            .iter()
            .map(|child| if is(child, Outcome::Loss) { 0.0 } else { prior(child) / open })
            .collect();
    }
    children.iter().map(|child| visits(child) / sum).collect()
}

/// The improved policy (Danihelka et al. 2022): the softmax of the logits of the priors plus the weighted Q-values, where a
/// move without visits has the mixed value of the root. Proven losses have nothing.
fn improved_policy(children: &[Slot], own_value: f64) -> Vec<f64> {
    let most = children.iter().map(Slot::visits).max().unwrap_or(0);
    let scale = value_scale(most);
    let mixed = mixed_value(children, own_value);
    let logit = |child: &Slot| match is(child, Outcome::Loss) {
        true => f64::NEG_INFINITY,
        false => prior(child).ln() + scale * (value(child).unwrap_or(mixed) + 1.0) / 2.0,
    };
    let logits: Vec<f64> = children.iter().map(logit).collect();
    let greatest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logits.iter().map(|logit| (logit - greatest).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// The weight of values from 0 to 1 against logits when the most visited move has so many visits.
pub(super) fn value_scale(most_visits: u32) -> f64 {
    (f64::from(params::gumbel_visit_offset()) + f64::from(most_visits))
        * fraction(params::gumbel_value_weight())
}

/// The value of the moves without visits: the own value of the root and, by the number of visits, the mean of the visited
/// moves by their priors.
fn mixed_value(children: &[Slot], own_value: f64) -> f64 {
    let visits: f64 = children.iter().map(|child| f64::from(child.visits())).sum();
    let visited = || children.iter().filter_map(|child| Some((prior(child), value(child)?)));
    let weight: f64 = visited().map(|(prior, _)| prior).sum();
    let mean = visited().map(|(prior, value)| prior * value).sum::<f64>() / weight.max(f64::MIN_POSITIVE);
    (own_value + visits * mean) / (1.0 + visits)
}

/// The value that the root itself was given as a leaf, for the side to move: what its sum has beside those of its children.
fn own_value(root: &Slot, children: &[Slot]) -> f64 {
    let visits: u32 = children.iter().map(Slot::visits).sum();
    if root.visits() != visits + 1 {
        return root.mean().map_or(0.0, |mean| -mean);
    }
    let below: f64 = children.iter().map(Slot::value_sum).sum();
    (-root.value_sum() - below).clamp(-1.0, 1.0)
}

fn prior(child: &Slot) -> f64 {
    f64::from(child.prior().max(f32::EPSILON))
}

/// The value of a visited or proven child for the side that moves.
fn value(child: &Slot) -> Option<f64> {
    match child.bounds().proven() {
        Some(Outcome::Win) => Some(1.0),
        Some(Outcome::Draw) => Some(0.0),
        Some(Outcome::Loss) => Some(-1.0),
        None => child.mean(),
    }
}

/// WDL of a visited or proven child for the side that moves.
pub(super) fn wdl(child: &Slot) -> [f64; 3] {
    match child.bounds().proven() {
        Some(Outcome::Win) => [1.0, 0.0, 0.0],
        Some(Outcome::Draw) => [0.0, 1.0, 0.0],
        Some(Outcome::Loss) => [0.0, 0.0, 1.0],
        None => {
            let (mean, draw) = (child.mean().unwrap_or(0.0), f64::from(child.draw()));
            let decided = (1.0 - draw).clamp(0.0, 1.0);
            let mean = mean.clamp(-decided, decided);
            [(decided + mean) / 2.0, 1.0 - decided, (decided - mean) / 2.0]
        }
    }
}

/// The mean WDL of the visited children by these weights; by their visits where they have no weight.
fn mean_wdl(children: &[Slot], weights: &[f64]) -> [f64; 3] {
    let by = |weight: &dyn Fn(usize) -> f64| {
        let mut sums = [0.0; 4];
        for (at, child) in children.iter().enumerate().filter(|(_, child)| value(child).is_some()) {
            let weight = weight(at);
            let parts = wdl(child);
            (0..3).for_each(|part| sums[part] += weight * parts[part]);
            sums[3] += weight;
        }
        let [win, draw, loss, all] = sums;
        (all > 0.0).then(|| [win / all, draw / all, loss / all])
    };
    let by_weights = by(&|at| weights[at]);
    by_weights.or_else(|| by(&|at| f64::from(children[at].visits()))).unwrap_or([0.0, 1.0, 0.0])
}
