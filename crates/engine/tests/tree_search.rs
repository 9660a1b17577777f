//! Monte Carlo tree search through the engine: limits, stopping, pondering, MultiPV, threads, levels, Chess960, playouts.

use std::time::{Duration, Instant};

use rukh_chess::game::{Ending, Game, Outcome};
use rukh_chess::random::SplitMix64;
use rukh_chess::{Color, Position};
use rukh_engine::api::{Algorithm, Clock, Event, Limits, LineInfo, Request, Settings};
use rukh_engine::strength::Strength;
use rukh_engine::technique::{Technique, TechniqueOverrides};
use rukh_engine::{Engine, SyncSearcher, spawn_search};
use rukh_eval::Evaluation;

const MIDDLEGAME: &str = "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 4 8";

fn position(fen: &str) -> Position {
    fen.parse().expect("the positions are valid")
}

/// An engine with a tree search that evaluates leaves statically.
fn engine(algorithm: Algorithm) -> Engine {
    let mut engine = Engine::new();
    engine.set(Settings { algorithm, overrides: static_leaves(), ..Settings::default() });
    engine
}

fn static_leaves() -> TechniqueOverrides {
    "leaf-search".parse().expect("it is a technique")
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn events(engine: &mut Engine, fen: &str, limits: Limits) -> Vec<Event> {
    engine.search(Request::from_position(position(fen), limits)).collect()
}

fn last_lines(events: &[Event], count: usize) -> Vec<LineInfo> {
    let lines: Vec<LineInfo> = Vec::from_iter(events.iter().filter_map(|event| match event {
        Event::Line(line, _) => Some(line.clone()),
        _ => None,
    }));
    lines[lines.len() - count..].to_vec()
}

#[test]
fn nodes_are_evaluated_leaves_and_the_limit_is_kept() {
    for algorithm in [Algorithm::Mcts, Algorithm::Uct] {
        let events = events(&mut engine(algorithm), MIDDLEGAME, nodes(300));
        let last = events.iter().rev().find_map(|event| match event {
            Event::Line(_, progress) => Some(progress.nodes),
            _ => None,
        });
        assert_eq!(last, Some(300));
        let Some(Event::Root(table)) = events.iter().rev().nth(1) else {
            panic!("the root comes before the end")
        };
        assert_eq!(table.len(), position(MIDDLEGAME).legal_moves().len());
        assert!(table.iter().map(|row| row.visits).sum::<u32>() >= 299);
        let Some(Event::Done { best, .. }) = events.last() else { panic!("the move comes last") };
        assert_eq!(*best, Some(table[0].mv));
    }
}

/// Threads that evaluate leaves, and threads that assist leaf searches.
#[test]
fn threads_share_a_node_limit() {
    const THREADS: usize = 4;
    let without_leaf_search = TechniqueOverrides::these([Technique::LeafSearch]);
    for overrides in [without_leaf_search, TechniqueOverrides::default()] {
        let mut engine = Engine::new();
        engine.set(Settings {
            algorithm: Algorithm::Mcts,
            threads: THREADS,
            overrides,
            ..Settings::default()
        });
        for limit in [1, 4, 40] {
            let events = events(&mut engine, MIDDLEGAME, nodes(limit));
            let last = events.iter().rev().find_map(|event| match event {
                Event::Line(_, progress) => Some(progress.nodes),
                _ => None,
            });
            // Beyond it are a leaf of each thread, and the root with a child of it.
            let most = limit + THREADS as u64 + 2;
            assert!(last.is_some_and(|nodes| nodes <= most), "{last:?} of {limit}");
        }
    }
}

#[test]
fn lines_are_ranked_by_visits_and_differ() {
    let mut engine = engine(Algorithm::Mcts);
    engine.set(Settings { multipv: 3, ..engine.settings() });
    let events = events(&mut engine, MIDDLEGAME, nodes(2_000));
    let lines = last_lines(&events, 3);
    assert_eq!([1, 2, 3], [0, 1, 2].map(|rank: usize| lines[rank].multipv));
    let Some(Event::Root(table)) = events.iter().rev().nth(1) else {
        panic!("the root comes before the end")
    };
    for (line, row) in lines.iter().zip(table) {
        assert_eq!(line.pv[0], row.mv);
        assert_eq!(line.wdl.iter().sum::<u32>(), 1000);
    }
    assert!(table.windows(2).all(|pair| pair[0].visits >= pair[1].visits));
}

#[test]
fn a_search_stops_at_once_and_on_time() {
    for (algorithm, threads) in [(Algorithm::Mcts, 1), (Algorithm::Mcts, 3), (Algorithm::Uct, 1)] {
        let mut engine = engine(algorithm);
        engine.set(Settings { threads, ..engine.settings() });
        let stopped = quickest(|| {
            let infinite = Limits { is_infinite: true, ..Limits::default() };
            let mut running = engine.search(Request::from_position(position(MIDDLEGAME), infinite));
            assert!(matches!(running.next(), Some(Event::Line(..))));
            let start = Instant::now();
            running.stop();
            assert!(matches!(running.last(), Some(Event::Done { best: Some(_), .. })));
            start.elapsed()
        });
        // Ten milliseconds on an idle machine; tests share theirs.
        assert!(stopped < Duration::from_millis(300), "{stopped:?}");
        let taken = quickest(|| {
            let start = Instant::now();
            let movetime = Limits { movetime: Some(Duration::from_millis(60)), ..Limits::default() };
            events(&mut engine, MIDDLEGAME, movetime);
            start.elapsed()
        });
        assert!((50..600).contains(&taken.as_millis()), "{taken:?}");
    }
}

/// The shortest of three runs, to reduce the effect of other load on the machine.
fn quickest(mut timed: impl FnMut() -> Duration) -> Duration {
    (0..3).map(|_| timed()).min().expect("there are three")
}

#[test]
fn a_clock_ends_the_search() {
    let clock = Some(Clock { remaining: Duration::from_secs(2), increment: Duration::ZERO });
    let limits = Limits { clocks: rukh_chess::types::ByColor([clock, clock]), ..Limits::default() };
    let taken = quickest(|| {
        let start = Instant::now();
        let events = events(&mut engine(Algorithm::Mcts), MIDDLEGAME, limits.clone());
        assert!(matches!(events.last(), Some(Event::Done { best: Some(_), .. })));
        start.elapsed()
    });
    assert!(taken < Duration::from_secs(1), "{taken:?}");
}

#[test]
fn pondering_goes_on_until_the_move_is_played() {
    let mut engine = engine(Algorithm::Mcts);
    let clock = Some(Clock { remaining: Duration::from_millis(200), increment: Duration::ZERO });
    let clocks = rukh_chess::types::ByColor([clock, clock]);
    let limits = Limits { is_ponder: true, clocks, ..Limits::default() };
    let (sender, receiver) = std::sync::mpsc::channel();
    let listener = move |event| drop(sender.send(event));
    engine.start(Request::from_position(position(MIDDLEGAME), limits), std::sync::Arc::new(listener));
    std::thread::sleep(Duration::from_millis(250));
    assert!(engine.is_searching(), "the clock does not run");
    engine.ponder_hit();
    engine.wait();
    assert!(matches!(receiver.iter().last(), Some(Event::Done { best: Some(_), .. })));
}

#[test]
fn chess960_levels_and_contempt_are_searched() {
    let mut engine = engine(Algorithm::Mcts);
    let chess960 = "br2krn1/p2qbppp/3pp1n1/2P5/p3P3/2PNB1PP/1P1N1P1Q/R2K1BR1 b GAfb - 0 11";
    assert!(matches!(
        events(&mut engine, chess960, nodes(400)).last(),
        Some(Event::Done { best: Some(_), .. })
    ));
    let score = |contempt: i32, engine: &mut Engine| {
        engine.set(Settings { contempt, ..engine.settings() });
        engine.clear();
        // Blocked pawns: a draw is all there is.
        let events = events(engine, "8/8/2k5/2p5/2P5/2K5/8/8 w - - 0 1", nodes(500));
        last_lines(&events, 1)[0].score.value()
    };
    assert!(score(150, &mut engine) < 0 && score(-150, &mut engine) > 0);
    engine.set(Settings { strength: Some(Strength::of_elo(1000)), contempt: 0, ..engine.settings() });
    let weak = events(&mut engine, MIDDLEGAME, Limits::default());
    assert!(matches!(weak.last(), Some(Event::Done { best: Some(_), .. })), "a level limits the nodes");
}

/// The tree of the smaller memory is overwritten many times, that of the larger one never.
#[test]
#[ignore = "takes a gibibyte of memory, and a minute"]
fn a_small_and_a_large_tree_choose_alike() {
    const FENS: [&str; 8] = [
        MIDDLEGAME,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
        "8/8/8/4k3/8/3P4/4K3/8 w - - 0 1",
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    ];
    /// Values within a tenth of a game are alike, in 10,000ths: the moves are equally good.
    const ALIKE: i32 = 1_000;
    let tables = |mebibytes: usize| {
        let mut engine = engine(Algorithm::Mcts);
        engine.resize_hash(mebibytes).expect("there is memory");
        FENS.map(|fen| {
            engine.clear();
            let events = events(&mut engine, fen, nodes(20_000));
            let root = events.into_iter().rev().find_map(|event| match event {
                Event::Root(table) => Some(table),
                _ => None,
            });
            root.expect("the root is reported")
        })
    };
    let mut same = 0;
    for (fen, (small, large)) in FENS.iter().zip(tables(1).into_iter().zip(tables(1024))) {
        let (chosen, best) = (small[0].mv, &large[0]);
        let there = large.iter().find(|row| row.mv == chosen).expect("the moves are the same");
        println!("{fen}: {chosen:?} in the small tree; in the large one {there:?}, {best:?}");
        same += usize::from(chosen == best.mv);
        let loss = best.value.unwrap_or(0) - there.value.unwrap_or(-10_000);
        assert!(chosen == best.mv || loss < ALIKE, "{fen}: {chosen:?} loses {loss}");
    }
    assert!(same * 4 >= FENS.len() * 3, "{same} of {} moves are the same", FENS.len());
}

/// Plays a game of `uct` against random moves; the outcome.
fn against_random(start: Position, side: Color, playouts: u64, seed: u64) -> Outcome {
    let work = move || {
        let mut random = SplitMix64::new(seed);
        let evaluation = Evaluation::Classical;
        let mut uct =
            SyncSearcher::with_algorithm(Algorithm::Uct, TechniqueOverrides::default(), &evaluation, 16)
                .expect("there is memory");
        let mut game = Game::new(start);
        loop {
            if let Some(ending) = game.ending() {
                return ending.outcome();
            }
            let legal = game.position().legal_moves();
            let mv = match game.position().side_to_move() == side {
                true => uct
                    .search(Request { game: game.clone(), limits: nodes(playouts) })
                    .best
                    .expect("the game is not over"),
                false => legal[random.below(legal.len() as u64) as usize],
            };
            game.play(mv).expect("it is legal");
        }
    };
    std::thread::scope(|scope| {
        spawn_search(scope, work).expect("a thread is given").join().expect("a search does not panic")
    })
}

#[test]
fn playouts_beat_random_moves_and_mate_with_a_rook() {
    for (seed, side) in [(1, Color::White), (2, Color::Black)] {
        assert_eq!(against_random(Position::default(), side, 60, seed), Outcome::Win(side), "game {seed}");
    }
    let rook = position("8/8/8/4k3/8/8/8/R3K3 w - - 0 1");
    let mate = Ending::Checkmate { winner: Color::White }.outcome();
    assert_eq!(against_random(rook, Color::White, 400, 3), mate);
}

/// A hundred games; 24 seconds.
#[test]
#[ignore = "takes half a minute"]
fn playouts_beat_random_moves_in_a_hundred_games() {
    for seed in 0..100 {
        let side = if seed % 2 == 0 { Color::White } else { Color::Black };
        assert_eq!(against_random(Position::default(), side, 100, seed), Outcome::Win(side), "game {seed}");
    }
}
