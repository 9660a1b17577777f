//! Nanoseconds of one classical evaluation, over positions of random games.
//!
//! ```text
//! cargo bench -p rukh-eval               # five rounds
//! cargo bench -p rukh-eval -- 20         # twenty
//! ```
//!
//! `warm pawns` evaluates each game in order, as a search does; `from scratch` evaluates pawns and material each time, as
//! the trace does.

use std::hint::black_box;
use std::time::Instant;

use rukh_chess::Position;
use rukh_chess::random::SplitMix64;
use rukh_eval::hce::evaluate;
use rukh_eval::{Classical, Evaluator};

const DEFAULT_ROUNDS: usize = 5;
const GAMES: usize = 60;
const MAX_PLIES: usize = 160;

const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2rq1rk1/pb1nbppp/1p2pn2/3p4/2PP4/1PN2NP1/PB3PBP/R2QR1K1 w - - 0 12",
];

/// Positions of random games that are not in check.
fn positions() -> Vec<Position> {
    let mut random = SplitMix64::new(7);
    let mut found = Vec::new();
    for game in 0..GAMES {
        let mut position: Position =
            STARTS[game % STARTS.len()].parse().expect("the start positions are valid");
        for _ in 0..MAX_PLIES {
            if !position.is_check() {
                found.push(position.clone());
            }
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.make(moves[random.below(moves.len() as u64) as usize], &mut ());
        }
    }
    found
}

/// The best and the worst time of one call, in nanoseconds.
fn measure(rounds: usize, positions: &[Position], mut evaluate: impl FnMut(&Position) -> i32) -> (f64, f64) {
    let mut times: Vec<f64> = Vec::new();
    for _ in 0..=rounds {
        let start = Instant::now();
        let sum: i64 = positions.iter().map(|position| i64::from(evaluate(black_box(position)))).sum();
        black_box(sum);
        times.push(start.elapsed().as_nanos() as f64 / positions.len() as f64);
    }
    // The first round warms tables and caches.
    times[1..].iter().fold((f64::MAX, 0.0), |(low, high), &time| (low.min(time), high.max(time)))
}

fn main() {
    let rounds = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(DEFAULT_ROUNDS);
    let positions = positions();
    println!("{} positions, best of {rounds} rounds (worst), nanoseconds per evaluation\n", positions.len());
    let mut classical = Classical::new();
    let show = |name, (best, worst): (f64, f64)| println!("{name:<20} {best:>7.0} ({worst:.0})");
    // A search does not call `reset` at every node: its time is measured alone and subtracted.
    let reset = measure(rounds, &positions, |position| {
        classical.reset(position);
        0
    });
    let both = measure(rounds, &positions, |position| {
        classical.reset(position);
        classical.evaluate(position).value()
    });
    show("warm pawns", (both.0 - reset.0, both.1 - reset.1));
    show("reset", reset);
    show("from scratch", measure(rounds, &positions, |position| evaluate(position, &mut ()).value));
}
