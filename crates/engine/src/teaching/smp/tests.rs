use rukh_chess::Position;
use rukh_eval::Score;
use std::time::{Duration, Instant};

use super::super::games::FromScratch;
use super::super::quiescence::quiescence;
use super::super::searches::{Counted, Order};
use super::split::Shared;
use super::thread::Thread;
use super::{Found, ParallelSearch, Scheme};
use crate::transposition::TranspositionTable;

const POSITIONS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
];

fn search(scheme: Scheme, threads: usize, position: &Position, depth: u32) -> Found {
    let search = ParallelSearch::new(scheme, threads, 4).expect("there is memory");
    search.search(position, depth, None)
}

#[test]
fn values_do_not_depend_on_scheme_and_threads() {
    const DEPTH: u32 = 3;
    for fen in POSITIONS {
        let position: Position = fen.parse().expect("the positions are valid");
        let mut plain = Counted::<FromScratch>::default();
        let value = full_window(&position, 0, DEPTH, &mut plain);
        for scheme in [Scheme::YoungBrothersWait, Scheme::LazySmp] {
            for threads in [1, 2, 4] {
                let found = search(scheme, threads, &position, DEPTH);
                assert_eq!(
                    (found.value, found.depth),
                    (value, DEPTH),
                    "{fen}, {scheme:?}, {threads} threads"
                );
                assert!(found.best.is_some_and(|mv| position.is_legal(mv)));
            }
        }
    }
}

/// Alpha-beta with quiescence and nothing else.
fn full_window(position: &Position, ply: usize, depth: u32, evaluator: &mut Counted<FromScratch>) -> Score {
    fn node(
        position: &Position,
        ply: usize,
        depth: u32,
        (mut alpha, beta): (Score, Score),
        evaluator: &mut Counted<FromScratch>,
    ) -> Score {
        if depth == 0 {
            return quiescence(position, ply, (alpha, beta), evaluator);
        }
        let moves = Order::CapturesFirst.moves(position);
        if moves.is_empty() {
            return if position.is_check() { Score::mated_at(ply) } else { Score::DRAW };
        }
        let mut best = Score::MIN;
        for mv in moves {
            best = best.max(-node(&position.after(mv), ply + 1, depth - 1, (-beta, -alpha), evaluator));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
    node(position, ply, depth, (Score::MIN, Score::MAX), evaluator)
}

#[test]
fn one_thread_is_the_same_in_both_schemes() {
    let position: Position = POSITIONS[1].parse().expect("the position is valid");
    let [one, other] =
        [Scheme::YoungBrothersWait, Scheme::LazySmp].map(|scheme| search(scheme, 1, &position, 4));
    assert_eq!(one, other);
}

#[test]
fn helpers_take_part() {
    let position: Position = POSITIONS[1].parse().expect("the position is valid");
    let alone = search(Scheme::YoungBrothersWait, 1, &position, 4).nodes;
    // With helpers the tree depends on who is first; on a busy machine they may come too late for once.
    let differs = |_| search(Scheme::YoungBrothersWait, 3, &position, 4).nodes != alone;
    assert!((0..20).any(differs), "nobody has helped");
}

#[test]
fn a_thread_that_begins_elsewhere_searches_another_tree_of_the_same_value() {
    let position: Position = POSITIONS[1].parse().expect("the position is valid");
    let [first, other] = [0.0, 0.5].map(|start| {
        let table = TranspositionTable::new(4, 1).expect("there is memory");
        let shared = Shared::new(&table, None);
        let mut thread = Thread::beginning_at(&shared, start);
        (thread.deepen(&position, 3).value, thread.nodes())
    });
    assert_eq!(first.0, other.0);
    assert_ne!(first.1, other.1);
}

#[test]
fn a_time_limit_holds() {
    let position: Position = POSITIONS[0].parse().expect("the position is valid");
    for scheme in [Scheme::YoungBrothersWait, Scheme::LazySmp] {
        let search = ParallelSearch::new(scheme, 2, 4).expect("there is memory");
        let begun = Instant::now();
        let found = search.search(&position, u32::MAX, Some(Duration::from_millis(50)));
        assert!(found.depth >= 1 && found.best.is_some(), "{found:?}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{scheme:?} took {:?}", begun.elapsed());
    }
}

#[test]
fn a_finished_game_has_no_move() {
    let mate: Position = "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1".parse().expect("the position is valid");
    assert_eq!(search(Scheme::YoungBrothersWait, 2, &mate, 3).best, None);
}
