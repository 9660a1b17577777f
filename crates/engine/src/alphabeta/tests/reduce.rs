//! Tests of late move reductions.

use rukh_chess::{Move, Position};

use super::super::node::Node;
use super::fixture::{CALM, PLY, TestWorker, all, assert_switch, candidate, mv, position, scout, worker};
use crate::histories::Context;
use crate::params;
use crate::technique::Technique;

fn deep(position: &Position) -> Node<'_> {
    Node { depth: 8, is_improving: true, ..scout(position) }
}

/// The sum of the reductions of a move over all move numbers, so that a reason of less than a ply changes it.
fn sum(worker: &mut TestWorker, node: &Node<'_>, mv: Move) -> i32 {
    let child = node.position.after(mv);
    (2..64).filter_map(|number| worker.reduction(node, &candidate(mv, number), &child)).sum()
}

#[test]
fn late_moves_are_reduced() {
    let calm = position(CALM);
    let quiet = mv(&calm, "a3");
    let child = calm.after(quiet);
    let node = deep(&calm);
    let is_reduced = |worker: &mut TestWorker| {
        worker.reduction(&node, &candidate(quiet, 30), &child).is_some_and(|plies| plies > 0)
    };
    assert_switch(Technique::LateMoveReductions, &calm, is_reduced, true, false);

    let mut worker = worker(&calm, all());
    let mut is_reduced =
        |node: &Node<'_>, number| worker.reduction(node, &candidate(quiet, number), &child).is_some();
    assert!(is_reduced(&node, 2) && !is_reduced(&node, 1), "the first move is searched in full");
    let pv = Node { is_pv: true, ..deep(&calm) };
    assert!(
        is_reduced(&pv, 3) && !is_reduced(&pv, 2),
        "in a PV node the first two moves are searched in full"
    );
    let least = params::lmr_min_depth();
    assert!(is_reduced(&Node { depth: least, ..deep(&calm) }, 30));
    assert!(!is_reduced(&Node { depth: least - 1, ..deep(&calm) }, 30), "too shallow");
}

#[test]
fn the_reduction_grows_with_move_number_and_depth() {
    let calm = position(CALM);
    let quiet = mv(&calm, "a3");
    let child = calm.after(quiet);
    let mut worker = worker(&calm, all());
    let mut plies = |depth, number| {
        let node = Node { depth, ..deep(&calm) };
        worker.reduction(&node, &candidate(quiet, number), &child).expect("the move is late enough")
    };
    assert!(plies(10, 40) > plies(10, 4));
    assert!(plies(20, 20) > plies(4, 20));
    // Move numbers and depths beyond the table use its last entries.
    assert_eq!(plies(500, 500), plies(63, 63));
}

#[test]
fn the_reduction_is_never_negative() {
    let calm = position(CALM);
    let quiet = mv(&calm, "a3");
    let mut worker = worker(&calm, all());
    for _ in 0..100 {
        worker.histories.learn_quiet(&calm, quiet, &Context::default(), params::history_bonus_max());
    }
    let node = Node { was_pv: true, ..deep(&calm) };
    assert_eq!(worker.reduction(&node, &candidate(quiet, 2), &calm.after(quiet)), Some(0));
}

#[test]
fn every_reason_changes_the_reduction() {
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
fn moves_after_a_noisy_hash_move_are_reduced_more() {
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
fn good_history_reduces_less_and_bad_history_more() {
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
