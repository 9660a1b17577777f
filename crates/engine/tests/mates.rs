//! Mates and draws: every reported mate has a complete line. The checks of `common` apply to every search.

use rukh_engine::Engine;
use rukh_engine::api::{Bound, Limits, Request, Settings};
use rukh_eval::ScoreKind;

use crate::common::{position, search, to_depth};

/// Positions with the number of moves in which the side to move mates or, if negative, is mated.
const MATES: [(&str, i32); 10] = [
    ("2r3k1/5ppp/8/8/8/8/4QPPP/4R1K1 w - - 0 1", 2),
    ("k7/8/8/1K6/8/8/8/6R1 w - - 0 1", 2),
    ("8/8/8/8/8/k7/3r4/1K6 b - - 0 1", 3),
    ("7k/8/8/3K4/8/8/8/5Q2 w - - 0 1", 4),
    ("8/8/8/8/8/2k5/r7/4K3 b - - 0 1", 5),
    ("8/8/8/5R2/8/8/8/3K2k1 w - - 0 1", 6),
    ("8/8/8/8/8/5k2/8/3q3K w - - 0 1", -2),
    ("8/8/8/8/8/k7/3r4/K7 w - - 0 1", -3),
    ("8/8/8/8/8/3k4/r7/4K3 w - - 0 1", -4),
    ("8/8/8/8/8/2k5/r7/3K4 w - - 0 1", -5),
];

fn limited(fen: &str, limits: Limits) -> Request {
    Request::from_position(position(fen), limits)
}

#[test]
fn a_requested_mate_is_found_with_the_right_distance() {
    for (fen, moves) in MATES {
        let limits = Limits { mate: Some(moves), nodes: Some(200_000), ..Limits::default() };
        let reported = search(&mut Engine::new(), limited(fen, limits));
        assert_eq!(reported.last().score.kind(), ScoreKind::Mate(moves), "{fen}: {:?}", reported.last());
        assert!(reported.lines.last().is_some_and(|(_, progress)| progress.nodes < 200_000), "{fen}");
    }
}

#[test]
fn without_the_requested_mate_a_move_is_still_played() {
    let limits = Limits { mate: Some(2), nodes: Some(20_000), ..Limits::default() };
    let reported = search(&mut Engine::new(), limited("7k/8/8/3K4/8/8/8/5Q2 w - - 0 1", limits));
    assert!(reported.best.is_some());
    assert!(!matches!(reported.last().score.kind(), ScoreKind::Mate(..=3)), "{:?}", reported.last());
}

#[test]
fn mate_lines_of_multipv_are_complete() {
    let mut engine = Engine::new();
    engine.set(Settings { multipv: 3, ..engine.settings() });
    let mut ranks = [0; 3];
    for (fen, _) in MATES {
        engine.clear();
        let reported = search(&mut engine, to_depth(fen, 11));
        for (line, _) in reported.lines.iter().filter(|(line, _)| line.score.is_mate()) {
            ranks[line.multipv - 1] += 1;
        }
    }
    assert!(ranks.iter().all(|&mates| mates > 5), "{ranks:?}");
}

/// Whether a mate in `claimed` moves is consistent with a shortest mate in `moves`.
fn is_possible(claimed: i32, moves: i32) -> bool {
    claimed.signum() == moves.signum() && claimed.abs() >= moves.abs()
}

/// A search stopped at any point reports no mate shorter than the true one.
#[test]
fn an_interrupted_search_reports_no_false_mate() {
    for threads in [1, 2] {
        let mut engine = Engine::new();
        engine.set(Settings { threads, ..engine.settings() });
        for (fen, moves) in MATES {
            for nodes in (1..=24).map(|step| step * step * 40) {
                engine.clear();
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let reported = search(&mut engine, limited(fen, limits));
                for (line, _) in reported.lines.iter().filter(|(line, _)| line.bound == Bound::Exact) {
                    if let ScoreKind::Mate(claimed) = line.score.kind() {
                        assert!(is_possible(claimed, moves), "{fen} after {nodes} nodes: {line:?}");
                    }
                }
            }
        }
    }
}

/// The last line of a stopped search is exact, unless a new best move has just failed high: then only a bound is known.
#[test]
fn the_last_line_is_exact_unless_a_new_best_move_failed_high() {
    let mut engine = Engine::new();
    let mut unfinished = 0;
    for fen in ["r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 4 8", MATES[9].0] {
        for nodes in (2..=40).map(|step| step * 500) {
            engine.clear();
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let reported = search(&mut engine, limited(fen, limits));
            let (last, before) = reported.lines.split_last().expect("there is a line");
            let finished = &before.last().expect("an iteration was finished").0;
            let is_new_move = finished.pv.first() != last.0.pv.first();
            unfinished += i32::from(*finished != last.0);
            assert!(last.0.bound == Bound::Exact || is_new_move, "{fen} after {nodes} nodes: {last:?}");
        }
    }
    assert!(unfinished > 0, "some search was interrupted within an iteration");
}

#[test]
fn a_perpetual_check_ends_with_the_repetition() {
    // White is about to be mated and gives perpetual check.
    let reported = search(&mut Engine::new(), to_depth("5r1k/5p1p/8/6Q1/8/1q6/r7/7K w - - 0 1", 8));
    let line = reported.last();
    assert!(line.score.value().abs() <= 1, "{line:?}");
    let mut here = position("5r1k/5p1p/8/6Q1/8/1q6/r7/7K w - - 0 1");
    let mut keys = vec![here.key()];
    for &mv in &line.pv {
        here = here.after(mv);
        keys.push(here.key());
    }
    let last = keys.pop().expect("there are moves");
    assert!(keys.contains(&last), "the line ends with a repetition: {line:?}");
}

/// A mate after the fifty-move rule is not reported, even if it is stored in the transposition table.
#[test]
fn a_mate_after_the_fifty_move_rule_is_not_reported() {
    let mut engine = Engine::new();
    let fresh = search(&mut engine, to_depth("8/8/8/8/8/2k5/r7/4K3 b - - 0 1", 11));
    assert_eq!(fresh.last().score.kind(), ScoreKind::Mate(5));
    for (clock, is_won) in [(89, true), (91, true), (92, false), (96, false)] {
        let reported = search(&mut engine, to_depth(&format!("8/8/8/8/8/2k5/r7/4K3 b - - {clock} 80"), 11));
        assert_eq!(reported.last().score.is_mate(), is_won, "{clock}: {:?}", reported.last());
    }
}
