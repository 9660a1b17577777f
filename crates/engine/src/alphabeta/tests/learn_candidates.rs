//! Tests of candidates: histories, node entry, root order and time.

use rukh_chess::{Color, Move};

use super::super::node::Node;
use super::super::stability::Stability;
use super::fixture::{CALM, PLY, TestWorker, assert_switch, cp, mv, position, scout};
use crate::api::Bound;
use crate::histories::{Context, PieceTo};
use crate::params;
use crate::technique::{Technique, TechniqueSet};

const CAPTURES: &str = "4k3/2p2ppp/1p6/r2p4/1P6/3Q4/5PPP/4K3 w - - 0 1";

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
fn a_capture_gets_a_bonus_if_all_replies_fail_low() {
    let board = position(CAPTURES);
    for (san, change) in [("bxa5", 1), ("h3", 0)] {
        let act = |worker: &mut TestWorker| {
            let mv = mv(&board, san);
            let frame = worker.frame(PLY - 1);
            (frame.mv, frame.moved) = (Some(mv), Some(PieceTo::of(&board, mv)));
            frame.captured = board.captured_by(mv);
            worker.learn_from_fail_low(&Node { depth: 5, ..scout(&board.after(mv)) });
            worker.histories.capture_of(&board, mv).signum()
        };
        assert_switch(Technique::PriorCaptureBonus, &board, act, change, 0);
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
        let mut notes = Stability::default();
        (0..2).for_each(|_| notes.note(quiet, cp(0)));
        notes.note_changes(changes);
        let act = |worker: &mut TestWorker| {
            worker.last_score = last;
            let factor = worker.further_time_factor(&notes);
            i32::from(factor > 1.0) - i32::from(factor < 1.0)
        };
        assert_switch(technique, &calm, act, change, 0);
    }
}
