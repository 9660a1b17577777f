//! Tests of node pruning: razoring, reverse futility, null move, ProbCut.

use rukh_eval::Score;

use super::super::node::{Node, Window};
use super::super::quiesce::QuiescenceDepth;
use super::super::worker::{PvNode, ScoutNode};
use super::fixture::{
    CALM, IN_CHECK, PAWNS_ALONE, PLY, TestWorker, all, assert_switch, cp, entry, known, mv, off, only,
    position, scout, worker,
};
use crate::api::Bound;
use crate::params;
use crate::technique::Technique;

/// A white pawn wins a rook; there is no other capture.
const HANGING_ROOK: &str = "7k/pp3ppp/8/3r4/2P5/8/PP3PPP/4K3 w - - 0 1";
/// The rook can win a knight but leaves the back rank, and a quiet move mates.
const POISONED_KNIGHT: &str = "n7/4r1k1/8/8/8/8/5PPP/R5K1 w - - 0 1";
/// Mutual zugzwang: the side to move loses a pawn. The bishop has no moves.
const ZUGZWANG: &str = "8/8/8/6pK/5kP1/1p6/1P6/B7 w - - 0 1";
/// White is a rook ahead, and there are no captures.
const ROOK_AHEAD: &str = "4k3/ppp2ppp/4p3/8/8/4P3/PPP2PPP/R3K3 w - - 0 1";

#[test]
fn pv_nodes_checks_excluded_moves_and_mate_windows_are_not_pruned() {
    let calm = position(CALM);
    let check = position(IN_CHECK);
    assert!(scout(&calm).may_prune());
    assert!(!Node { is_pv: true, ..scout(&calm) }.may_prune());
    assert!(!Node { excluded: Some(mv(&calm, "a3")), ..scout(&calm) }.may_prune());
    assert!(!Node { window: Window::above(Score::mate_at(9)), ..scout(&calm) }.may_prune());
    assert!(!Node { window: Window::above(Score::mated_at(9)), ..scout(&calm) }.may_prune());
    assert!(!scout(&check).may_prune());
}

/// Where pruning is allowed, the search needs one node.
#[test]
fn the_search_checks_may_prune() {
    let ahead = position(ROOK_AHEAD);
    let check = position("4k3/ppp2ppp/4p3/8/8/2n1P3/PPP1KPPP/R7 w - - 0 1");
    let low = Window::above(cp(-2 * params::rfp_margin()));
    let mated = Window::above(Score::mated_at(PLY + 3));
    let nodes = |position, window, is_pv: bool, excluded: Option<&str>| {
        let mut worker = worker(position, all());
        worker.frame(PLY).excluded = excluded.map(|san| mv(position, san));
        let search = if is_pv {
            worker.search::<PvNode>(position, PLY, window, 1, false)
        } else {
            worker.search::<ScoutNode>(position, PLY, window, 1, false)
        };
        assert!(search.is_ok());
        worker.nodes
    };
    assert_eq!(nodes(&ahead, low, false, None), 1);
    assert!(nodes(&ahead, low, true, None) > 1, "in a PV node");
    assert!(nodes(&ahead, low, false, Some("Rb1")) > 1, "with an excluded move");
    assert!(nodes(&ahead, mated, false, None) > 1, "against a mate");
    assert!(nodes(&check, low, false, None) > 1, "in check");
}

#[test]
fn razoring_returns_the_quiescence_score_far_below_alpha() {
    let calm = position(CALM);
    let depth = params::razor_max_depth();
    let margin = params::razor_base_margin() + params::razor_depth_margin() * depth * depth;
    let alpha = cp(100);
    let far_below = Node { depth, window: Window::above(alpha), eval: alpha - margin - 1, ..scout(&calm) };
    assert_switch(Technique::Razoring, &calm, |worker| worker.razor(&far_below), Ok(Some(cp(0))), Ok(None));

    let razored = |node: &Node<'_>| worker(&calm, all()).razor(node).is_ok_and(|score| score.is_some());
    assert!(!razored(&Node { eval: alpha - margin, ..far_below }), "inside the margin");
    assert!(!razored(&Node { depth: depth + 1, eval: cp(-9000), ..far_below }), "too deep");
    // The given evaluation is wrong: the position is equal.
    let even = Window::above(cp(-1));
    assert!(
        !razored(&Node { window: even, eval: cp(-9000), ..far_below }),
        "the quiescence search does not fail low"
    );
}

#[test]
fn reverse_futility_cuts_off_far_above_beta() {
    let calm = position(CALM);
    let depth = params::rfp_max_depth();
    let beta = cp(50);
    let enough = beta + params::rfp_margin() * depth;
    let far_above = Node { depth, window: Window::above(beta - 1), eval: enough, ..scout(&calm) };
    let middle = beta + (enough - beta) / 2;
    let act = |worker: &mut TestWorker| worker.reverse_futility(&far_above);
    assert_switch(Technique::ReverseFutility, &calm, act, Some(middle), None);

    let cuts = |node: &Node<'_>| worker(&calm, all()).reverse_futility(node).is_some();
    assert!(!cuts(&Node { eval: enough - 1, ..far_above }), "inside the margin");
    assert!(!cuts(&Node { depth: depth + 1, eval: cp(9000), ..far_above }), "too deep");
    assert!(!cuts(&Node { eval: Score::mate_at(PLY + 9), ..far_above }), "a mate score");
    let less = enough - params::rfp_improving_margin();
    assert!(
        cuts(&Node { eval: less, is_improving: true, ..far_above }),
        "the margin is smaller when improving"
    );
    let little = beta + params::rfp_margin() / 2;
    let at_once = Node { depth: 1, is_improving: true, eval: little - 1, ..far_above };
    assert!(!cuts(&at_once), "the margin has a minimum");
}

#[test]
fn reverse_futility_is_off_after_a_move_that_attacks_the_king_zone() {
    let before = position("5rk1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    let cuts = |techniques, san: &str, depth: i32| {
        let mut worker = worker(&before, techniques);
        let after = worker.make(&before, mv(&before, san), PLY - 1);
        worker.reverse_futility(&Node { depth, eval: cp(3000), ..scout(&after) }).is_some()
    };
    assert!(!cuts(all(), "Rd7", 2));
    assert!(cuts(off(Technique::KingAttack), "Rd7", 2));
    assert!(cuts(all(), "Ra1", 2), "another move");
    assert!(cuts(all(), "Rd7", 1), "at depth 1 no mate can follow");
}

#[test]
fn null_move_is_tried_only_under_its_conditions() {
    let calm = position(CALM);
    let depth = params::null_min_depth();
    let node = Node { depth, window: Window::above(cp(-101)), ..scout(&calm) };
    assert_switch(Technique::NullMove, &calm, |worker| worker.null_move(&node), Ok(Some(cp(0))), Ok(None));

    let tried = |node: &Node<'_>, prepare: fn(&mut TestWorker)| {
        let mut worker = worker(node.position, all());
        prepare(&mut worker);
        let score = worker.null_move(node);
        assert_eq!(score.is_ok_and(|score| score.is_some()), worker.nodes > 0);
        worker.nodes > 0
    };
    assert!(tried(&node, |_| ()));
    assert!(!tried(&Node { depth: depth - 1, ..node }, |_| ()), "too shallow");
    assert!(!tried(&node, |worker| worker.frame(PLY - 1).is_null = true), "after another null move");
    assert!(!tried(&node, |worker| worker.null_min_ply = PLY + 1), "during verification");
    assert!(tried(&node, |worker| worker.null_min_ply = PLY), "deep below the verified node");
    let above = node.window.beta;
    assert!(!tried(&Node { eval: above - 1, ..node }, |_| ()), "below beta");
    let low = above - params::null_static_margin() * depth;
    assert!(tried(&Node { static_eval: Some(low), ..node }, |_| ()));
    assert!(!tried(&Node { static_eval: Some(low - 1), ..node }, |_| ()), "the static evaluation is too low");
    let pawns = position(PAWNS_ALONE);
    assert!(!tried(&Node { depth, window: node.window, ..scout(&pawns) }, |_| ()), "with pawns alone");
}

#[test]
fn null_move_fails_where_a_piece_hangs() {
    let attacked = position("4k3/ppp2ppp/8/3p4/4N3/8/PPP2PPP/4K3 w - - 0 1");
    let balance = cp(200);
    let node =
        Node { depth: params::null_min_depth(), window: Window::above(balance - 1), ..scout(&attacked) };
    let node = Node { eval: balance, static_eval: Some(balance), ..node };
    assert_eq!(worker(&attacked, all()).null_move(&node), Ok(None));
}

#[test]
fn a_mate_after_a_null_move_is_not_returned() {
    // After the null move every reply is mated. That does not prove a mate without it.
    let position = position("k7/7p/1K6/8/8/8/8/2R1R3 w - - 0 1");
    let beta = cp(5000);
    let node = Node { depth: 10, window: Window::above(beta - 1), eval: beta, ..scout(&position) };
    let node = Node { static_eval: Some(beta), ..node };
    assert_eq!(worker(&position, only(Technique::NullMove)).null_move(&node), Ok(Some(beta)));
}

#[test]
fn verification_detects_zugzwang() {
    let position = position(ZUGZWANG);
    let balance = cp(300);
    let deep = params::null_verify_min_depth();
    let cuts = |depth| {
        // A high evaluation makes the search after the null move shallow.
        let node =
            Node { depth, window: Window::above(balance - 1), eval: balance + 1000, ..scout(&position) };
        let node = Node { static_eval: Some(balance), ..node };
        let mut worker = worker(&position, only(Technique::NullMove));
        worker.null_move(&node).expect("the search is not stopped").is_some()
    };
    assert!(cuts(deep - 1), "Black is in zugzwang too, so the null move fails high");
    assert!(!cuts(deep), "White has to move and loses the pawn");
}

#[test]
fn verification_resets_the_null_move_ply() {
    let calm = position(CALM);
    let node =
        Node { depth: params::null_verify_min_depth(), window: Window::above(cp(-101)), ..scout(&calm) };
    let mut worker = worker(&calm, all());
    assert!(worker.null_move(&node).is_ok_and(|score| score.is_some()));
    assert_eq!(worker.null_min_ply, 0);
}

#[test]
fn probcut_cuts_off_after_a_capture_far_above_beta() {
    let hanging = position(HANGING_ROOK);
    let depth = params::probcut_min_depth();
    let balance = cp(-400);
    let node_with_goal = |goal: Score| {
        let window = Window::above(goal - params::probcut_margin() - 1);
        Node { depth, window, eval: balance, ..scout(&hanging) }
    };
    let goal = balance + 300;
    let node = node_with_goal(goal);
    let cuts = |worker: &mut TestWorker, node: &Node<'_>| {
        let score = worker.probcut(node).expect("the search is not stopped");
        score.is_some_and(|score| score >= node.window.beta)
    };
    assert_switch(Technique::Probcut, &hanging, |worker| cuts(worker, &node), true, false);

    let mut worker = worker(&hanging, all());
    let mut cuts = |node: &Node<'_>| cuts(&mut worker, node);
    assert!(!cuts(&Node { depth: depth - 1, ..node }), "too shallow");
    assert!(!cuts(&node_with_goal(balance + 700)), "the gain is too small");
    let deep = depth - params::probcut_reduction() + 1;
    assert!(
        !cuts(&Node { entry: Some(entry(goal - 1, deep, Bound::Upper)), ..node }),
        "the entry refutes it"
    );
    assert!(
        cuts(&Node { entry: Some(entry(goal - 1, deep - 1, Bound::Upper)), ..node }),
        "the entry is too shallow"
    );
    assert!(cuts(&Node { entry: Some(entry(goal, deep, Bound::Lower)), ..node }), "the entry confirms it");

    let found = worker.shared.table.probe(hanging.key()).expect("a cut-off is stored");
    assert_eq!((found.mv, found.bound), (Some(mv(&hanging, "cxd5")), Bound::Lower));
}

#[test]
fn probcut_is_not_tried_near_mate_scores() {
    let hanging = position(HANGING_ROOK);
    let almost_won = Score::new(i32::MAX);
    let window = Window::above(almost_won - 1);
    let node = Node { depth: params::probcut_min_depth(), window, eval: almost_won, ..scout(&hanging) };
    let mut worker = worker(&hanging, all());
    assert_eq!(worker.probcut(&node), Ok(None));
    assert_eq!(worker.nodes, 0);
}

#[test]
fn probcut_verifies_the_capture_by_a_reduced_search() {
    let poisoned = position(POISONED_KNIGHT);
    let takes = mv(&poisoned, "Rxa8");
    let goal = cp(params::probcut_margin());
    assert!(goal < cp(300));
    let mut worker = worker(&poisoned, all());
    let child = poisoned.after(takes);
    let quiescence = worker.quiesce::<ScoutNode>(
        &child,
        PLY + 1,
        Window::above(goal - 1).flipped(),
        QuiescenceDepth::CAPTURES_ONLY,
    );
    assert!(quiescence.is_ok_and(|score| -score >= goal), "the quiescence search reaches the goal");
    let depth = params::probcut_min_depth().max(params::probcut_reduction() + 2);
    assert_eq!(worker.probcut(&Node { depth, window: Window::above(cp(-1)), ..scout(&poisoned) }), Ok(None));
}

/// The refined evaluation is what razoring and reverse futility use.
#[test]
fn the_evaluation_is_refined_by_the_bound_of_the_entry() {
    let calm = position(CALM);
    let mut worker = worker(&calm, all());
    worker.shared.table.store(calm.key(), known(cp(9000), 0, Bound::Lower));
    let score = worker.search::<ScoutNode>(&calm, PLY, Window::above(cp(99)), 1, false);
    assert!(score.is_ok_and(|score| score > cp(99)));
    assert_eq!(worker.nodes, 1);
}
