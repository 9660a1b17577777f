//! Tests of candidates: node pruning and move pruning.

use super::super::node::{Node, Window};
use super::fixture::{
    CALM, TestWorker, assert_switch, candidate, cp, entry, mv, only, position, scout, worker,
};
use crate::api::Bound;
use crate::histories::Context;
use crate::params;
use crate::technique::{Technique, TechniqueOverrides};

/// A white knight can take a rook.
const HANGING_ROOK: &str = "4k3/ppp2ppp/8/3r4/8/2N5/PPP3PP/4K3 w - - 0 1";

#[test]
fn the_search_after_a_null_move_is_reduced_more() {
    let calm = position(CALM);
    let node = Node { depth: 9, window: Window::above(cp(-101)), ..scout(&calm) };
    let mut child = calm.clone();
    child.make_null();
    let depth = |techniques| {
        let mut worker = worker(&calm, techniques);
        assert!(worker.null_move(&node).is_ok_and(|score| score.is_some()));
        worker.shared.table.probe(child.key()).expect("the child was searched").depth
    };
    let both = TechniqueOverrides::only(&[Technique::NullMove, Technique::NullReduction]);
    assert_eq!(depth(only(Technique::NullMove)) - depth(both), params::null_extra_weight() / params::PLY);
}

#[test]
fn probcut_is_guarded() {
    let hanging = position(HANGING_ROOK);
    let depth = params::probcut_min_depth();
    let (balance, goal) = (cp(-200), cp(100));
    let beta = goal - params::probcut_margin();
    let plain = Node { depth, window: Window::above(beta - 1), eval: balance, ..scout(&hanging) };
    let near = Node { eval: beta, ..plain };
    let confirmed = Node { entry: Some(entry(goal, 0, Bound::Lower)), ..plain };
    let refuted = Node { entry: Some(entry(goal, 0, Bound::Upper)), ..plain };
    for (node, is_tried) in [(&plain, false), (&refuted, false), (&near, true), (&confirmed, true)] {
        let act = |worker: &mut TestWorker| worker.probcut(node).is_ok_and(|score| score.is_some());
        assert_switch(Technique::ProbcutGuard, &hanging, act, is_tried, true);
    }
}

#[test]
fn the_depth_of_probcut_falls_with_the_evaluation_above_beta() {
    let calm = position(CALM);
    let full = 10 - params::probcut_reduction();
    let margin = params::probcut_depth_margin();
    for (above, less) in [(-3 * margin, 0), (0, 0), (2 * margin, 2), (100 * margin, full)] {
        let window = Window::above(cp(-1));
        let node = Node { depth: 10, window, eval: window.beta + above, ..scout(&calm) };
        let act = |worker: &mut TestWorker| worker.probcut_depth(&node);
        assert_switch(Technique::ProbcutDepth, &calm, act, full - less, full);
    }
}

#[test]
fn history_changes_the_futility_margin() {
    let calm = position(CALM);
    let quiet = mv(&calm, "a3");
    let taught = |worker: &mut TestWorker, bonus: i32| {
        for _ in 0..100 {
            worker.histories.learn_quiet(&calm, quiet, &Context::default(), bonus);
        }
    };
    for (bonus, change) in [(1000, 1), (0, 0), (-1000, -1)] {
        // The least distance of the evaluation below alpha at which the move is pruned.
        let act = |worker: &mut TestWorker| {
            let least = |worker: &mut TestWorker| {
                let is_futile = |gap: &i32| {
                    let node = Node { eval: cp(-gap), ..scout(&calm) };
                    worker.is_futile(&node, &candidate(quiet, 2), 1, cp(0))
                };
                (0..5000).find(is_futile).expect("far below alpha quiet moves are futile")
            };
            let before = least(worker);
            taught(worker, bonus);
            (least(worker) - before).signum()
        };
        assert_switch(Technique::HistoryFutility, &calm, act, change, 0);
    }
}
