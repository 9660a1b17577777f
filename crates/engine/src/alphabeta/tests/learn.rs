//! Tests of history updates.

use rukh_chess::{Color, Move, Piece, Square};
use rukh_eval::Score;

use super::super::node::{Best, Node, Window};
use super::super::worker::ScoutNode;
use super::fixture::{CALM, IN_CHECK, PLY, TestWorker, all, assert_switch, cp, mv, position, scout, worker};
use crate::api::Bound;
use crate::histories::{Context, PieceTo};
use crate::params;
use crate::technique::Technique;

const CAPTURES: &str = "4k3/2p2ppp/1p6/r2p4/1P6/3Q4/5PPP/4K3 w - - 0 1";

/// The history of a move after a cut-off by `best`, with `tried` searched before it.
fn learnt(depth: i32, best: &str, tried: &[&str]) -> impl Fn(&str) -> i32 + use<> {
    let board = position(CAPTURES);
    let mut worker = worker(&board, all());
    let tried: Vec<_> = tried.iter().map(|san| mv(&board, san)).collect();
    worker.learn_from_cutoff(&Node { depth, ..scout(&board) }, mv(&board, best), &tried);
    let histories = worker.histories.clone();
    move |san| {
        let mv = mv(&board, san);
        if mv.is_noisy() {
            histories.capture_of(&board, mv)
        } else {
            histories.quiet(&board, &Context::default()).butterfly(mv)
        }
    }
}

#[test]
fn a_cutoff_gives_a_bonus_to_its_move_and_a_malus_to_earlier_moves() {
    let of = learnt(5, "h3", &["bxa5", "g3", "Qxd5"]);
    assert!(of("h3") > 0);
    assert_eq!(of("g3"), -of("h3") * params::history_malus_weight() / params::ONE);
    assert!(of("g3") < 0 && of("bxa5") < 0 && of("Qxd5") < 0);
    assert_eq!(of("h4"), 0);
    let of = learnt(5, "bxa5", &["h3", "Qxd5"]);
    assert!(of("bxa5") > 0 && of("Qxd5") < 0);
    assert_eq!(of("h3"), 0, "quiet moves get no malus when a capture is best");
}

#[test]
fn the_bonus_grows_with_depth_and_is_zero_for_an_immediate_cutoff_at_depth_one() {
    assert!(learnt(8, "h3", &[])("h3") > learnt(3, "h3", &[])("h3"));
    assert_eq!(learnt(1, "h3", &[])("h3"), 0);
    assert!(learnt(1, "h3", &["g3"])("h3") > 0);
}

#[test]
fn only_quiet_moves_become_killers() {
    let board = position(CAPTURES);
    let killer = |best: Move| {
        let mut worker = worker(&board, all());
        worker.learn_from_cutoff(&scout(&board), best, &[]);
        worker.frame(PLY).killer
    };
    let quiet = mv(&board, "h3");
    assert_eq!(killer(quiet), Some(quiet));
    assert_eq!(killer(mv(&board, "bxa5")), None);
}

#[test]
fn only_quiet_moves_become_countermoves() {
    let board = position(CAPTURES);
    let [last, another] =
        [Square::A5, Square::A6].map(|to| Some(PieceTo::new(Color::Black, Piece::Rook, to)));
    let countermove = |best: Move, to: Option<PieceTo>| {
        let mut worker = worker(&board, all());
        let node = Node { context: [last, None, None].into(), ..scout(&board) };
        worker.learn_from_cutoff(&node, best, &[]);
        worker.histories.countermove(to)
    };
    let quiet = mv(&board, "h3");
    assert_eq!(countermove(quiet, last), Some(quiet));
    assert_eq!(countermove(quiet, another), None);
    assert_eq!(countermove(quiet, None), None, "after a null move");
    assert_eq!(countermove(mv(&board, "bxa5"), last), None);
}

/// The correction after searches of a node with a static evaluation of zero, by best move, score and bound.
fn correction(
    worker: &mut TestWorker,
    node: &Node<'_>,
    san: Option<&str>,
    score: Score,
    bound: Bound,
) -> i32 {
    let best = Best { score, mv: san.map(|san| mv(node.position, san)) };
    for _ in 0..20 {
        worker.learn_correction(node, &best, bound);
    }
    worker.histories.corrections.correction(node.position)
}

#[test]
fn correction_history_learns_from_searches() {
    let board = position(CAPTURES);
    let node = Node { depth: 8, ..scout(&board) };
    let act = |worker: &mut TestWorker| correction(worker, &node, Some("h3"), cp(200), Bound::Exact) > 0;
    assert_switch(Technique::Correction, &board, act, true, false);

    let after = |san, score, bound| correction(&mut worker(&board, all()), &node, san, score, bound);
    assert!(after(Some("h3"), cp(-200), Bound::Exact) < 0);
    assert!(after(Some("h3"), cp(200), Bound::Lower) > 0);
    assert!(after(None, cp(-200), Bound::Upper) < 0);
    assert_eq!(
        after(Some("h3"), cp(-200), Bound::Lower),
        0,
        "the lower bound does not contradict the evaluation"
    );
    assert_eq!(after(None, cp(200), Bound::Upper), 0, "the upper bound does not contradict the evaluation");
    assert_eq!(after(Some("bxa5"), cp(200), Bound::Exact), 0, "a capture is best");
    assert_eq!(after(Some("h3"), Score::mate_at(9), Bound::Exact), 0, "a mate score");
    let check = position(IN_CHECK);
    let in_check = Node { static_eval: None, depth: 8, ..scout(&check) };
    let mut worker = worker(&check, all());
    let learnt = correction(&mut worker, &in_check, Some("Ke2"), cp(200), Bound::Exact);
    assert_eq!(learnt, 0, "no static evaluation in check");
}

/// The result of a singular search is not valid for the position.
#[test]
fn a_search_with_an_excluded_move_stores_no_entry_and_no_correction() {
    let calm = position(CALM);
    let mut worker = worker(&calm, all());
    worker.frame(PLY).excluded = Some(mv(&calm, "a3"));
    let window = Window::above(cp(300));
    let score = worker.search::<ScoutNode>(&calm, PLY, window, 3, true);
    assert!(score.is_ok());
    assert_eq!(worker.shared.table.probe(calm.key()), None);
    assert_eq!(worker.histories.corrections.correction(&calm), 0);
}

/// The butterfly history of `san`, a move of White, after `teach` in the position behind it.
fn learnt_after(worker: &mut TestWorker, san: &str, teach: impl Fn(&mut TestWorker, &Node<'_>)) -> i32 {
    let board = position(CAPTURES);
    let mv = mv(&board, san);
    let frame = worker.frame(PLY - 1);
    (frame.mv, frame.moved, frame.eval) = (Some(mv), Some(PieceTo::of(&board, mv)), Some(cp(0)));
    let after = board.after(mv);
    teach(worker, &Node { depth: 5, ..scout(&after) });
    worker.histories.quiet(&board, &Context::default()).butterfly(mv)
}

#[test]
fn a_fail_low_gives_a_bonus_to_the_previous_quiet_move() {
    let board = position(CAPTURES);
    let teach = |worker: &mut TestWorker, node: &Node<'_>| worker.learn_from_fail_low(node);
    let act = |worker: &mut TestWorker| learnt_after(worker, "h3", teach) > 0;
    assert_switch(Technique::FailLowBonus, &board, act, true, false);
    assert_eq!(learnt_after(&mut worker(&board, all()), "bxa5", teach), 0, "captures get no quiet history");
}

#[test]
fn a_quiet_move_gets_a_bonus_by_the_evaluation_it_gains() {
    let board = position(CAPTURES);
    let act = |eval: i32, excluded: Option<Move>| {
        move |worker: &mut TestWorker| {
            learnt_after(worker, "h3", |worker, node| {
                let (static_eval, position) = (Some(cp(eval)), node.position);
                worker.learn_from_evaluation(&Node { static_eval, excluded, ..scout(position) });
            })
            .signum()
        }
    };
    assert_switch(Technique::EvaluationBonus, &board, act(-50, None), 1, 0);
    assert_switch(Technique::EvaluationBonus, &board, act(50, None), -1, 0);
    assert_switch(Technique::EvaluationBonus, &board, act(0, None), 0, 0);
    let reply = mv(&board.after(mv(&board, "h3")), "Ke7");
    assert_switch(Technique::EvaluationBonus, &board, act(-50, Some(reply)), 0, 0);
}
