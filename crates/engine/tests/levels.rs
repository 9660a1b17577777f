//! Limited strength with the real search.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

use rukh_chess::Color;
use rukh_chess::game::{Ending, Game};
use rukh_engine::Engine;
use rukh_engine::api::{Event, Limits, Request, Settings};
use rukh_engine::strength::Strength;

fn choose(engine: &mut Engine, game: &Game, nodes: u64) -> rukh_chess::Move {
    let (sender, receiver) = channel();
    let sender = Mutex::new(sender);
    let listener = move |event| {
        if let Event::Done { best, .. } = event {
            sender.lock().unwrap().send(best).unwrap();
        }
    };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    engine.start(Request { game: game.clone(), limits }, Arc::new(listener));
    receiver.recv().unwrap().unwrap()
}

fn weak(elo: u32, seed: u64) -> Engine {
    let mut engine = Engine::new();
    engine.set(Settings { strength: Some(Strength::of_elo(elo).seeded(seed)), ..Settings::default() });
    engine
}

/// The weakest level mates with rook or queen within the fifty-move rule against full strength.
#[test]
fn the_weakest_level_mates_a_bare_king() {
    for (seed, fen) in [
        "8/8/8/4k3/8/8/8/R3K3 w - - 0 1",
        "8/8/3k4/8/8/8/1R6/K7 w - - 0 1",
        "7k/8/8/8/3K4/8/8/R7 w - - 0 1",
        "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1",
    ]
    .into_iter()
    .enumerate()
    {
        let mut players = [weak(Strength::MIN_ELO, seed as u64), Engine::new()];
        let mut game = Game::new(fen.parse().unwrap());
        while game.ending().is_none() {
            let side = game.position().side_to_move();
            let mv = choose(&mut players[side.index()], &game, 100_000);
            game.play(mv).unwrap();
        }
        assert_eq!(game.ending(), Some(Ending::Checkmate { winner: Color::White }), "{fen}");
    }
}

/// Errors depend on the seed alone: the same seed plays the same moves on any number of threads, another seed does not.
#[test]
fn limited_strength_is_deterministic_per_seed() {
    let moves = |seed: u64, threads: usize| {
        let mut engine = weak(1000, seed);
        engine.set(Settings { threads, ..engine.settings() });
        let mut game = Game::default();
        for _ in 0..20 {
            let mv = choose(&mut engine, &game, 100_000);
            game.play(mv).unwrap();
        }
        game.moves().to_vec()
    };
    assert_eq!(moves(1, 1), moves(1, 1));
    assert_eq!(moves(1, 1), moves(1, 4));
    assert_ne!(moves(1, 1), moves(2, 1));
}

/// An infinite search is analysis and ignores the limited strength.
#[test]
fn analysis_has_full_strength() {
    let mut engine = weak(800, 1);
    let (sender, receiver) = channel();
    let sender = Mutex::new(sender);
    let listener = move |event| {
        if let Event::Line(line, progress) = event {
            let _ = sender.lock().unwrap().send((line.depth, progress.nodes));
        }
    };
    let limits = Limits { is_infinite: true, ..Limits::default() };
    engine.start(Request { game: Game::default(), limits }, Arc::new(listener));
    let deep = receiver.iter().find(|(depth, _)| *depth >= 8);
    engine.stop();
    assert!(deep.is_some_and(|(_, nodes)| nodes > 1_000));
}
