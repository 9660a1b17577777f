//! Transposition table, null move, futility, reductions, late move pruning.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rukh_engine::Engine;
use rukh_engine::api::{Bound, Event, Limits, Request};
use rukh_engine::teaching::{Counted, Order, alpha_beta};
use rukh_engine::technique::Technique;
use rukh_engine::witness::{Purpose, SkipReason};
use rukh_eval::{Material, Score};

use super::common::{KIWIPETE, MIDDLEGAME, TREBUCHET, nodes_of_three, position, search, tree, walk};

/// The greatest filling of the table, in permille, that a search of so many nodes reports.
fn filling(mebibytes: usize, nodes: u64) -> u32 {
    let mut engine = Engine::new();
    engine.resize_hash(mebibytes).expect("there is memory");
    let seen = Arc::new(AtomicU32::new(0));
    let report = seen.clone();
    let listener = move |event: Event| {
        if let Event::Line(_, progress) = event {
            report.fetch_max(progress.hashfull, Ordering::Relaxed);
        }
    };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    engine.start(Request::from_position(position(MIDDLEGAME), limits), Arc::new(listener));
    engine.wait();
    seen.load(Ordering::Relaxed)
}

#[test]
fn transposition_table_1_a_small_table_is_soon_full() {
    const ENTRY: usize = 16;
    assert_eq!((16 << 20) / ENTRY, 1 << 20, "16 MiB hold about a million positions");
    let (small, large) = (filling(1, 300_000), filling(64, 300_000));
    assert!(small > 500 && large < 100, "{small} and {large} permille");
}

#[test]
fn transposition_table_2_a_mate_is_stored_by_its_distance() {
    // A mate three plies below the position, which stands at ply 4 the first time and at ply 10 the next.
    let found = Score::mate_at(7);
    let stored = found.to_table(4);
    assert_eq!(Score::from_table(stored, 4), found);
    assert_eq!(Score::from_table(stored, 10), Score::mate_at(13), "three plies below ply 10");
    let plain = Score::new(35);
    assert_eq!(Score::from_table(plain.to_table(4), 10), plain);
}

#[test]
fn null_move_1_a_null_window_is_cheaper() {
    let start = position(KIWIPETE);
    let leaves = |window| {
        let mut counted = Counted::<Material>::default();
        let score = alpha_beta(&start, 0, 3, window, Order::CapturesFirst, &mut counted);
        (score, counted.count)
    };
    let (value, all) = leaves((Score::MIN, Score::MAX));
    for beta in [value - 200, value, value + 1, value + 200] {
        let (score, count) = leaves((beta - 1, beta));
        assert_eq!(score >= beta, value >= beta, "the question is answered");
        assert!(count < all, "{count} of {all} leaves for beta {beta}");
    }
}

#[test]
fn null_move_2_who_must_move_loses() {
    for fen in [TREBUCHET.to_owned(), TREBUCHET.replace(" w ", " b ")] {
        let score = search(&fen, 10, "").score.expect("there is a move");
        assert!(score.value() < -300, "{fen}: {score}");
    }
}

#[test]
fn futility_1_a_mean_with_a_mate_is_no_score() {
    let (mate, beta) = (Score::mate_at(9), Score::new(40));
    let mean = i32::midpoint(mate.value(), beta.value());
    assert!(mate.is_mate() && mean != mate.value());
    // It is neither a mate nor a number that an evaluation gives.
    assert_eq!(Score::from_value(mean).mate_plies(), None);
    assert!(mean > 10_000, "{mean}");
}

#[test]
fn futility_2_what_margins_save() {
    let with = nodes_of_three("");
    for off in ["reverse-futility", "reverse-futility,razoring,futility"] {
        assert!(nodes_of_three(off) > with, "{off}");
    }
    // The quiet move of the chapter is found with all of them.
    let quiet = "2r3k1/1n3p1p/5Pp1/1b6/7Q/7P/r5P1/7K w - - 0 1";
    let best = search(quiet, 10, "").best.expect("there is a move");
    assert_eq!(position(quiet).san(best), "Qh6");
}

#[test]
fn lmr_1_some_re_searches_are_in_vain() {
    let recorded = tree(MIDDLEGAME, 10, "");
    let (mut all, mut in_vain) = (0, 0);
    walk(&recorded, &mut |_, node| {
        if node.purpose == Purpose::DepthResearch {
            all += 1;
            // A lower bound for the opponent: the move failed low after all.
            in_vain += u32::from(node.bound == Bound::Lower);
        }
    });
    assert!(in_vain > 0 && in_vain < all, "{in_vain} of {all}");
}

#[test]
fn lmr_2_a_reduced_search_keeps_a_ply() {
    let mut reduced = 0;
    let recorded = tree(MIDDLEGAME, 10, "");
    walk(&recorded, &mut |_, node| {
        if node.purpose == Purpose::Reduced {
            reduced += 1;
            assert!(node.depth >= 1, "depth {}", node.depth);
        }
    });
    assert!(reduced > 100, "{reduced}");
}

/// The moves that a loop looks at until `limit` counted moves are reached, if futility skips each of them.
fn looked_at(moves: usize, limit: usize, counts_skipped: bool) -> usize {
    let mut counted = 0;
    (0..moves)
        .take_while(|_| {
            counted < limit && {
                counted += usize::from(counts_skipped);
                true
            }
        })
        .count()
}

#[test]
fn lmp_1_skipped_moves_count() {
    assert_eq!(looked_at(40, 8, true), 8);
    assert_eq!(looked_at(40, 8, false), 40, "the limit is never reached");
}

#[test]
fn lmp_2_moves_that_are_skipped() {
    let skipped = |switched| {
        let recorded = tree(MIDDLEGAME, 10, switched);
        let reason = SkipReason::Technique(Technique::LateMovePruning);
        (recorded.totals.skipped.get(&reason).copied().unwrap_or(0), recorded.nodes)
    };
    let (count, nodes) = skipped("");
    assert!(count > nodes, "{count} moves were skipped and {nodes} nodes searched");
    assert_eq!(skipped("late-move-pruning").0, 0);
}
