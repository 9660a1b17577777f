//! Searches with the network: mates, limits, reproducibility, and many searches that share a batcher.

use std::sync::Arc;
use std::thread;

use crate::common;
use crate::common::{network, position};
use rukh_chess::notation::CastlingNotation;
use rukh_engine::api::{
    Algorithm, Event, LeafNetwork, Limits, NetworkInput, Request, Settings, TreeMoveInfo,
};
use rukh_engine::{Engine, SearchResult, SyncSearcher, spawn_search};
use rukh_eval::Evaluation;
use rukh_leaf_network::{Backend, LargeNetwork};

const MIDDLEGAME: &str = "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 4 8";
const ENDING: &str = "8/5pk1/6p1/1p2P3/2p2P2/2P3K1/1P4R1/5r2 w - - 0 40";

fn engine(network: &Arc<LargeNetwork>, threads: usize) -> Engine {
    let mut engine = Engine::new();
    engine.set(Settings { algorithm: Algorithm::Mcts, threads, ..Settings::default() });
    engine.set_leaf_network(Some(network.clone()));
    engine
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// The best move, the nodes and the table of the root.
fn search(engine: &mut Engine, fen: &str, limits: Limits) -> (String, u64, Vec<TreeMoveInfo>) {
    let (mut found, mut count, mut root) = (String::new(), 0, Vec::new());
    for event in engine.search(Request::from_position(position(fen), limits)) {
        match event {
            Event::Line(_, progress) => count = progress.nodes,
            Event::Root(table) => root = table,
            Event::Done { best, .. } => {
                found = position(fen).uci(best.expect("there are moves"), CastlingNotation::KingTarget);
            }
            Event::CurrentMove { .. } => {}
        }
    }
    (found, count, root)
}

fn sync_search(network: &Arc<LargeNetwork>, fen: &str, count: u64) -> SearchResult {
    let techniques = Default::default();
    let searcher = SyncSearcher::with_algorithm(Algorithm::Mcts, techniques, &Evaluation::default(), 2);
    let mut searcher = searcher.expect("a few mebibytes are available");
    searcher.set_leaf_network(Some(network.clone()));
    searcher.search(Request::from_position(position(fen), nodes(count)))
}

#[test]
fn a_mate_is_found_and_node_limits_are_kept() {
    let network = network("mates");
    let mut engine = engine(&network, 1);
    let (best, count, _) = search(&mut engine, "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", nodes(2_000));
    assert_eq!(best, "d1d8");
    assert!(count < 2_000, "{count}");
    for limit in [2, 77, 200] {
        let (_, count, root) = search(&mut engine, MIDDLEGAME, nodes(limit));
        // The tree of the search before is used again.
        assert_eq!(count, limit);
        assert!(root.iter().map(|row| u64::from(row.visits)).sum::<u64>() + 1 >= limit);
        engine.clear();
    }
}

#[test]
fn one_thread_is_deterministic() {
    let network = network("deterministic");
    let run = || search(&mut engine(&network, 1), MIDDLEGAME, nodes(250));
    assert_eq!(run(), run());
}

#[test]
fn two_engines_share_a_batcher() {
    let network = network("shared");
    let alone = [MIDDLEGAME, ENDING].map(|fen| search(&mut engine(&network, 1), fen, nodes(200)));
    let together = thread::scope(|scope| {
        let network = &network;
        let run = |fen| scope.spawn(move || search(&mut engine(network, 1), fen, nodes(200)));
        let (one, other) = (run(MIDDLEGAME), run(ENDING));
        [one.join().expect("no panic"), other.join().expect("no panic")]
    });
    assert_eq!(together, alone);
}

#[test]
fn many_searches_of_different_length_all_end() {
    let network = network("many");
    let counts = [2, 5, 40, 90, 150, 30];
    let all = thread::scope(|scope| {
        let run = |count: &u64| {
            let (network, count) = (network.clone(), *count);
            spawn_search(scope, move || sync_search(&network, MIDDLEGAME, count)).expect("a thread is given")
        };
        let all: Vec<_> = counts.iter().map(run).collect();
        all.into_iter().map(|search| search.join().expect("no panic")).collect::<Vec<_>>()
    });
    for (result, count) in all.iter().zip(counts) {
        assert_eq!(result.nodes, count);
        assert!(result.best.is_some());
    }
}

#[test]
fn threads_of_one_engine_share_it_and_stop() {
    let mut engine = engine(&network("threads"), 3);
    assert_eq!(search(&mut engine, MIDDLEGAME, nodes(150)).1, 150);
    let limits = Limits { is_infinite: true, ..Limits::default() };
    engine.start(Request::from_position(position(ENDING), limits), Arc::new(|_| {}));
    thread::sleep(std::time::Duration::from_millis(50));
    engine.stop();
    assert!(!engine.is_searching());
}

#[test]
fn the_same_file_is_opened_once() {
    let (one, same, other) = (network("once"), network("once"), network("twice"));
    assert!(Arc::ptr_eq(&one, &same) && !Arc::ptr_eq(&one, &other));
    assert_eq!(one.name(), "8 x 2 network, once");
    let file = || common::file(common::SMALL, "once");
    let gpu = LargeNetwork::open(file(), Backend::Cuda, |_| {}).expect("it can be opened");
    assert!(!Arc::ptr_eq(&one, &gpu), "another backend");
    drop((one, same));
    let again = network("once");
    let start = position(MIDDLEGAME);
    let moves = start.legal_moves();
    assert_eq!(
        again.evaluate(&[NetworkInput { position: &start, moves: &moves }])[0].logits.len(),
        moves.len()
    );
}
