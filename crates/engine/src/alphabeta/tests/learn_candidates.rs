//! Tests of candidates: histories, correction history, node entry, quiescence, windows, root order and time.

use rukh_chess::{Color, Move, Piece, Position, Square};
use rukh_eval::Score;

use super::super::enter::Entered;
use super::super::node::{Best, Node, Window};
use super::super::quiesce::QuiescenceDepth;
use super::super::stability::Stability;
use super::super::worker::ScoutNode;
use super::fixture::{CALM, PLY, TestWorker, assert_switch, cp, known, mv, position, scout, worker};
use crate::api::Bound;
use crate::histories::{Context, PieceTo};
use crate::params;
use crate::technique::{Technique, TechniqueOverrides, TechniqueSet};

const CAPTURES: &str = "4k3/2p2ppp/1p6/r2p4/1P6/3Q4/5PPP/4K3 w - - 0 1";

/// A move of Black, as the move before a node.
fn previous() -> Option<PieceTo> {
    Some(PieceTo::new(Color::Black, Piece::Rook, Square::A5))
}

/// The context of a node after that move.
fn context() -> Context {
    [previous(), None, None].into()
}

fn continuation(worker: &TestWorker, board: &Position, mv: Move) -> i32 {
    worker.histories.quiet(board, &context()).continuation(mv)
}

/// Enters the frame of a move of White that led to the node at [`PLY`], after [`previous`]. The position behind it.
fn after(worker: &mut TestWorker, board: &Position, san: &str, number: usize) -> Position {
    let mv = mv(board, san);
    worker.frame(PLY - 2).moved = previous();
    let frame = worker.frame(PLY - 1);
    (frame.mv, frame.moved, frame.number) = (Some(mv), Some(PieceTo::of(board, mv)), number);
    frame.captured = board.captured_by(mv);
    frame.eval = Some(cp(0));
    board.after(mv)
}

#[test]
fn a_search_after_a_reduced_one_teaches_continuation_history() {
    let board = position(CAPTURES);
    for (san, is_above, change) in [("h3", true, 1), ("h3", false, -1), ("bxa5", true, 0)] {
        let act = |worker: &mut TestWorker| {
            let node = Node { depth: 5, context: context(), ..scout(&board) };
            worker.learn_from_research(&node, mv(&board, san), is_above);
            continuation(worker, &board, mv(&board, san)).signum()
        };
        assert_switch(Technique::ReducedBonus, &board, act, change, 0);
    }
}

#[test]
fn the_malus_fades_with_the_move_number() {
    let calm = position(CALM);
    let quiet: Vec<Move> = calm.legal_moves().iter().copied().collect();
    let (&best, tried) = quiet.split_last().expect("there are moves");
    assert!(tried.len() as i32 > params::fading_malus_moves());
    let act = |worker: &mut TestWorker| {
        worker.learn_from_cutoff(&Node { depth: 5, ..scout(&calm) }, best, tried);
        let histories = worker.histories.quiet(&calm, &Context::default());
        let of = |index: usize| histories.butterfly(tried[index]);
        (of(0) == of(1), of(0) < of(tried.len() - 1))
    };
    assert_switch(Technique::FadingMalus, &calm, act, (true, true), (true, false));
}

#[test]
fn far_and_low_ply_histories_have_their_context() {
    let board = &position(CAPTURES);
    let quiet = mv(board, "h3");
    let act = |ply: usize| {
        move |worker: &mut TestWorker| {
            worker.frame(ply + 1).moved = previous();
            let context = worker.context(board, ply + 4);
            worker.histories.learn_quiet(board, quiet, &context, 1000);
            worker.histories.quiet(board, &context).far_continuation(quiet).signum()
        }
    };
    // The move stands three plies before; and without it only after another number of plies.
    assert_switch(Technique::FarContinuation, board, act(2), 1, 0);
    let low = |ply: usize| {
        move |worker: &mut TestWorker| {
            let context = worker.context(board, ply);
            worker.histories.learn_quiet(board, quiet, &context, 1000);
            let known = worker.histories.quiet(board, &context).low_ply(quiet);
            worker.histories.clear_low_ply();
            (known.signum(), worker.histories.quiet(board, &context).low_ply(quiet))
        }
    };
    assert_switch(Technique::LowPlyHistory, board, low(1), (1, 0), (0, 0));
    assert_switch(Technique::LowPlyHistory, board, low(4), (0, 0), (0, 0));
}

#[test]
fn a_capture_gets_a_bonus_if_all_replies_fail_low() {
    let board = position(CAPTURES);
    for (san, change) in [("bxa5", 1), ("h3", 0)] {
        let act = |worker: &mut TestWorker| {
            let child = after(worker, &board, san, 1);
            worker.learn_from_fail_low(&Node { depth: 5, ..scout(&child) }, cp(0));
            worker.histories.capture_of(&board, mv(&board, san)).signum()
        };
        assert_switch(Technique::PriorCaptureBonus, &board, act, change, 0);
    }
}

#[test]
fn the_fail_low_bonus_depends_on_its_conditions() {
    let board = position(CAPTURES);
    let learnt = |techniques, number: usize, score: Score| {
        let mut worker = worker(&board, techniques);
        let child = after(&mut worker, &board, "h3", number);
        worker.learn_from_fail_low(&Node { depth: 5, ..scout(&child) }, score);
        worker.histories.quiet(&board, &Context::default()).butterfly(mv(&board, "h3"))
    };
    let on = TechniqueOverrides::these([Technique::ConditionalBonus]);
    let low = cp(-params::conditional_eval_margin());
    assert!(learnt(on, 9, cp(0)) > learnt(on, 8, cp(0)));
    assert!(learnt(on, 1, low) > learnt(on, 1, low + 1));
    let off = TechniqueOverrides::default();
    assert_eq!(learnt(off, 9, low), learnt(off, 1, cp(0)));
}

#[test]
fn correction_history_by_moves_and_with_more_keys() {
    let board = position(CAPTURES);
    let node = Node { depth: 8, ..scout(&board) };
    let best = Best { score: cp(200), mv: Some(mv(&board, "h3")) };
    let act = |worker: &mut TestWorker| {
        (worker.frame(PLY - 1).moved, worker.frame(PLY - 2).moved) = (previous(), previous());
        (0..20).for_each(|_| worker.learn_correction(&node, &best, Bound::Exact));
        let after_moves = worker.correction(&board, PLY);
        worker.frame(PLY - 1).moved = None;
        after_moves > worker.correction(&board, PLY)
    };
    assert_switch(Technique::ContinuationCorrection, &board, act, true, false);
    let is_large = |worker: &mut TestWorker| {
        (0..20).for_each(|_| worker.learn_correction(&node, &best, Bound::Exact));
        (worker.correction_context(PLY).is_large, worker.correction(&board, PLY) > 0)
    };
    assert_switch(Technique::LargeCorrection, &board, is_large, (true, true), (false, true));
}

fn score_at(worker: &mut TestWorker, position: &Position, window: Window, depth: i32, is_cut: bool) -> bool {
    let entered = worker.enter::<ScoutNode>(position, PLY, window, depth, is_cut);
    matches!(entered, Ok(Entered::Known(_)))
}

#[test]
fn a_table_cutoff_at_low_depth_agrees_with_the_node_type() {
    let calm = position(CALM);
    let shallow = params::table_node_type_max_depth();
    for (score, bound, depth, is_cut, cuts) in [
        (200, Bound::Lower, shallow, true, true),
        (200, Bound::Lower, shallow, false, false),
        (200, Bound::Lower, shallow + 1, false, true),
        (0, Bound::Upper, shallow, false, true),
        (0, Bound::Upper, shallow, true, false),
    ] {
        let act = |worker: &mut TestWorker| {
            worker.shared.table.store(calm.key(), known(cp(score), depth, bound));
            score_at(worker, &calm, Window::above(cp(100)), depth, is_cut)
        };
        assert_switch(Technique::TableNodeType, &calm, act, cuts, true);
    }
}

#[test]
fn the_table_key_depends_on_a_late_halfmove_clock() {
    let at = |clock: u32| position(&CALM.replace(" 0 1", &format!(" {clock} 80")));
    for (clock, differs) in [(0, false), (10, false), (40, true), (90, true)] {
        let act = |worker: &mut TestWorker| worker.table_key(&at(clock)) != at(0).key();
        assert_switch(Technique::FiftyMoveKey, &at(0), act, differs, false);
    }
}

#[test]
fn an_upcoming_repetition_is_a_draw_at_least() {
    let calm = position(CALM);
    let cuts = |sans: [&'static str; 3], alpha: i32, is_quiescence: bool| {
        move |worker: &mut TestWorker| {
            let mut board = position(CALM);
            for (ply, san) in (PLY - 3..).zip(sans) {
                board = worker.make(&board, mv(&board, san), ply);
            }
            let window = Window::above(cp(alpha));
            if is_quiescence {
                let depth = QuiescenceDepth::CAPTURES_ONLY;
                let score = worker.quiesce::<ScoutNode>(&board, PLY, window, depth);
                // The side to move is level, so only the jitter of draw scores tells a repetition.
                return score.is_ok_and(|score| score.value().abs() == 1);
            }
            score_at(worker, &board, window, 4, false)
        }
    };
    let back = ["Nb3", "Nb6", "Nd2"];
    assert_switch(Technique::UpcomingRepetition, &calm, cuts(back, -51, false), true, false);
    assert_switch(Technique::UpcomingRepetition, &calm, cuts(back, -51, true), true, false);
    assert_switch(Technique::UpcomingRepetition, &calm, cuts(back, 50, false), false, false);
    let elsewhere = ["Nb3", "Nb6", "Nc5"];
    assert_switch(Technique::UpcomingRepetition, &calm, cuts(elsewhere, -51, false), false, false);
    let pawn = ["a3", "Nb6", "Nb3"];
    assert_switch(Technique::UpcomingRepetition, &calm, cuts(pawn, -51, false), false, false);
}

#[test]
fn optimism_favours_the_side_ahead_at_the_root() {
    let calm = position(CALM);
    for (ply, change) in [(PLY, 1), (PLY + 1, -1)] {
        let act = |worker: &mut TestWorker| {
            worker.optimism = 20;
            let (raw, eval) = worker.static_evaluation(&calm, ply, None);
            (eval.expect("not in check") - raw.expect("not in check")).signum()
        };
        assert_switch(Technique::Optimism, &calm, act, change, 0);
    }
    let quiet = mv(&calm, "a3");
    let ahead = stability(quiet, &[90, 90]);
    assert_switch(Technique::Optimism, &calm, |worker| worker.optimism_of(&ahead) > 0, true, false);
    let level = stability(quiet, &[0, 0]);
    assert_switch(Technique::Optimism, &calm, |worker| worker.optimism_of(&level) > 0, false, false);
}

#[test]
fn cutoffs_return_blended_scores() {
    let calm = position(CALM);
    for (beta, score, blended) in [(0, 80, 60), (0, 0, 0), (0, -80, -80)] {
        let node = Node { depth: 3, window: Window::above(cp(beta - 1)), ..scout(&calm) };
        let act = |worker: &mut TestWorker| worker.blended(&node, cp(score));
        assert_switch(Technique::FailHighBlend, &calm, act, cp(blended), cp(score));
    }
    // A pawn hangs; with it White is three pawns ahead.
    let loose = position("4k3/5ppp/8/3p4/8/2N5/5PPP/4K3 w - - 0 1");
    for (technique, beta, with, without) in [
        (Technique::StandPatBlend, 160, 180, 200),
        (Technique::StandPatBlend, 260, 300, 300),
        (Technique::QuiescenceBlend, 260, 280, 300),
        (Technique::QuiescenceBlend, 160, 200, 200),
    ] {
        let act = |worker: &mut TestWorker| {
            let (window, depth) = (Window::above(cp(beta - 1)), QuiescenceDepth::CAPTURES_ONLY);
            worker.quiesce::<ScoutNode>(&loose, PLY, window, depth).expect("the search is not stopped")
        };
        assert_switch(technique, &loose, act, cp(with), cp(without));
    }
}

#[test]
fn a_capture_in_quiescence_must_win_what_is_missing() {
    // The knight can be exchanged for the bishop.
    let guarded = position("4k3/5pp1/4p2p/3b4/8/2N5/5PPP/4K3 w - - 0 1");
    for (missing, is_searched) in [(-1, true), (50, false)] {
        let act = |worker: &mut TestWorker| {
            let eval = worker.evaluate(&guarded);
            let window = Window::above(eval + params::delta_margin() + missing);
            let depth = QuiescenceDepth::CAPTURES_ONLY;
            assert!(worker.quiesce::<ScoutNode>(&guarded, PLY, window, depth).is_ok());
            worker.nodes > 1
        };
        assert_switch(Technique::QuiescenceThreshold, &guarded, act, is_searched, true);
    }
}

fn stability(mv: Move, scores: &[i32]) -> Stability {
    let mut stability = Stability::default();
    scores.iter().for_each(|&score| stability.note(mv, cp(score)));
    stability
}

#[test]
fn aspiration_windows_are_widened_by_the_score() {
    let calm = position(CALM);
    for (score, is_wider) in [(500, true), (-500, true), (0, false)] {
        let act = |worker: &mut TestWorker| worker.width_by_score(cp(score)) > 0;
        assert_switch(Technique::AspirationScoreWidth, &calm, act, is_wider, false);
    }
}

#[test]
fn root_moves_without_a_score_are_ordered_by_nodes() {
    let calm = position(CALM);
    let order = |worker: &mut TestWorker| {
        worker.root.order_by_nodes(worker.techniques.has(Technique::RootNodeOrder));
        let [best, second] = ["b3", "h3"].map(|san| mv(&calm, san));
        worker.root.record(best, 10, Some((cp(0), Bound::Exact, &Vec::new())));
        worker.root.record(second, 500, None);
        worker.root.complete_iteration();
        let moves = worker.root.moves();
        (moves[0].mv == best, moves[1].mv == second)
    };
    assert_switch(Technique::RootNodeOrder, &calm, order, (true, true), (true, false));
}

#[test]
fn time_depends_on_changes_of_the_best_move_and_on_the_last_search() {
    let calm = position(CALM);
    let quiet = mv(&calm, "a3");
    for (technique, changes, last, change) in [
        (Technique::TimeMoveChanges, 4, None, 1),
        (Technique::TimeMoveChanges, 0, None, -1),
        (Technique::TimeTrend, 0, Some((Color::White, cp(90))), 1),
        (Technique::TimeTrend, 0, Some((Color::White, cp(-90))), -1),
        (Technique::TimeTrend, 0, Some((Color::White, cp(0))), 0),
        (Technique::TimeTrend, 0, Some((Color::Black, cp(90))), 0),
        (Technique::TimeTrend, 0, None, 0),
    ] {
        let mut notes = stability(quiet, &[0, 0]);
        notes.note_changes(changes);
        let act = |worker: &mut TestWorker| {
            worker.last_score = last;
            let factor = worker.further_time_factor(&notes);
            i32::from(factor > 1.0) - i32::from(factor < 1.0)
        };
        assert_switch(technique, &calm, act, change, 0);
    }
}
