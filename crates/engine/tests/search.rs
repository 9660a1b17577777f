//! Whole searches through the public interface.

use std::time::{Duration, Instant};

use rukh_chess::game::Game;
use rukh_chess::types::ByColor;
use rukh_engine::Engine;
use rukh_engine::api::{Clock, Event, Limits, Request, Settings};
use rukh_eval::ScoreKind;

use crate::common::{SearchLog, position, search, start, to_depth};

fn nodes(reported: &SearchLog) -> u64 {
    reported.lines.last().map_or(0, |(_, progress)| progress.nodes)
}

const MIDDLEGAME: &str = "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 4 8";

#[test]
fn node_counts_on_one_thread_are_reproducible() {
    let mut engine = Engine::new();
    let first = search(&mut engine, to_depth(MIDDLEGAME, 9));
    engine.clear();
    let again = search(&mut engine, to_depth(MIDDLEGAME, 9));
    assert_eq!((nodes(&first), first.best), (nodes(&again), again.best));
    let other = search(&mut Engine::new(), to_depth(MIDDLEGAME, 9));
    assert_eq!(nodes(&first), nodes(&other));
    assert!(nodes(&first) > 1_000);
}

#[test]
fn mates_are_found_with_the_right_distance() {
    for (fen, moves, depth) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1, 2),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", 1, 3),
        ("k7/8/2K5/8/8/8/8/1Q6 w - - 0 1", 1, 3),
        ("8/8/8/8/8/5k2/8/4q2K w - - 0 1", -2, 5),
        ("6k1/pp3ppp/8/8/8/8/5PPP/2R1R1K1 w - - 0 1", 1, 4),
        ("7k/8/R7/1R6/8/8/8/K7 w - - 0 1", 2, 12),
    ] {
        let reported = search(&mut Engine::new(), to_depth(fen, depth));
        let (line, _) = reported.lines.last().expect("there is a line");
        assert_eq!(line.score.kind(), ScoreKind::Mate(moves), "{fen}: {line:?}");
    }
}

#[test]
fn without_a_legal_move_there_is_no_best_move() {
    for fen in ["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "k7/8/1Q6/8/8/8/8/K7 b - - 0 1"] {
        let reported = search(&mut Engine::new(), to_depth(fen, 5));
        assert_eq!((reported.best, reported.lines.len()), (None, 0), "{fen}");
    }
}

#[test]
fn searchmoves_restricts_the_best_move() {
    let root = position(MIDDLEGAME);
    let wanted = ["a1b1", "h2h3"].map(|text| root.parse_uci(text).expect("legal"));
    let limits = Limits { depth: Some(6), search_moves: wanted.to_vec(), ..Limits::default() };
    let reported = search(&mut Engine::new(), Request::from_position(root, limits));
    assert!(reported.best.is_some_and(|best| wanted.contains(&best)));
}

#[test]
fn multipv_lines_differ_and_are_sorted_by_score() {
    let mut engine = Engine::new();
    engine.set(Settings { multipv: 4, ..engine.settings() });
    let reported = search(&mut engine, to_depth(MIDDLEGAME, 7));
    let last: Vec<_> = reported.lines.iter().rev().take(4).rev().map(|(line, _)| line).collect();
    assert_eq!(last.iter().map(|line| line.multipv).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(last.iter().all(|line| line.depth == 7));
    assert!(last.is_sorted_by(|a, b| a.score >= b.score), "{last:?}");
    let mut firsts = last.iter().map(|line| line.pv[0].bits()).collect::<Vec<_>>();
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
    // More lines than legal moves.
    engine.set(Settings { multipv: 256, ..engine.settings() });
    let reported = search(&mut engine, to_depth("7k/8/8/8/8/8/8/K7 w - - 0 1", 3));
    assert!(reported.lines.iter().all(|(line, _)| line.multipv <= 3));
}

#[test]
fn node_limits_are_kept() {
    for limit in [1, 100, 5_000, 50_000] {
        let limits = Limits { nodes: Some(limit), ..Limits::default() };
        let reported = search(&mut Engine::new(), Request::from_position(position(MIDDLEGAME), limits));
        assert!(reported.best.is_some());
        // The first iteration is always completed.
        assert!(nodes(&reported) <= limit.max(2_000), "{limit}: {}", nodes(&reported));
    }
}

/// The shortest of three runs, to reduce the effect of other load on the machine.
fn quickest(mut timed: impl FnMut() -> Duration) -> Duration {
    (0..3).map(|_| timed()).min().expect("there are three")
}

#[test]
fn time_limits_are_kept() {
    let mut engine = Engine::new();
    let timed = |engine: &mut Engine, limits: Limits| {
        quickest(|| {
            let start = Instant::now();
            let reported = search(engine, Request::from_position(position(MIDDLEGAME), limits.clone()));
            assert!(reported.best.is_some() && !reported.lines.is_empty());
            start.elapsed()
        })
    };
    let movetime = Limits { movetime: Some(Duration::from_millis(100)), ..Limits::default() };
    let took = timed(&mut engine, movetime);
    assert!((60..1_000).contains(&took.as_millis()), "{took:?}");
    let clock = Clock { remaining: Duration::from_millis(50), increment: Duration::ZERO };
    let took = timed(&mut engine, Limits { clocks: ByColor([Some(clock), None]), ..Limits::default() });
    assert!(took < Duration::from_secs(1), "{took:?}");
    let took =
        timed(&mut engine, Limits { clocks: ByColor([Some(Clock::default()), None]), ..Limits::default() });
    assert!(took < Duration::from_secs(1), "{took:?}");
}

#[test]
fn an_infinite_search_ends_when_it_is_stopped() {
    let mut engine = Engine::new();
    for threads in [1, 2] {
        engine.set(Settings { threads, ..engine.settings() });
        let took = quickest(|| {
            let limits = Limits { is_infinite: true, ..Limits::default() };
            let events = start(&mut engine, Request::from_position(position(MIDDLEGAME), limits));
            std::thread::sleep(Duration::from_millis(50));
            assert!(engine.is_searching());
            let before = Instant::now();
            engine.stop();
            let took = before.elapsed();
            assert!(matches!(events.try_iter().last(), Some(Event::Done { best: Some(_), .. })));
            took
        });
        assert!(took < Duration::from_secs(1), "{took:?}");
    }
}

#[test]
fn pondering_reports_no_move_before_ponderhit() {
    let mut engine = Engine::new();
    let clock = Clock { remaining: Duration::from_millis(100), increment: Duration::ZERO };
    let limits = Limits { clocks: ByColor([Some(clock), None]), is_ponder: true, ..Limits::default() };
    let events = start(&mut engine, Request::from_position(position(MIDDLEGAME), limits));
    std::thread::sleep(Duration::from_millis(250));
    assert!(engine.is_searching(), "the clock does not count yet");
    assert!(!events.try_iter().any(|event| matches!(event, Event::Done { .. })));
    engine.ponder_hit();
    engine.wait();
    assert!(matches!(events.try_iter().last(), Some(Event::Done { best: Some(_), .. })));
}

#[test]
fn two_threads_search_together() {
    let mut engine = Engine::new();
    engine.set(Settings { threads: 2, ..engine.settings() });
    let reported = search(&mut engine, to_depth(MIDDLEGAME, 9));
    assert!(reported.best.is_some());
    engine.set(Settings { threads: 1, ..engine.settings() });
    assert!(search(&mut engine, to_depth(MIDDLEGAME, 5)).best.is_some());
}

#[test]
fn a_draw_by_repetition_is_detected() {
    // Queen endgame with checks.
    let fen = "6k1/8/8/8/8/8/1q4PP/5Q1K w - - 0 1";
    let reported = search(&mut Engine::new(), to_depth(fen, 6));
    assert!(reported.best.is_some());
    // The position has occurred twice: a third occurrence is a draw.
    let mut game = Game::new(position("k7/8/8/8/8/8/r7/2K4R w - - 0 1"));
    for text in ["Rg1", "Rb2", "Rh1", "Ra2", "Rg1", "Rb2", "Rh1"] {
        let mv = game.position().parse_san(text).expect("legal");
        game.play(mv).expect("legal");
    }
    let limits = Limits { depth: Some(4), ..Limits::default() };
    let repetition = game.position().parse_san("Ra2").expect("legal");
    let only = Limits { search_moves: vec![repetition], ..limits };
    let reported = search(&mut Engine::new(), Request { game, limits: only });
    let (line, _) = reported.lines.last().expect("there is a line");
    assert!(line.score.value().abs() <= 1, "{line:?}");
}

#[test]
fn a_failed_resize_keeps_the_old_table() {
    let mut engine = Engine::new();
    assert!(engine.resize_hash(1 << 40).is_err());
    assert!(search(&mut engine, to_depth(MIDDLEGAME, 5)).best.is_some());
    assert!(engine.resize_hash(1).is_ok());
    assert!(search(&mut engine, to_depth(MIDDLEGAME, 5)).best.is_some());
}

/// The limit is that of all threads together. Beyond it are at most a node of each thread and the first iteration.
#[test]
fn threads_share_a_node_limit() {
    const THREADS: usize = 8;
    let visited = |engine: &mut Engine, request| {
        let reported = search(engine, request);
        reported.lines.iter().map(|(_, progress)| progress.nodes).max().expect("a line")
    };
    let first_iteration = visited(&mut Engine::new(), to_depth(MIDDLEGAME, 1));
    let mut engine = Engine::new();
    engine.set(Settings { threads: THREADS, ..Settings::default() });
    for nodes in [1, 100, 1_000, 5_000, 50_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let visited = visited(&mut engine, Request::from_position(position(MIDDLEGAME), limits));
        assert!(visited <= nodes + first_iteration + THREADS as u64, "{visited} nodes of {nodes}");
    }
}

/// Only `stop` or a ponder hit ends pondering and infinite analysis, whatever else is limited.
#[test]
fn a_reached_limit_does_not_end_pondering() {
    let mut engine = Engine::new();
    let pondering = Limits { nodes: Some(100), is_ponder: true, ..Limits::default() };
    let infinite = Limits { nodes: Some(100), is_infinite: true, ..Limits::default() };
    for (limits, is_ponder) in [(pondering, true), (infinite, false)] {
        let events = start(&mut engine, Request::from_position(position(MIDDLEGAME), limits));
        let is_done = || events.try_iter().any(|event| matches!(event, Event::Done { .. }));
        std::thread::sleep(Duration::from_millis(200));
        assert!(!is_done(), "the move came too early");
        if is_ponder {
            engine.ponder_hit();
        } else {
            engine.stop();
        }
        engine.wait();
        assert!(is_done());
    }
}

/// More threads than the machine can use would only wait for each other.
#[test]
fn too_many_threads_do_not_delay_the_move() {
    let mut engine = Engine::new();
    engine.set(Settings { threads: 1_000_000, ..Settings::default() });
    let sentence = engine.thread_shortage().expect("no machine has so many processors");
    assert!(sentence.starts_with("1000000 threads are set and "), "{sentence}");
    assert!(engine.threads() < 1_000_000);
    let limits = Limits { movetime: Some(Duration::from_millis(200)), ..Limits::default() };
    let took = quickest(|| {
        let begun = Instant::now();
        search(&mut engine, Request::from_position(position(MIDDLEGAME), limits.clone()));
        begun.elapsed()
    });
    assert!(took < Duration::from_secs(2), "{took:?}");
    engine.set(Settings { threads: 2, ..Settings::default() });
    assert_eq!((engine.threads(), engine.thread_shortage()), (2, None));
}
