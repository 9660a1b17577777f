//! Tests of the move loop: excluded moves, mates, re-searches, storing of results.

use rukh_chess::Position;
use rukh_eval::Score;

use super::super::node::{Node, Window};
use super::super::worker::{PvNode, RootNode, ScoutNode};
use super::fixture::{CALM, PLY, TestWorker, all, candidate, cp, mv, only, position, scout, worker};
use crate::params;
use crate::technique::Technique;

/// The score, with or without an excluded move.
fn search(position: &Position, window: Window, depth: i32, excluded: Option<&str>) -> Score {
    let mut worker = worker(position, all());
    worker.frame(PLY).excluded = excluded.map(|san| mv(position, san));
    worker.search::<ScoutNode>(position, PLY, window, depth, true).expect("the search is not stopped")
}

#[test]
fn the_excluded_move_is_not_searched() {
    let hanging = position("4k3/ppp2ppp/8/3r4/8/2N5/PPP2PPP/4K3 w - - 0 1");
    let window = Window::above(cp(100));
    assert!(search(&hanging, window, 2, None) >= window.beta);
    assert!(search(&hanging, window, 2, Some("Nxd5")) < window.beta);
    // If the excluded move is the only legal move, the search fails low instead of returning mate.
    let only_one = position("7k/8/8/8/8/7p/6pP/5QNK w - - 0 1");
    assert_eq!(only_one.count_legal_moves(), 1);
    assert_eq!(search(&only_one, window, 2, Some("Qxg2")), window.alpha);
}

#[test]
fn without_legal_moves_it_is_mate_or_stalemate() {
    let wide = Window::new(Score::MIN, Score::MAX);
    let mated = position("R3k3/8/4K3/8/8/8/8/8 b - - 0 1");
    assert_eq!(search(&mated, wide, 3, None), Score::mated_at(PLY));
    let stalemated = position("k7/8/1Q6/8/8/8/8/K7 b - - 0 1");
    assert!(search(&stalemated, wide, 3, None).value().abs() <= 1);
}

#[test]
fn mates_by_quiet_moves_and_by_underpromotion_are_found() {
    for fen in ["6k1/5ppp/8/8/8/P7/1P6/1KR5 w - - 0 1", "6bn/5Prk/7p/8/8/8/8/K7 w - - 0 1"] {
        let position = position(fen);
        let wide = Window::new(Score::MIN, Score::MAX);
        let score = worker(&position, all()).search::<PvNode>(&position, PLY, wide, 1, false);
        assert_eq!(score, Ok(Score::mate_at(PLY + 1)), "{fen}");
    }
}

#[test]
fn every_root_move_is_searched() {
    let calm = position(CALM);
    let mut worker = worker(&calm, all());
    // Elsewhere futility and late move pruning would prune every quiet move this far below alpha.
    let window = Window::above(cp(3000));
    assert!(worker.search::<RootNode>(&calm, 0, window, 1, false).is_ok());
    assert_eq!(worker.root.moves().len(), calm.count_legal_moves() as usize);
    assert!(worker.root.moves().iter().all(|root_move| root_move.nodes > 0));
}

/// The final search depth of a late move in the calm position, whose score is zero; only LMR is on.
fn depth_of_late_move(node_depth: i32, alpha: Score) -> i32 {
    let calm = position(CALM);
    let mut worker = worker(&calm, only(Technique::LateMoveReductions));
    let node = Node { depth: node_depth, window: Window::above(alpha), is_cut: true, ..scout(&calm) };
    let late = mv(&calm, "a3");
    let child = worker.make(&calm, late, PLY);
    let score = worker.search_child::<ScoutNode>(&node, node.window, &candidate(late, 63), &child, 0);
    assert_eq!(score, Ok(cp(0)));
    worker.shared.table.probe(child.key()).expect("the child was searched").depth
}

#[test]
fn a_reduced_search_that_fails_high_is_repeated_at_full_depth() {
    let enough = cp(-params::lmr_deeper_margin());
    assert!(depth_of_late_move(5, cp(0)) < 4);
    assert_eq!(depth_of_late_move(5, enough), 4);
    assert_eq!(depth_of_late_move(5, enough - 1), 5, "one ply deeper if it is far above alpha");
}

#[test]
fn only_first_moves_and_fail_highs_are_searched_with_the_full_window() {
    let calm = position(CALM);
    let line_after = |alpha, number| {
        let mut worker = worker(&calm, only(Technique::LateMoveReductions));
        let node = Node { depth: 3, window: Window::new(alpha, cp(100)), is_pv: true, ..scout(&calm) };
        let second = mv(&calm, "a3");
        let child = worker.make(&calm, second, PLY);
        let score = worker.search_child::<PvNode>(&node, node.window, &candidate(second, number), &child, 0);
        assert_eq!(score, Ok(cp(0)));
        worker.pv[PLY + 1].len()
    };
    assert_eq!(line_after(cp(50), 2), 0);
    assert!(line_after(cp(-50), 2) > 0);
    assert!(line_after(cp(-50), 1) > 0);
}

#[test]
fn later_multipv_lines_are_not_stored_for_the_root() {
    let calm = position(CALM);
    let wide = Window::new(Score::MIN, Score::MAX);
    let is_stored = |line: usize| {
        let mut worker = worker(&calm, all());
        worker.root.begin_line(line);
        assert!(worker.search::<RootNode>(&calm, 0, wide, 1, false).is_ok());
        worker.shared.table.probe(calm.key()).is_some()
    };
    assert!(is_stored(0) && !is_stored(1));
}

/// The cut-off counter of a ply is reset when a node two plies above is entered.
#[test]
fn entering_a_node_resets_the_cutoff_counter_of_its_grandchildren() {
    let calm = position(CALM);
    let cutoffs = |worker: &mut TestWorker| {
        let window = Window::above(cp(-9000));
        assert!(worker.search::<ScoutNode>(&calm, PLY, window, 1, false).is_ok());
        [PLY + 1, PLY + 2].map(|ply| worker.frame(ply).cutoffs)
    };
    let mut worker = worker(&calm, all());
    for ply in [PLY + 1, PLY + 2] {
        worker.frame(ply).cutoffs = 7;
    }
    assert_eq!(cutoffs(&mut worker), [7, 0]);
}
