//! Entering a node: draws, mate distance, table, evaluation; and what is done without a table move.

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

/// The score, if nothing has to be searched.
fn score_of(entered: &Entered<'_>) -> Option<Score> {
    match *entered {
        Entered::Known(score) => Some(score),
        Entered::Open(_) => None,
    }
}

fn node_of(entered: Entered<'_>) -> Node<'_> {
    match entered {
        Entered::Known(score) => panic!("there is nothing to search: {score}"),
        Entered::Open(node) => node,
    }
}

/// Enters a node that expects nothing.
fn enter<'p>(worker: &mut TestWorker, position: &'p Position, window: Window) -> Entered<'p> {
    worker.enter::<ScoutNode>(position, PLY, window, DEPTH, false).expect("nobody stops it")
}

#[test]
fn the_table_answers_where_it_knows_enough() {
    let calm = position(CALM);
    let window = Window::above(cp(100));
    let ask = |worker: &mut TestWorker, entry| {
        worker.shared.table.store(calm.key(), entry);
        score_of(&enter(worker, &calm, window))
    };
    let enough = known(cp(200), DEPTH, Bound::Lower);
    assert_switch(Technique::TableCutoff, &calm, |worker| ask(worker, enough), Some(cp(200)), None);

    let ask = |entry| ask(&mut worker(&calm, all()), entry);
    assert_eq!(ask(known(cp(50), DEPTH, Bound::Upper)), Some(cp(50)));
    assert_eq!(ask(known(cp(50), DEPTH, Bound::Exact)), Some(cp(50)));
    assert_eq!(ask(known(cp(200), DEPTH - 1, Bound::Lower)), None, "too shallow");
    assert_eq!(ask(known(cp(100), DEPTH, Bound::Lower)), None, "a lower bound below beta");
    assert_eq!(ask(known(cp(101), DEPTH, Bound::Upper)), None, "an upper bound above alpha");
}

#[test]
fn the_table_is_not_believed_in_earnest_or_near_the_fifty_moves() {
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
    let in_pv = worker.enter::<PvNode>(&calm, PLY, window, DEPTH, false).expect("nobody stops it");
    assert!(node_of(in_pv).was_pv, "in a principal variation");
    worker.frame(PLY).excluded = Some(mv(&calm, "a3"));
    let asked = node_of(enter(&mut worker, &calm, window));
    assert!(asked.excluded.is_some() && asked.entry.is_none(), "the entry is about the move left out");
}

#[test]
fn the_move_of_the_table_is_taken() {
    let calm = position(CALM);
    let remembered = Some(mv(&calm, "h3"));
    let act = |worker: &mut TestWorker| {
        let entry = NewEntry { mv: remembered, ..known(cp(0), 0, Bound::Lower) };
        worker.shared.table.store(calm.key(), entry);
        node_of(enter(worker, &calm, Window::above(cp(100)))).table_move
    };
    assert_switch(Technique::TableMove, &calm, act, remembered, None);
}

#[test]
fn a_shorter_mate_leaves_nothing_to_find() {
    let calm = position(CALM);
    // A mate at the next ply is known already: none from here can be shorter.
    let winning = Window::above(Score::mate_at(PLY + 1));
    let act = |worker: &mut TestWorker| score_of(&enter(worker, &calm, winning)).is_some();
    assert_switch(Technique::MateDistance, &calm, act, true, false);
    // Being mated before this ply is the worst that the opponent can do.
    let losing = Window::above(Score::mated_at(PLY) - 1);
    let act = |worker: &mut TestWorker| score_of(&enter(worker, &calm, losing)).is_some();
    assert_switch(Technique::MateDistance, &calm, act, true, false);

    let mut worker = worker(&calm, all());
    assert!(score_of(&enter(&mut worker, &calm, Window::above(Score::mate_at(PLY + 3)))).is_none());
    assert!(score_of(&enter(&mut worker, &calm, Window::above(Score::mated_at(PLY + 2)))).is_none());
    let root = Window::above(Score::mate_at(1));
    let entered = worker.enter::<RootNode>(&calm, 0, root, DEPTH, false).expect("nobody stops it");
    assert!(score_of(&entered).is_none(), "the root needs a move");
}

#[test]
fn draws_are_seen_but_not_at_the_root() {
    let fifty = position(&CALM.replace(" 0 1", " 100 80"));
    let mut worker = worker(&fifty, all());
    let window = Window::above(cp(100));
    assert!(score_of(&enter(&mut worker, &fifty, window)).is_some_and(|score| score.value().abs() <= 1));
    let entered = worker.enter::<RootNode>(&fifty, 0, window, DEPTH, false).expect("nobody stops it");
    assert!(score_of(&entered).is_none());
    // Mate with the hundredth move counts.
    let mated = position("R3k3/8/4K3/8/8/8/8/8 b - - 100 80");
    assert!(score_of(&enter(&mut worker, &mated, window)).is_none());
}

#[test]
fn the_evaluation_is_corrected_by_what_searches_found() {
    let calm = position(CALM);
    let evals = |worker: &mut TestWorker| {
        for _ in 0..50 {
            worker.histories.learn_correction(&calm, 8, cp(300), cp(0));
        }
        let node = node_of(enter(worker, &calm, Window::above(cp(0))));
        (node.raw_eval, node.static_eval, node.eval)
    };
    let (raw, corrected, sharpened) = evals(&mut worker(&calm, all()));
    assert_eq!(raw, Some(cp(0)), "what the table keeps is not corrected twice");
    assert!(corrected > raw && Some(sharpened) == corrected);
    assert_eq!(evals(&mut worker(&calm, off(Technique::Correction))), (raw, raw, cp(0)));
}

#[test]
fn in_check_there_is_no_evaluation_and_the_last_one_stands_for_it() {
    let check = position(IN_CHECK);
    let mut worker = worker(&check, all());
    worker.frame(PLY - 2).eval = Some(cp(77));
    let node = node_of(enter(&mut worker, &check, Window::above(cp(0))));
    assert_eq!((node.raw_eval, node.static_eval, node.eval), (None, None, cp(77)));
    assert!(!node.is_improving);
}

#[test]
fn improving_is_against_the_last_evaluation_of_the_same_side() {
    let calm = position(CALM);
    let improving = |two: Option<i32>, four: Option<i32>| {
        let mut worker = worker(&calm, all());
        worker.frame(PLY - 2).eval = two.map(cp);
        worker.frame(PLY - 4).eval = four.map(cp);
        node_of(enter(&mut worker, &calm, Window::above(cp(0)))).is_improving
    };
    assert!(improving(Some(-1), Some(1)) && !improving(Some(0), Some(-1)));
    assert!(improving(None, Some(-1)) && !improving(None, Some(0)), "it was in check two plies ago");
    assert!(improving(None, None), "nothing is known");

    let mut worker = worker(&calm, all());
    worker.frame(PLY - 2).eval = Some(cp(500));
    assert!(
        node_of(enter(&mut worker, &calm, Window::above(cp(-1)))).is_improving,
        "at beta it needs no more"
    );
}

#[test]
fn a_reduced_move_that_lost_is_reduced_further() {
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
    assert_eq!(after(1, lost, deep()), DEPTH, "it was hardly reduced");
    assert_eq!(after(2, lost.map(|lost| lost - 1), deep()), DEPTH, "it lost little");
    assert_eq!(after(2, None, deep()), DEPTH, "what it lost is not known");
    assert_eq!(after(2, lost, Node { static_eval: None, ..deep() }), DEPTH, "in check");
    assert_eq!(after(2, lost, Node { depth: 1, ..deep() }), 1, "one ply is left");
    let excluded = Some(mv(&calm, "a3"));
    assert_eq!(after(2, lost, Node { excluded, ..deep() }), DEPTH, "it is asked about a move");
}

#[test]
fn without_a_table_move_less_is_searched() {
    let calm = position(CALM);
    let depth = params::iir_min_depth();
    let cut = || Node { depth, is_cut: true, ..scout(&calm) };
    let after = |worker: &TestWorker, mut node: Node<'_>| {
        worker.reduce_without_table_move(&mut node);
        node.depth
    };
    assert_switch(Technique::InternalReduction, &calm, |worker| after(worker, cut()), depth - 1, depth);

    let worker = worker(&calm, all());
    let after = |node| after(&worker, node);
    assert_eq!(after(Node { is_cut: false, is_pv: true, ..cut() }), depth - 1);
    assert_eq!(after(Node { is_cut: false, ..cut() }), depth, "where no cut-off is expected");
    assert_eq!(after(Node { table_move: Some(mv(&calm, "a3")), ..cut() }), depth, "there is one");
    assert_eq!(after(Node { excluded: Some(mv(&calm, "a3")), ..cut() }), depth, "it is left out on purpose");
    assert_eq!(after(Node { depth: depth - 1, ..cut() }), depth - 1, "near the leaves");
}
