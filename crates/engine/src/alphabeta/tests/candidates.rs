//! Tests of candidates: node pruning, reductions, extensions, move pruning.

use rukh_chess::Position;
use rukh_eval::Score;

use super::super::buffer::Buffer;
use super::super::node::{Candidate, Extension, Node, Window};
use super::super::picker::{Picker, Refutations};
use super::super::worker::ScoutNode;
use super::fixture::{
    CALM, PLY, TestWorker, all, assert_switch, candidate, cp, entry, mv, on, only, position, scout, worker,
};
use crate::api::Bound;
use crate::histories::Context;
use crate::params;
use crate::technique::{Technique, TechniqueOverrides};

/// A white knight can take a rook.
const HANGING_ROOK: &str = "4k3/ppp2ppp/8/3r4/8/2N5/PPP3PP/4K3 w - - 0 1";
/// A white knight can take a guarded pawn.
const GUARDED_PAWN: &str = "4k3/1pp2ppp/4p3/3p4/8/2N1P3/PPP2PPP/4K3 w - - 0 1";

#[test]
fn null_moves_are_guarded_by_node_type_and_hash_move() {
    let hanging = position(HANGING_ROOK);
    let plain = Node { depth: params::null_min_depth(), window: Window::above(cp(-1001)), ..scout(&hanging) };
    let cut = Node { is_cut: true, ..plain };
    let [quiet, noisy] = ["a3", "Nxd5"].map(|san| Node { table_move: Some(mv(&hanging, san)), ..plain });
    for (technique, node, is_tried) in [
        (Technique::NullCutNode, &plain, false),
        (Technique::NullCutNode, &cut, true),
        (Technique::NullTableGuard, &plain, true),
        (Technique::NullTableGuard, &quiet, true),
        (Technique::NullTableGuard, &noisy, false),
    ] {
        let act = |worker: &mut TestWorker| worker.null_move(node).is_ok_and(|score| score.is_some());
        assert_switch(technique, &hanging, act, is_tried, true);
    }
}

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
    let cut = Node { is_cut: true, ..plain };
    let near = Node { eval: beta, ..plain };
    let confirmed = Node { entry: Some(entry(goal, 0, Bound::Lower)), ..plain };
    let refuted = Node { entry: Some(entry(goal, 0, Bound::Upper)), ..plain };
    for (technique, node, is_tried) in [
        (Technique::ProbcutCutNode, &plain, false),
        (Technique::ProbcutCutNode, &cut, true),
        (Technique::ProbcutGuard, &plain, false),
        (Technique::ProbcutGuard, &refuted, false),
        (Technique::ProbcutGuard, &near, true),
        (Technique::ProbcutGuard, &confirmed, true),
    ] {
        let act = |worker: &mut TestWorker| worker.probcut(node).is_ok_and(|score| score.is_some());
        assert_switch(technique, &hanging, act, is_tried, true);
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

/// The sum of the reductions of a quiet move over all move numbers, with a candidate and without it.
fn reductions(technique: Technique, node: &Node<'_>, correction: i32) -> [i32; 2] {
    let quiet = mv(node.position, "a3");
    let child = node.position.after(quiet);
    [on(technique), all()].map(|techniques| {
        let mut worker = worker(node.position, techniques);
        worker.root_width = 1000;
        worker.frame(PLY).correction = correction;
        let plies = |number| worker.reduction(node, &candidate(quiet, number), &child).unwrap_or(0);
        (2..64).map(plies).sum()
    })
}

#[test]
fn candidates_change_reductions_by_their_reasons() {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let calm = position(CALM);
    let plain = Node { depth: 8, table_move: Some(mv(&calm, "h3")), ..scout(&calm) };
    let wide = Window::new(cp(-1), cp(999));
    for (technique, node, correction, change) in [
        (Technique::CutNodeReduction, Node { is_cut: true, ..plain }, 0, Greater),
        (Technique::CutNodeReduction, plain_of(&plain), 0, Equal),
        (Technique::NoMoveReduction, Node { table_move: None, ..plain }, 0, Greater),
        (Technique::NoMoveReduction, plain_of(&plain), 0, Equal),
        (Technique::WindowReduction, Node { window: wide, is_pv: true, ..plain }, 0, Less),
        (Technique::WindowReduction, plain_of(&plain), 0, Equal),
        (Technique::CorrectionReduction, plain_of(&plain), -80, Less),
        (Technique::CorrectionReduction, plain_of(&plain), 0, Equal),
    ] {
        let [with, without] = reductions(technique, &node, correction);
        assert_eq!(with.cmp(&without), change, "{technique}: {with} and {without}");
    }
}

fn plain_of<'p>(node: &Node<'p>) -> Node<'p> {
    Node { ..*node }
}

#[test]
fn a_score_near_the_best_is_searched_again_less_deep() {
    let calm = position(CALM);
    let quiet = Candidate { best: cp(30), ..candidate(mv(&calm, "a3"), 5) };
    let enough = cp(30 + params::shallower_margin());
    for (found, is_poor) in [(enough - 1, true), (enough, false)] {
        let act = |worker: &mut TestWorker| worker.is_poor(&quiet, found);
        assert_switch(Technique::ShallowerResearch, &calm, act, is_poor, false);
    }
}

/// A node in which the hash move a3 is singular unless another move, all of which score zero, reaches `goal`.
fn node_with_goal(position: &Position, goal: i32) -> Node<'_> {
    let depth = params::singular_min_depth();
    let score = cp(goal + params::singular_margin() * depth / 64);
    let entry = entry(score, depth - params::singular_depth_slack(), Bound::Lower);
    let table_move = Some(mv(position, "a3"));
    Node { depth, window: Window::above(score + 50), entry: Some(entry), table_move, ..scout(position) }
}

/// The extension of a3 in plies, or the score of a cut-off.
fn extension(node: &Node<'_>) -> impl Fn(&mut TestWorker) -> Result<i32, Score> {
    move |worker| match worker.extend::<ScoutNode>(node, mv(node.position, "a3")).expect("it is not stopped")
    {
        Extension::Plies(plies) => Ok(plies),
        Extension::Cutoff(score) => Err(score),
    }
}

#[test]
fn singular_moves_are_extended_by_three_plies() {
    let calm = position(CALM);
    // The other moves score between zero and the middle of zero and the goal.
    let triple = node_with_goal(&calm, 4 * params::singular_triple_margin());
    let double = node_with_goal(&calm, params::singular_triple_margin());
    let pv = Node { is_pv: true, ..plain_of(&triple) };
    for (node, with, without) in [(&triple, 3, 2), (&double, 2, 2), (&pv, 1, 1)] {
        assert_switch(Technique::TripleExtension, &calm, extension(node), Ok(with), Ok(without));
    }
    let shared = node_with_goal(&calm, 0);
    let score = shared.entry.expect("it was given").score(PLY);
    let expected = Node { window: Window::above(score - 1), ..plain_of(&shared) };
    let cut = Node { is_cut: true, ..plain_of(&shared) };
    for (node, plies) in [(&expected, -2), (&cut, -1), (&shared, 0)] {
        assert_eq!(extension(node)(&mut worker(&calm, all())), Ok(plies));
    }
}

#[test]
fn multicut_takes_the_score_of_the_singular_search_and_blends_it() {
    let calm = position(CALM);
    let low = Node { window: Window::above(cp(-11)), ..node_with_goal(&calm, -20) };
    let act = |worker: &mut TestWorker| extension(&low)(worker).is_err_and(|score| score >= low.window.beta);
    assert_switch(Technique::DirectMulticut, &calm, act, true, false);
    let high = Node { window: Window::above(cp(50)), ..node_with_goal(&calm, -20) };
    assert_switch(Technique::DirectMulticut, &calm, extension(&high), Ok(0), Ok(0));

    let cut = Node { window: Window::above(cp(-41)), ..node_with_goal(&calm, 0) };
    let blended = cp(-40 + 40 * cut.depth / (cut.depth + 1));
    assert_switch(Technique::MulticutBlend, &calm, extension(&cut), Err(blended), Err(cp(0)));
}

#[test]
fn a_reduced_move_that_lost_nothing_is_extended_in_hindsight() {
    let calm = position(CALM);
    for (reduction, eval, plies) in [(3, 0, 1), (5, -80, 1), (2, 0, 0), (3, 1, 0)] {
        let act = |worker: &mut TestWorker| {
            let frame = worker.frame(PLY - 1);
            (frame.reduction, frame.eval) = (reduction, Some(cp(0)));
            let mut node = Node { depth: 5, static_eval: Some(cp(eval)), ..scout(&calm) };
            worker.extend_in_hindsight(&mut node);
            node.depth - 5
        };
        assert_switch(Technique::HindsightExtension, &calm, act, plies, 0);
    }
}

fn prunes(node: &Node<'_>, san: &str, number: usize) -> impl Fn(&mut TestWorker) -> bool {
    let candidate = candidate(mv(node.position, san), number);
    move |worker| {
        let mut picker = Picker::all(Buffer::default(), None, Refutations::default());
        let alpha = node.window.alpha;
        worker.prunes_move(node, &mut picker, &candidate, alpha, alpha).is_some()
    }
}

#[test]
fn the_see_margin_of_captures_grows_with_capture_history() {
    let guarded = position(GUARDED_PAWN);
    let loss = params::see_knight() - params::see_pawn();
    let depth = loss / params::see_noisy_margin();
    let node = Node { depth, is_improving: true, ..scout(&guarded) };
    let takes = mv(&guarded, "Nxd5");
    for (bonus, is_pruned) in [(1000, false), (0, true), (-1000, true)] {
        let act = |worker: &mut TestWorker| {
            for _ in 0..100 {
                worker.histories.learn_capture(&guarded, takes, bonus);
            }
            prunes(&node, "Nxd5", 2)(worker)
        };
        assert_switch(Technique::ExchangeHistory, &guarded, act, is_pruned, true);
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
