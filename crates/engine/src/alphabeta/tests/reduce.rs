//! Late move reductions.

use rukh_chess::{Move, Position};

use super::super::node::Node;
use super::fixture::{CALM, PLY, TestWorker, all, assert_switch, mv, position, scout, turn, worker};
use crate::histories::Context;
use crate::params;
use crate::technique::Technique;

fn deep(position: &Position) -> Node<'_> {
    Node { depth: 8, is_improving: true, ..scout(position) }
}

/// The reductions of a move at all places where it may stand: a reason of less than a ply shows at some of them.
fn sum(worker: &mut TestWorker, node: &Node<'_>, mv: Move) -> i32 {
    let child = node.position.after(mv);
    (2..64).filter_map(|number| worker.reduction(node, &turn(mv, number), &child)).sum()
}

#[test]
fn late_moves_are_reduced() {
    let calm = position(CALM);
    let quiet = mv(&calm, "a3");
    let child = calm.after(quiet);
    let node = deep(&calm);
    let is_reduced = |worker: &mut TestWorker| {
        worker.reduction(&node, &turn(quiet, 30), &child).is_some_and(|plies| plies > 0)
    };
    assert_switch(Technique::LateMoveReductions, &calm, is_reduced, true, false);

    let mut worker = worker(&calm, all());
    let mut is_asked =
        |node: &Node<'_>, number| worker.reduction(node, &turn(quiet, number), &child).is_some();
    assert!(is_asked(&node, 2) && !is_asked(&node, 1), "the first move is searched in full");
    let pv = Node { is_pv: true, ..deep(&calm) };
    assert!(is_asked(&pv, 3) && !is_asked(&pv, 2), "in a principal variation the second as well");
    let least = params::lmr_min_depth();
    assert!(is_asked(&Node { depth: least, ..deep(&calm) }, 30));
    assert!(!is_asked(&Node { depth: least - 1, ..deep(&calm) }, 30), "there is nothing to take off");
}

#[test]
fn a_reduction_grows_with_number_and_depth() {
    let calm = position(CALM);
    let quiet = mv(&calm, "a3");
    let child = calm.after(quiet);
    let mut worker = worker(&calm, all());
    let mut plies = |depth, number| {
        let node = Node { depth, ..deep(&calm) };
        worker.reduction(&node, &turn(quiet, number), &child).expect("it is late enough")
    };
    assert!(plies(10, 40) > plies(10, 4));
    assert!(plies(20, 20) > plies(4, 20));
    // Numbers and depths beyond the table are taken for its last.
    assert_eq!(plies(500, 500), plies(63, 63));
}

#[test]
fn a_reduction_is_never_negative() {
    let calm = position(CALM);
    let quiet = mv(&calm, "a3");
    let mut worker = worker(&calm, all());
    for _ in 0..100 {
        worker.histories.learn_quiet(&calm, quiet, &Context::default(), params::history_bonus_max());
    }
    let node = Node { was_pv: true, ..deep(&calm) };
    assert_eq!(worker.reduction(&node, &turn(quiet, 2), &calm.after(quiet)), Some(0));
}

#[test]
fn every_reason_counts() {
    let calm = position(CALM);
    let quiet = mv(&calm, "a3");
    let mut worker = worker(&calm, all());
    let plain = sum(&mut worker, &deep(&calm), quiet);
    assert!(sum(&mut worker, &Node { is_cut: true, ..deep(&calm) }, quiet) > plain);
    assert!(sum(&mut worker, &Node { is_improving: false, ..deep(&calm) }, quiet) > plain);
    assert!(sum(&mut worker, &Node { was_pv: true, ..deep(&calm) }, quiet) < plain);
    worker.frame(PLY + 1).cutoffs = 4;
    assert!(sum(&mut worker, &deep(&calm), quiet) > plain);
}

#[test]
fn a_capture_from_the_table_makes_the_others_less_likely() {
    let board = position("4k3/ppp2ppp/8/3r4/8/2N5/PPP3PP/4K3 w - - 0 1");
    let mut worker = worker(&board, all());
    let sum_with = |worker: &mut TestWorker, table_move| {
        let node = Node { table_move: Some(mv(&board, table_move)), ..deep(&board) };
        sum(worker, &node, mv(&board, "a3"))
    };
    assert!(sum_with(&mut worker, "Nxd5") > sum_with(&mut worker, "Nb5"));
}

#[test]
fn a_check_is_reduced_less() {
    let board = position("3k4/ppp2ppp/4p3/8/8/4P3/PPP2PPP/R3K3 w - - 0 1");
    let mut worker = worker(&board, all());
    let check = sum(&mut worker, &deep(&board), mv(&board, "Rd1"));
    assert!(check < sum(&mut worker, &deep(&board), mv(&board, "Rb1")));
}

#[test]
fn what_was_good_elsewhere_is_reduced_less_and_what_was_bad_more() {
    let board = position("4k3/ppp2ppp/8/3r4/8/2N5/PPP3PP/4K3 w - - 0 1");
    let (quiet, capture) = (mv(&board, "a3"), mv(&board, "Nxd5"));
    let sums = |bonus: i32| {
        let mut worker = worker(&board, all());
        for _ in 0..20 {
            worker.histories.learn_quiet(&board, quiet, &Context::default(), bonus);
            worker.histories.learn_capture(&board, capture, bonus);
        }
        (sum(&mut worker, &deep(&board), quiet), sum(&mut worker, &deep(&board), capture))
    };
    let (good, unknown, bad) = (sums(1000), sums(0), sums(-1000));
    assert!(good.0 < unknown.0 && unknown.0 < bad.0);
    assert!(good.1 < unknown.1 && unknown.1 < bad.1);
}
