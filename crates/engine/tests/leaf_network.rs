//! Tree search with a leaf network: batches, limits, mates, reproducibility, sharing.

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rukh_chess::notation::CastlingNotation;
use rukh_chess::{Color, Move, Piece, Position};
use rukh_engine::api::{
    Algorithm, Event, LeafNetwork, Limits, NetworkInput, NetworkOutput, Request, Settings, TreeMoveInfo,
};
use rukh_engine::strength::Strength;
use rukh_engine::technique::{Technique, TechniqueOverrides};
use rukh_engine::{Engine, SyncSearcher, spawn_search};
use rukh_eval::Evaluation;

const MIDDLEGAME: &str = "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 4 8";
const ROOK_ENDING: &str = "8/5pk1/6p1/1p2P3/2p2P2/2P3K1/1P4R1/5r2 w - - 0 40";

/// Counts material; captures are likely. It records the batches that it is asked for.
#[derive(Debug)]
struct Material {
    batch: usize,
    batches: Mutex<Vec<usize>>,
}

impl Material {
    fn new(batch: usize) -> Arc<Self> {
        Arc::new(Self { batch, batches: Mutex::default() })
    }

    fn evaluated(&self) -> usize {
        self.batches.lock().expect("no panic").iter().sum()
    }

    fn greatest(&self) -> usize {
        self.batches.lock().expect("no panic").iter().copied().max().unwrap_or(0)
    }
}

fn balance(position: &Position) -> f32 {
    let values = [
        (Piece::Pawn, 1.0),
        (Piece::Knight, 3.0),
        (Piece::Bishop, 3.0),
        (Piece::Rook, 5.0),
        (Piece::Queen, 9.0),
    ];
    let count = |color: Color| -> f32 {
        let of =
            |&(piece, value): &(Piece, f32)| position.colored_pieces(color, piece).count() as f32 * value;
        values.iter().map(of).sum()
    };
    count(position.side_to_move()) - count(!position.side_to_move())
}

impl LeafNetwork for Material {
    fn name(&self) -> &str {
        "material"
    }

    fn batch_size(&self) -> usize {
        self.batch
    }

    fn evaluate(&self, inputs: &[NetworkInput<'_>]) -> Vec<NetworkOutput> {
        self.batches.lock().expect("no panic").push(inputs.len());
        let output = |NetworkInput { position, moves }: &NetworkInput<'_>| {
            assert_eq!(*moves, &position.legal_moves()[..]);
            assert!(!moves.is_empty(), "a finished game is not evaluated");
            let win = 1.0 / (1.0 + (-balance(position) / 4.0).exp());
            let wdl = [win * 0.8, 0.2, (1.0 - win) * 0.8];
            let logit = |mv: &Move| if mv.is_noisy() { 1.0 } else { f32::from(mv.to() as u8 % 7) * 0.1 };
            NetworkOutput { wdl, logits: moves.iter().map(logit).collect() }
        };
        inputs.iter().map(output).collect()
    }
}

fn position(fen: &str) -> Position {
    fen.parse().expect("the positions are valid")
}

fn engine(network: &Arc<Material>, threads: usize) -> Engine {
    let mut engine = Engine::new();
    engine.set(Settings { algorithm: Algorithm::Mcts, threads, ..Settings::default() });
    engine.set_leaf_network(Some(network.clone()));
    engine
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// The best move, the nodes, the score of the last line, and the table of the root.
fn search(engine: &mut Engine, fen: &str, limits: Limits) -> (Option<Move>, u64, String, Vec<TreeMoveInfo>) {
    let (mut found, mut count, mut score, mut root) = (None, 0, String::new(), Vec::new());
    for event in engine.search(Request::from_position(position(fen), limits)) {
        match event {
            Event::Line(line, progress) => (count, score) = (progress.nodes, line.score.to_string()),
            Event::Root(table) => root = table,
            Event::Done { best, .. } => found = best,
            Event::CurrentMove { .. } => {}
        }
    }
    (found, count, score, root)
}

#[test]
fn nodes_are_evaluated_leaves_and_the_limit_is_kept() {
    for (batch, threads) in [(1, 1), (7, 1), (64, 1), (1_024, 1), (64, 3)] {
        for limit in [2, 3, 50, 1_001] {
            let network = Material::new(batch);
            let (best, count, _, root) = search(&mut engine(&network, threads), MIDDLEGAME, nodes(limit));
            let what = format!("batch {batch}, {threads} threads, limit {limit}");
            assert!(best.is_some(), "{what}");
            assert_eq!(count, limit, "{what}");
            assert_eq!(network.evaluated() as u64, limit, "{what}");
            assert!(network.greatest() <= batch, "{what}");
            let visits: u32 = root.iter().map(|row| row.visits).sum();
            assert!(u64::from(visits) + 1 >= limit, "{what}: {visits}");
        }
    }
}

#[test]
fn batches_grow_with_the_tree() {
    let network = Material::new(32);
    search(&mut engine(&network, 1), MIDDLEGAME, nodes(3_000));
    let batches = network.batches.lock().expect("no panic").clone();
    assert_eq!(batches[..3], [1, 1, 1], "a small tree has no large batches");
    assert_eq!(network.greatest(), 32);
    assert!(batches.len() < 400, "{} batches", batches.len());
}

#[test]
fn one_thread_is_deterministic() {
    for batch in [1, 48] {
        let run = || search(&mut engine(&Material::new(batch), 1), MIDDLEGAME, nodes(2_500));
        assert_eq!(run(), run());
    }
}

#[test]
fn a_mate_is_found() {
    for (fen, mate) in
        [("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "d1d8"), ("2r3k1/5ppp/8/8/8/8/4RPPP/4R1K1 w - - 0 1", "e2e8")]
    {
        for threads in [1, 2] {
            let (best, count, score, _) =
                search(&mut engine(&Material::new(16), threads), fen, nodes(20_000));
            assert_eq!(
                best.map(|mv| position(fen).uci(mv, CastlingNotation::KingTarget)),
                Some(mate.to_owned()),
                "{fen}"
            );
            assert!(count < 20_000 && score.starts_with("#"), "{fen}: {count} {score}");
        }
    }
}

#[test]
fn a_hanging_queen_is_taken() {
    let fen = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";
    let (best, ..) = search(&mut engine(&Material::new(8), 1), fen, nodes(400));
    assert_eq!(best.map(|mv| position(fen).uci(mv, CastlingNotation::KingTarget)), Some("e4d5".to_owned()));
}

#[test]
fn it_stops_and_obeys_the_clock() {
    let mut engine = engine(&Material::new(64), 2);
    let start = Instant::now();
    let limits = Limits { movetime: Some(Duration::from_millis(60)), ..Limits::default() };
    assert!(search(&mut engine, MIDDLEGAME, limits).0.is_some());
    assert!(start.elapsed() < Duration::from_secs(5));
    let limits = Limits { is_infinite: true, ..Limits::default() };
    engine.start(Request::from_position(position(MIDDLEGAME), limits), Arc::new(|_| {}));
    thread::sleep(Duration::from_millis(30));
    assert!(engine.is_searching());
    engine.stop();
    assert!(!engine.is_searching());
}

#[test]
fn sequential_halving_spreads_a_batch() {
    let overrides = TechniqueOverrides::these([Technique::GumbelRoot]);
    let network = Material::new(64);
    let mut engine = engine(&network, 1);
    engine.set(Settings { overrides, ..engine.settings() });
    let (best, count, _, root) = search(&mut engine, MIDDLEGAME, nodes(800));
    assert!(best.is_some() && count == 800 && network.greatest() > 16);
    // Half of the sixteen candidates are left after a quarter of the budget: each of them has its share of it.
    let often = root.iter().filter(|row| row.visits >= 800 / 4 / 16).count();
    assert!((12..=20).contains(&often), "{often}: {root:?}");
}

#[test]
fn levels_and_removal_work() {
    let network = Material::new(8);
    let mut engine = engine(&network, 1);
    let strength = Some(Strength::of_level(3));
    engine.set(Settings { strength, ..engine.settings() });
    let (best, ..) = search(&mut engine, MIDDLEGAME, nodes(100));
    assert!(best.is_some() && network.evaluated() > 0);
    assert_eq!(engine.leaf_network().map(|network| network.name().to_owned()), Some("material".to_owned()));
    engine.set_leaf_network(None);
    let before = network.evaluated();
    engine.set(Settings { strength: None, ..engine.settings() });
    assert!(search(&mut engine, MIDDLEGAME, nodes(20)).0.is_some());
    assert!(engine.leaf_network().is_none() && network.evaluated() == before);
}

#[test]
fn outputs_that_are_no_numbers_do_no_harm() {
    #[derive(Debug)]
    struct Broken;
    impl LeafNetwork for Broken {
        fn name(&self) -> &str {
            "broken"
        }
        fn batch_size(&self) -> usize {
            4
        }
        fn evaluate(&self, inputs: &[NetworkInput<'_>]) -> Vec<NetworkOutput> {
            let output = |input: &NetworkInput<'_>| NetworkOutput {
                wdl: [f32::NAN; 3],
                logits: input.moves.iter().map(|_| f32::INFINITY).collect(),
            };
            inputs.iter().map(output).collect()
        }
    }
    let mut engine = engine(&Material::new(1), 1);
    engine.set_leaf_network(Some(Arc::new(Broken)));
    let (best, count, ..) = search(&mut engine, MIDDLEGAME, nodes(300));
    assert!(best.is_some() && count == 300);
}

#[test]
fn searches_on_the_calling_thread_share_a_network() {
    let network = Material::new(16);
    let work = |fen: &'static str| {
        let network = network.clone();
        move || {
            let techniques = TechniqueOverrides::default();
            let searcher =
                SyncSearcher::with_algorithm(Algorithm::Mcts, techniques, &Evaluation::default(), 4);
            let mut searcher = searcher.expect("a few mebibytes are available");
            searcher.set_leaf_network(Some(network));
            searcher.search(Request::from_position(position(fen), nodes(700)))
        }
    };
    let run = |fens: &[&'static str]| {
        thread::scope(|scope| {
            let all: Vec<_> =
                fens.iter().map(|fen| spawn_search(scope, work(fen)).expect("a thread is given")).collect();
            all.into_iter().map(|thread| thread.join().expect("no panic")).collect::<Vec<_>>()
        })
    };
    let together = run(&[MIDDLEGAME, ROOK_ENDING, MIDDLEGAME]);
    let alone = [run(&[MIDDLEGAME]), run(&[ROOK_ENDING]), run(&[MIDDLEGAME])].concat();
    assert_eq!(together, alone);
    assert!(together.iter().all(|result| result.nodes == 700));
}
