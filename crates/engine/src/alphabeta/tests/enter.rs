//! Tests of node entry: draws, mate distance pruning, transposition table, static evaluation; and of IIR and hindsight.

use rukh_chess::Position;
use rukh_eval::Score;

use super::super::enter::Entered;
use super::super::node::{Node, Window};
use super::super::worker::{PvNode, RootNode, ScoutNode};
use super::fixture::{
    CALM, IN_CHECK, PLY, TestWorker, all, assert_switch, cp, known, mv, off, position, scout, worker,
};
use crate::api::Bound;
use crate::params;
use crate::technique::Technique;
use crate::transposition::NewEntry;

const DEPTH: i32 = 6;

/// The score, if the node needs no search.
fn score_of(entered: &Entered<'_>) -> Option<Score> {
    match *entered {
        Entered::Known(score) => Some(score),
        Entered::Open(_) => None,
    }
}

fn node_of(entered: Entered<'_>) -> Node<'_> {
    match entered {
        Entered::Known(score) => panic!("the node is decided: {score}"),
        Entered::Open(node) => node,
    }
}

/// Enters a non-PV node that is no expected cut-node.
fn enter<'p>(worker: &mut TestWorker, position: &'p Position, window: Window) -> Entered<'p> {
    worker.enter::<ScoutNode>(position, PLY, window, DEPTH, false).expect("the search is not stopped")
}

#[test]
fn a_deep_enough_entry_with_a_sufficient_bound_cuts_off() {
    let calm = position(CALM);
    let window = Window::above(cp(100));
    let score_with = |worker: &mut TestWorker, entry| {
        worker.shared.table.store(calm.key(), entry);
        score_of(&enter(worker, &calm, window))
    };
    let enough = known(cp(200), DEPTH, Bound::Lower);
    assert_switch(Technique::TableCutoff, &calm, |worker| score_with(worker, enough), Some(cp(200)), None);

    let score_with = |entry| score_with(&mut worker(&calm, all()), entry);
    assert_eq!(score_with(known(cp(50), DEPTH, Bound::Upper)), Some(cp(50)));
    assert_eq!(score_with(known(cp(50), DEPTH, Bound::Exact)), Some(cp(50)));
    assert_eq!(score_with(known(cp(200), DEPTH - 1, Bound::Lower)), None, "too shallow");
    assert_eq!(score_with(known(cp(100), DEPTH, Bound::Lower)), None, "a lower bound below beta");
    assert_eq!(score_with(known(cp(101), DEPTH, Bound::Upper)), None, "an upper bound above alpha");
}

#[test]
fn no_table_cutoff_in_pv_nodes_with_an_excluded_move_or_near_the_fifty_move_rule() {
    let at_clock = |clock| {
        let position = position(&CALM.replace(" 0 1", &format!(" {clock} 80")));
        let mut worker = worker(&position, all());
        worker.shared.table.store(position.key(), known(cp(200), DEPTH, Bound::Exact));
        score_of(&enter(&mut worker, &position, Window::above(cp(100))))
    };
    assert_eq!(at_clock(50), Some(cp(200)));
    assert_eq!(at_clock(95), None);

    let calm = position(CALM);
    let mut worker = worker(&calm, all());
    worker.shared.table.store(calm.key(), known(cp(200), DEPTH, Bound::Exact));
    let window = Window::above(cp(100));
    let in_pv = worker.enter::<PvNode>(&calm, PLY, window, DEPTH, false).expect("the search is not stopped");
    assert!(node_of(in_pv).was_pv, "in a PV node");
    worker.frame(PLY).excluded = Some(mv(&calm, "a3"));
    let singular = node_of(enter(&mut worker, &calm, window));
    assert!(singular.excluded.is_some() && singular.entry.is_none(), "the entry describes the excluded move");
}

#[test]
fn the_hash_move_comes_from_the_entry() {
    let calm = position(CALM);
    let stored = Some(mv(&calm, "h3"));
    let act = |worker: &mut TestWorker| {
        let entry = NewEntry { mv: stored, ..known(cp(0), 0, Bound::Lower) };
        worker.shared.table.store(calm.key(), entry);
        node_of(enter(worker, &calm, Window::above(cp(100)))).table_move
    };
    assert_switch(Technique::TableMove, &calm, act, stored, None);
}

#[test]
fn mate_distance_pruning_cuts_off_where_a_shorter_mate_is_known() {
    let calm = position(CALM);
    // A mate at the next ply is already known: none from here is shorter.
    let winning = Window::above(Score::mate_at(PLY + 1));
    let act = |worker: &mut TestWorker| score_of(&enter(worker, &calm, winning)).is_some();
    assert_switch(Technique::MateDistance, &calm, act, true, false);
    // No score is below being mated at this ply.
    let losing = Window::above(Score::mated_at(PLY) - 1);
    let act = |worker: &mut TestWorker| score_of(&enter(worker, &calm, losing)).is_some();
    assert_switch(Technique::MateDistance, &calm, act, true, false);

    let mut worker = worker(&calm, all());
    assert!(score_of(&enter(&mut worker, &calm, Window::above(Score::mate_at(PLY + 3)))).is_none());
    assert!(score_of(&enter(&mut worker, &calm, Window::above(Score::mated_at(PLY + 2)))).is_none());
    let root = Window::above(Score::mate_at(1));
    let entered = worker.enter::<RootNode>(&calm, 0, root, DEPTH, false).expect("the search is not stopped");
    assert!(score_of(&entered).is_none(), "the root always needs a move");
}

#[test]
fn draws_are_detected_except_at_the_root() {
    let fifty = position(&CALM.replace(" 0 1", " 100 80"));
    let mut worker = worker(&fifty, all());
    let window = Window::above(cp(100));
    assert!(score_of(&enter(&mut worker, &fifty, window)).is_some_and(|score| score.value().abs() <= 1));
    let entered =
        worker.enter::<RootNode>(&fifty, 0, window, DEPTH, false).expect("the search is not stopped");
    assert!(score_of(&entered).is_none());
    // Mate with the hundredth move counts.
    let mated = position("R3k3/8/4K3/8/8/8/8/8 b - - 100 80");
    assert!(score_of(&enter(&mut worker, &mated, window)).is_none());
}

#[test]
fn correction_history_changes_the_static_evaluation() {
    let calm = position(CALM);
    let evals = |worker: &mut TestWorker| {
        for _ in 0..50 {
            worker.histories.corrections.learn(&calm, 8, cp(300), cp(0));
        }
        let node = node_of(enter(worker, &calm, Window::above(cp(0))));
        (node.raw_eval, node.static_eval, node.eval)
    };
    let (raw, corrected, refined) = evals(&mut worker(&calm, all()));
    assert_eq!(raw, Some(cp(0)), "the stored evaluation is not corrected");
    assert!(corrected > raw && Some(refined) == corrected);
    assert_eq!(evals(&mut worker(&calm, off(Technique::Correction))), (raw, raw, cp(0)));
}

#[test]
fn in_check_the_evaluation_of_two_plies_ago_is_used() {
    let check = position(IN_CHECK);
    let mut worker = worker(&check, all());
    worker.frame(PLY - 2).eval = Some(cp(77));
    let node = node_of(enter(&mut worker, &check, Window::above(cp(0))));
    assert_eq!((node.raw_eval, node.static_eval, node.eval), (None, None, cp(77)));
    assert!(!node.is_improving);
}

#[test]
fn improving_compares_with_the_last_evaluation_of_the_same_side() {
    let calm = position(CALM);
    let improving = |two: Option<i32>, four: Option<i32>| {
        let mut worker = worker(&calm, all());
        worker.frame(PLY - 2).eval = two.map(cp);
        worker.frame(PLY - 4).eval = four.map(cp);
        node_of(enter(&mut worker, &calm, Window::above(cp(0)))).is_improving
    };
    assert!(improving(Some(-1), Some(1)) && !improving(Some(0), Some(-1)));
    assert!(
        improving(None, Some(-1)) && !improving(None, Some(0)),
        "in check two plies ago: four plies ago counts"
    );
    assert!(improving(None, None), "no earlier evaluation");

    let mut worker = worker(&calm, all());
    worker.frame(PLY - 2).eval = Some(cp(500));
    assert!(node_of(enter(&mut worker, &calm, Window::above(cp(-1)))).is_improving, "at least beta");
}

#[test]
fn hindsight_reduces_after_a_reduced_move_that_lost() {
    let calm = position(CALM);
    let deep = || Node { depth: DEPTH, ..scout(&calm) };
    let after = |worker: &mut TestWorker, reduction, theirs: Option<i32>, mut node: Node<'_>| {
        worker.frame(PLY - 1).reduction = reduction;
        worker.frame(PLY - 1).eval = theirs.map(cp);
        worker.reduce_in_hindsight(&mut node);
        node.depth
    };
    let lost = Some(params::hindsight_margin() + 1);
    let act = |worker: &mut TestWorker| after(worker, 2, lost, deep());
    assert_switch(Technique::Hindsight, &calm, act, DEPTH - 1, DEPTH);

    let mut worker = worker(&calm, all());
    let mut after = |reduction, theirs, node| after(&mut worker, reduction, theirs, node);
    assert_eq!(after(1, lost, deep()), DEPTH, "reduced too little");
    assert_eq!(after(2, lost.map(|lost| lost - 1), deep()), DEPTH, "lost too little");
    assert_eq!(after(2, None, deep()), DEPTH, "no previous evaluation");
    assert_eq!(after(2, lost, Node { static_eval: None, ..deep() }), DEPTH, "in check");
    assert_eq!(after(2, lost, Node { depth: 1, ..deep() }), 1, "one ply left");
    let excluded = Some(mv(&calm, "a3"));
    assert_eq!(after(2, lost, Node { excluded, ..deep() }), DEPTH, "with an excluded move");
}

#[test]
fn internal_iterative_reduction_without_a_hash_move() {
    let calm = position(CALM);
    let depth = params::iir_min_depth();
    let cut = || Node { depth, is_cut: true, ..scout(&calm) };
    let after = |worker: &mut TestWorker, mut node: Node<'_>| {
        worker.reduce_without_table_move(&mut node);
        node.depth
    };
    assert_switch(Technique::InternalReduction, &calm, |worker| after(worker, cut()), depth - 1, depth);

    let mut worker = worker(&calm, all());
    let mut after = |node| after(&mut worker, node);
    assert_eq!(after(Node { is_cut: false, is_pv: true, ..cut() }), depth - 1);
    assert_eq!(after(Node { is_cut: false, ..cut() }), depth, "neither PV node nor cut-node");
    assert_eq!(after(Node { table_move: Some(mv(&calm, "a3")), ..cut() }), depth, "there is a hash move");
    assert_eq!(after(Node { excluded: Some(mv(&calm, "a3")), ..cut() }), depth, "with an excluded move");
    assert_eq!(after(Node { depth: depth - 1, ..cut() }), depth - 1, "too shallow");
}
