//! Tests of extensions.

use rukh_chess::{Move, MoveKind, Position, Square};
use rukh_eval::Score;

use super::super::node::{Extension, Node, Window};
use super::super::worker::{Kind, PvNode, RootNode, ScoutNode};
use super::fixture::{CALM, PLY, TestWorker, all, assert_switch, cp, entry, mv, on, position, scout, worker};
use crate::api::Bound;
use crate::params;
use crate::technique::{Technique, TechniqueOverrides};

/// [`Extension`] in a form that can be compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extended {
    Plies(i32),
    Cutoff(Score),
}

fn extend<K: Kind>(worker: &mut TestWorker, node: &Node<'_>, san: &str) -> Extended {
    match worker.extend::<K>(node, mv(node.position, san)).expect("the search is not stopped") {
        Extension::Plies(plies) => Extended::Plies(plies),
        Extension::Cutoff(score) => Extended::Cutoff(score),
    }
}

#[test]
fn checks_in_pv_nodes_that_do_not_lose_material_are_extended() {
    let board = position("3k4/ppp2ppp/4p3/8/8/4P3/PPP2PPP/R3K2R w - - 0 1");
    let node = Node { is_pv: true, ..scout(&board) };
    let act = |worker: &mut TestWorker| extend::<PvNode>(worker, &node, "Rd1");
    assert_switch(Technique::CheckExtension, &board, act, Extended::Plies(1), Extended::Plies(0));

    let mut worker = worker(&board, all());
    assert_eq!(extend::<PvNode>(&mut worker, &node, "Rb1"), Extended::Plies(0), "no check");
    let scouting = Node { is_pv: false, ..node };
    assert_eq!(extend::<ScoutNode>(&mut worker, &scouting, "Rd1"), Extended::Plies(0), "not a PV node");
    assert_eq!(extend::<RootNode>(&mut worker, &node, "Rd1"), Extended::Plies(0), "at the root");
    let guarded = position("3k4/ppp2ppp/4p3/8/6b1/4P3/PPP2PPP/R3K2R w - - 0 1");
    let node = Node { is_pv: true, ..scout(&guarded) };
    assert_eq!(extend::<PvNode>(&mut worker, &node, "Rd1"), Extended::Plies(0), "the check loses the rook");
}

/// Without fractional extensions the weight is rounded.
#[test]
fn recaptures_in_pv_nodes_are_extended() {
    let board = position("4k3/ppp2ppp/4p3/3r4/8/2N1P3/PPP2PPP/4K3 w - - 0 1");
    let node = Node { is_pv: true, ..scout(&board) };
    let after = |worker: &mut TestWorker, last: Option<Move>, node: &Node<'_>, san| {
        worker.frame(PLY - 1).mv = last;
        extend::<PvNode>(worker, node, san)
    };
    let took = |square| Some(Move::new(Square::D8, square, MoveKind::Capture));
    let act = |worker: &mut TestWorker| after(worker, took(Square::D5), &node, "Nxd5");
    assert_switch(Technique::RecaptureExtension, &board, act, Extended::Plies(1), Extended::Plies(0));

    let mut worker = worker(&board, on(Technique::RecaptureExtension));
    assert_eq!(
        after(&mut worker, took(Square::C3), &node, "Nxd5"),
        Extended::Plies(0),
        "capture on another square"
    );
    let came = Some(Move::new(Square::D8, Square::D5, MoveKind::Quiet));
    assert_eq!(after(&mut worker, came, &node, "Nxd5"), Extended::Plies(0), "no previous capture");
    assert_eq!(after(&mut worker, None, &node, "Nxd5"), Extended::Plies(0), "after a null move");
    let scouting = Node { is_pv: false, ..node };
    assert_eq!(after(&mut worker, took(Square::D5), &scouting, "Nxd5"), Extended::Plies(0), "not a PV node");
}

#[test]
fn pawn_moves_to_the_seventh_rank_are_extended() {
    for (fen, near, far) in
        [("4k3/8/P6P/8/P7/8/8/4K3 w - - 0 1", "a7", "a5"), ("4k3/8/8/p7/8/7p/r7/4K3 b - - 0 1", "h2", "a4")]
    {
        let board = position(fen);
        let node = Node { is_pv: true, ..scout(&board) };
        let act = |worker: &mut TestWorker| extend::<PvNode>(worker, &node, near);
        assert_switch(Technique::PassedPawnExtension, &board, act, Extended::Plies(1), Extended::Plies(0));
        let mut worker = worker(&board, on(Technique::PassedPawnExtension));
        assert_eq!(extend::<PvNode>(&mut worker, &node, far), Extended::Plies(0), "another rank");
    }
    let board = position("4k3/8/8/p7/8/7p/r7/4K3 b - - 0 1");
    let node = Node { is_pv: true, ..scout(&board) };
    let mut worker = worker(&board, on(Technique::PassedPawnExtension));
    assert_eq!(extend::<PvNode>(&mut worker, &node, "Rh2"), Extended::Plies(0), "not a pawn");
}

/// A fraction is carried along the line until it makes a whole ply.
#[test]
fn fractional_extensions_add_up_along_the_line() {
    let board = position("4k3/8/P6P/8/P7/8/8/4K3 w - - 0 1");
    let node = Node { is_pv: true, ..scout(&board) };
    let weight = params::passed_pawn_extension_weight();
    assert!((1..params::PLY).contains(&weight));
    let both = [Technique::PassedPawnExtension, Technique::FractionalExtensions];
    let both = TechniqueOverrides::these(both.into_iter().filter(|technique| !technique.is_in_play()));
    let mut worker = worker(&board, both);
    let mut after = |extension_remainder: i32, san| {
        worker.frame(PLY - 1).extension_remainder = extension_remainder;
        (extend::<PvNode>(&mut worker, &node, san), worker.frame(PLY).extension_remainder)
    };
    assert_eq!(after(0, "a7"), (Extended::Plies(0), weight));
    assert_eq!(after(params::PLY - weight, "a7"), (Extended::Plies(1), 0));
    assert_eq!(after(1023, "a7"), (Extended::Plies(1), weight - 1));
    assert_eq!(after(1023, "a5"), (Extended::Plies(0), 1023), "no extension");
}

#[test]
fn lines_twice_as_long_as_the_iteration_are_not_extended() {
    let board = position("3k4/ppp2ppp/4p3/8/8/4P3/PPP2PPP/R3K2R w - - 0 1");
    let node = Node { is_pv: true, ..scout(&board) };
    let mut worker = worker(&board, all());
    worker.root.begin_iteration(PLY as i32 / 2);
    assert_eq!(extend::<PvNode>(&mut worker, &node, "Rd1"), Extended::Plies(0));
    worker.root.begin_iteration(PLY as i32 / 2 + 1);
    assert_eq!(extend::<PvNode>(&mut worker, &node, "Rd1"), Extended::Plies(1));
}

/// The score of all other moves in the calm position.
const OTHERS: i32 = 0;

/// A node of the calm position in which the hash move is singular unless another move reaches `goal`.
fn node_with_goal(position: &Position, goal: i32) -> Node<'_> {
    let depth = params::singular_min_depth();
    let score = cp(goal + params::singular_margin() * depth / 64);
    let entry = entry(score, depth - params::singular_depth_slack(), Bound::Lower);
    let window = Window::above(score + 50);
    Node { depth, window, entry: Some(entry), table_move: Some(mv(position, "a3")), ..scout(position) }
}

#[test]
fn a_singular_move_is_extended() {
    let calm = position(CALM);
    let singular = node_with_goal(&calm, OTHERS + 1);
    let act = |worker: &mut TestWorker| extend::<ScoutNode>(worker, &singular, "a3");
    assert_switch(Technique::Singular, &calm, act, Extended::Plies(1), Extended::Plies(0));

    let extension = |node: &Node<'_>, san| extend::<ScoutNode>(&mut worker(&calm, all()), node, san);
    assert_eq!(extension(&singular, "b3"), Extended::Plies(0), "not the hash move");
    assert_eq!(
        extension(&Node { depth: singular.depth - 1, ..singular }, "a3"),
        Extended::Plies(0),
        "too shallow"
    );
    assert_eq!(
        extension(&Node { excluded: Some(mv(&calm, "b3")), ..singular }, "a3"),
        Extended::Plies(0),
        "inside a singular search"
    );
    assert_eq!(extension(&Node { entry: None, ..singular }, "a3"), Extended::Plies(0), "no entry");
    let slack = params::singular_depth_slack();
    let unreliable = [
        entry(cp(100), singular.depth, Bound::Upper),
        entry(cp(100), singular.depth - slack - 1, Bound::Lower),
        entry(Score::mate_at(PLY + 9), singular.depth, Bound::Exact),
    ];
    for entry in unreliable {
        assert_eq!(
            extension(&Node { entry: Some(entry), ..singular }, "a3"),
            Extended::Plies(0),
            "{entry:?}"
        );
    }
}

#[test]
fn double_extensions_have_a_margin_and_a_limit_per_line() {
    let calm = position(CALM);
    // Reverse futility pruning after the other moves returns the middle between their score and the goal.
    let by_far = node_with_goal(&calm, OTHERS + 2 * params::singular_double_margin() + 2);
    let nearly = node_with_goal(&calm, OTHERS + params::singular_double_margin());
    let extension = |node: &Node<'_>, doubles: u32| {
        let mut worker = worker(&calm, all());
        worker.frame(PLY - 1).double_extensions = doubles;
        let extension = extend::<ScoutNode>(&mut worker, node, "a3");
        (extension, worker.frame(PLY).double_extensions - doubles)
    };
    assert_eq!(extension(&by_far, 0), (Extended::Plies(2), 1));
    assert_eq!(extension(&nearly, 0), (Extended::Plies(1), 0));
    assert_eq!(extension(&Node { is_pv: true, ..by_far }, 0), (Extended::Plies(1), 0), "in a PV node");
    assert_eq!(extension(&by_far, u32::MAX), (Extended::Plies(1), 0), "too many on the line");
}

#[test]
fn several_good_moves_give_a_negative_extension_or_multicut() {
    let calm = position(CALM);
    let shared = node_with_goal(&calm, OTHERS);
    let score = shared.entry.expect("it was given").score(PLY);
    let extension = |node: &Node<'_>| extend::<ScoutNode>(&mut worker(&calm, all()), node, "a3");
    assert_eq!(extension(&shared), Extended::Plies(0), "no cut-off expected");
    assert_eq!(extension(&Node { is_cut: true, ..shared }), Extended::Plies(-1), "a cut-off is expected");
    let window = Window::above(score - 1);
    assert_eq!(extension(&Node { window, ..shared }), Extended::Plies(-2), "the entry expects a cut-off");
    let window = Window::above(cp(OTHERS - 1));
    assert_eq!(extension(&Node { window, ..shared }), Extended::Cutoff(cp(OTHERS)), "multicut");
    assert_eq!(extension(&Node { window: Window::above(cp(OTHERS)), ..shared }), Extended::Plies(-2));
}

#[test]
fn a_singular_search_restores_the_frame() {
    let calm = position(CALM);
    let mut worker = worker(&calm, all());
    let killer = Some(mv(&calm, "h3"));
    worker.frame(PLY).killer = killer;
    extend::<ScoutNode>(&mut worker, &node_with_goal(&calm, OTHERS), "a3");
    assert_eq!((worker.frame(PLY).excluded, worker.frame(PLY).killer), (None, killer));
    assert!(worker.frame(PLY).cutoffs > 0, "its cut-offs are counted");
}
