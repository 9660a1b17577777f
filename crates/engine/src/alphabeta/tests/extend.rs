//! Extensions.

use rukh_chess::{Move, MoveKind, Position, Square};
use rukh_eval::Score;

use super::super::node::{Extension, Node, Window};
use super::super::worker::{Kind, PvNode, RootNode, ScoutNode};
use super::fixture::{CALM, PLY, TestWorker, all, assert_switch, cp, entry, mv, on, position, scout, worker};
use crate::api::Bound;
use crate::params;
use crate::technique::{Technique, TechniqueOverrides};

/// What [`Extension`] says, to be compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extended {
    Plies(i32),
    Cutoff(Score),
}

fn extend<K: Kind>(worker: &mut TestWorker, node: &Node<'_>, san: &str) -> Extended {
    match worker.extend::<K>(node, mv(node.position, san)).expect("nobody stops it") {
        Extension::Plies(plies) => Extended::Plies(plies),
        Extension::Cutoff(score) => Extended::Cutoff(score),
    }
}

#[test]
fn good_checks_of_a_principal_variation_are_extended() {
    let board = position("3k4/ppp2ppp/4p3/8/8/4P3/PPP2PPP/R3K2R w - - 0 1");
    let node = Node { is_pv: true, ..scout(&board) };
    let act = |worker: &mut TestWorker| extend::<PvNode>(worker, &node, "Rd1");
    assert_switch(Technique::CheckExtension, &board, act, Extended::Plies(1), Extended::Plies(0));

    let mut worker = worker(&board, all());
    assert_eq!(extend::<PvNode>(&mut worker, &node, "Rb1"), Extended::Plies(0), "no check");
    let scouting = Node { is_pv: false, ..node };
    assert_eq!(extend::<ScoutNode>(&mut worker, &scouting, "Rd1"), Extended::Plies(0), "outside");
    assert_eq!(extend::<RootNode>(&mut worker, &node, "Rd1"), Extended::Plies(0), "at the root");
    let guarded = position("3k4/ppp2ppp/4p3/8/6b1/4P3/PPP2PPP/R3K2R w - - 0 1");
    let node = Node { is_pv: true, ..scout(&guarded) };
    assert_eq!(extend::<PvNode>(&mut worker, &node, "Rd1"), Extended::Plies(0), "the rook is lost there");
}

/// The weight of one reason is rounded where nothing is owed from before.
#[test]
fn recaptures_of_a_principal_variation_are_extended() {
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
    assert_eq!(after(&mut worker, took(Square::C3), &node, "Nxd5"), Extended::Plies(0), "taken elsewhere");
    let came = Some(Move::new(Square::D8, Square::D5, MoveKind::Quiet));
    assert_eq!(after(&mut worker, came, &node, "Nxd5"), Extended::Plies(0), "nothing was taken");
    assert_eq!(after(&mut worker, None, &node, "Nxd5"), Extended::Plies(0), "the turn was passed");
    let scouting = Node { is_pv: false, ..node };
    assert_eq!(after(&mut worker, took(Square::D5), &scouting, "Nxd5"), Extended::Plies(0), "outside");
}

#[test]
fn pawns_that_come_to_the_seventh_rank_are_extended() {
    for (fen, near, far) in
        [("4k3/8/P6P/8/P7/8/8/4K3 w - - 0 1", "a7", "a5"), ("4k3/8/8/p7/8/7p/r7/4K3 b - - 0 1", "h2", "a4")]
    {
        let board = position(fen);
        let node = Node { is_pv: true, ..scout(&board) };
        let act = |worker: &mut TestWorker| extend::<PvNode>(worker, &node, near);
        assert_switch(Technique::PassedPawnExtension, &board, act, Extended::Plies(1), Extended::Plies(0));
        let mut worker = worker(&board, on(Technique::PassedPawnExtension));
        assert_eq!(extend::<PvNode>(&mut worker, &node, far), Extended::Plies(0), "far from it");
    }
    let board = position("4k3/8/8/p7/8/7p/r7/4K3 b - - 0 1");
    let node = Node { is_pv: true, ..scout(&board) };
    let mut worker = worker(&board, on(Technique::PassedPawnExtension));
    assert_eq!(extend::<PvNode>(&mut worker, &node, "Rh2"), Extended::Plies(0), "not a pawn");
}

/// What is less than a ply is not given at once but to a later move, and a whole ply takes it off again.
#[test]
fn fractions_of_extensions_add_up_along_the_line() {
    let board = position("4k3/8/P6P/8/P7/8/8/4K3 w - - 0 1");
    let node = Node { is_pv: true, ..scout(&board) };
    let weight = params::passed_pawn_extension_weight();
    assert!((1..params::PLY).contains(&weight));
    let both = [Technique::PassedPawnExtension, Technique::FractionalExtensions];
    let both = TechniqueOverrides::these(both.into_iter().filter(|technique| !technique.is_in_play()));
    let mut worker = worker(&board, both);
    let mut after = |owed: i32, san| {
        worker.frame(PLY - 1).owed = owed;
        (extend::<PvNode>(&mut worker, &node, san), worker.frame(PLY).owed)
    };
    assert_eq!(after(0, "a7"), (Extended::Plies(0), weight));
    assert_eq!(after(params::PLY - weight, "a7"), (Extended::Plies(1), 0));
    assert_eq!(after(1023, "a7"), (Extended::Plies(1), weight - 1));
    assert_eq!(after(1023, "a5"), (Extended::Plies(0), 1023), "nothing is added");
}

#[test]
fn no_line_gets_longer_than_twice_the_iteration() {
    let board = position("3k4/ppp2ppp/4p3/8/8/4P3/PPP2PPP/R3K2R w - - 0 1");
    let node = Node { is_pv: true, ..scout(&board) };
    let mut worker = worker(&board, all());
    worker.root.begin_iteration(PLY as i32 / 2);
    assert_eq!(extend::<PvNode>(&mut worker, &node, "Rd1"), Extended::Plies(0));
    worker.root.begin_iteration(PLY as i32 / 2 + 1);
    assert_eq!(extend::<PvNode>(&mut worker, &node, "Rd1"), Extended::Plies(1));
}

/// The worth of all moves in the calm position but the one from the table.
const OTHERS: i32 = 0;

/// A node of the calm position in which the other moves must reach `goal` for the table move not to be singular.
fn node_with_goal(position: &Position, goal: i32) -> Node<'_> {
    let depth = params::singular_min_depth();
    let score = cp(goal + params::singular_margin() * depth / 64);
    let entry = entry(score, depth - params::singular_depth_slack(), Bound::Lower);
    let window = Window::above(score + 50);
    Node { depth, window, entry: Some(entry), table_move: Some(mv(position, "a3")), ..scout(position) }
}

#[test]
fn the_only_good_move_is_extended() {
    let calm = position(CALM);
    let alone = node_with_goal(&calm, OTHERS + 1);
    let act = |worker: &mut TestWorker| extend::<ScoutNode>(worker, &alone, "a3");
    assert_switch(Technique::Singular, &calm, act, Extended::Plies(1), Extended::Plies(0));

    let told = |node: &Node<'_>, san| extend::<ScoutNode>(&mut worker(&calm, all()), node, san);
    assert_eq!(told(&alone, "b3"), Extended::Plies(0), "not the move of the table");
    assert_eq!(told(&Node { depth: alone.depth - 1, ..alone }, "a3"), Extended::Plies(0), "too shallow");
    assert_eq!(
        told(&Node { excluded: Some(mv(&calm, "b3")), ..alone }, "a3"),
        Extended::Plies(0),
        "asked already"
    );
    assert_eq!(told(&Node { entry: None, ..alone }, "a3"), Extended::Plies(0), "nothing is known");
    let slack = params::singular_depth_slack();
    let doubtful = [
        entry(cp(100), alone.depth, Bound::Upper),
        entry(cp(100), alone.depth - slack - 1, Bound::Lower),
        entry(Score::mate_at(PLY + 9), alone.depth, Bound::Exact),
    ];
    for entry in doubtful {
        assert_eq!(told(&Node { entry: Some(entry), ..alone }, "a3"), Extended::Plies(0), "{entry:?}");
    }
}

#[test]
fn what_is_alone_by_far_is_extended_twice_but_not_for_ever() {
    let calm = position(CALM);
    let by_far = node_with_goal(&calm, OTHERS + params::singular_double_margin() + 1);
    let nearly = node_with_goal(&calm, OTHERS + params::singular_double_margin());
    let told = |node: &Node<'_>, doubles: u32| {
        let mut worker = worker(&calm, all());
        worker.frame(PLY - 1).double_extensions = doubles;
        let told = extend::<ScoutNode>(&mut worker, node, "a3");
        (told, worker.frame(PLY).double_extensions - doubles)
    };
    assert_eq!(told(&by_far, 0), (Extended::Plies(2), 1));
    assert_eq!(told(&nearly, 0), (Extended::Plies(1), 0));
    assert_eq!(told(&Node { is_pv: true, ..by_far }, 0), (Extended::Plies(1), 0), "in a principal variation");
    assert_eq!(told(&by_far, u32::MAX), (Extended::Plies(1), 0), "too many on the line");
}

#[test]
fn where_several_moves_are_good_the_move_gets_less_or_the_node_is_cut_off() {
    let calm = position(CALM);
    let shared = node_with_goal(&calm, OTHERS);
    let score = shared.entry.expect("it was given").score(PLY);
    let told = |node: &Node<'_>| extend::<ScoutNode>(&mut worker(&calm, all()), node, "a3");
    assert_eq!(told(&shared), Extended::Plies(0), "nothing is expected");
    assert_eq!(told(&Node { is_cut: true, ..shared }), Extended::Plies(-1), "a cut-off is expected");
    let window = Window::above(score - 1);
    assert_eq!(told(&Node { window, ..shared }), Extended::Plies(-2), "the table expects a cut-off");
    let window = Window::above(cp(OTHERS - 1));
    assert_eq!(told(&Node { window, ..shared }), Extended::Cutoff(cp(OTHERS)), "several moves cut off");
    assert_eq!(told(&Node { window: Window::above(cp(OTHERS)), ..shared }), Extended::Plies(-2));
}

#[test]
fn the_question_leaves_the_frame_as_it_was() {
    let calm = position(CALM);
    let mut worker = worker(&calm, all());
    let killer = Some(mv(&calm, "h3"));
    worker.frame(PLY).killer = killer;
    extend::<ScoutNode>(&mut worker, &node_with_goal(&calm, OTHERS), "a3");
    assert_eq!((worker.frame(PLY).excluded, worker.frame(PLY).killer), (None, killer));
    assert!(worker.frame(PLY).cutoffs > 0, "it counts as a cut-off all the same");
}
