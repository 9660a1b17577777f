//! Bench: fifty positions searched to a fixed depth. On one thread the node count is the signature of the search.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rukh_chess::Position;
use rukh_eval::{Evaluation, PolicyNetwork};

use crate::api::{Algorithm, Event, Limits, Request, ResourceError, Settings};
use crate::engine::Engine;
use crate::technique::TechniqueOverrides;

/// The default depth of a search.
pub const fn default_depth(algorithm: Algorithm) -> u32 {
    match algorithm {
        Algorithm::AlphaBeta => 12,
        Algorithm::Mcts => 5,
        Algorithm::Uct => 3,
    }
}

/// The result of a bench run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Nodes of all positions.
    pub nodes: u64,
    /// Time of all positions.
    pub time: Duration,
    /// Search threads in use, which may be fewer than requested.
    pub threads: usize,
}

impl Report {
    /// Nodes per second.
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// Searches every position to `depth`, for a tree search the mean depth of its leaves. `on_position` receives the number, the
/// FEN and the nodes of each. The techniques of `overrides` are switched against their default.
pub fn run(
    algorithm: Algorithm,
    overrides: TechniqueOverrides,
    depth: u32,
    threads: NonZeroUsize,
    hash: usize,
    evaluation: &Evaluation,
    on_position: impl FnMut(usize, &str, u64),
) -> Result<Report, ResourceError> {
    let mut engine = engine(algorithm, overrides, threads, hash, evaluation)?;
    Ok(run_with(&mut engine, depth, on_position))
}

/// The engine of a bench.
pub fn engine(
    algorithm: Algorithm,
    overrides: TechniqueOverrides,
    threads: NonZeroUsize,
    hash: usize,
    evaluation: &Evaluation,
) -> Result<Engine, ResourceError> {
    let mut engine = Engine::try_new()?;
    engine.set(Settings { algorithm, overrides, threads: threads.get(), ..Settings::default() });
    engine.resize_hash(hash)?;
    engine.set_evaluation(evaluation.clone());
    if let (Algorithm::Mcts, Evaluation::Network(network)) = (algorithm, evaluation) {
        // The policy network uses the instructions that were chosen for the other one.
        let policy = engine.policy().map(|policy| PolicyNetwork::clone(&policy).with(network.instructions()));
        engine.set_policy(policy.map(Arc::new));
    }
    Ok(engine)
}

/// [`run`] with an engine that exists.
pub fn run_with(engine: &mut Engine, depth: u32, mut on_position: impl FnMut(usize, &str, u64)) -> Report {
    let mut report = Report { threads: engine.threads(), ..Report::default() };
    for (number, fen) in (1..).zip(POSITIONS) {
        let position: Position = fen.parse().expect("the positions of the bench are valid");
        let nodes = Arc::new(Mutex::new(0));
        let received = nodes.clone();
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let start = Instant::now();
        engine.clear();
        engine.start(
            Request::from_position(position, limits),
            Arc::new(move |event| {
                if let Event::Line(_, progress) = event {
                    *received.lock().unwrap_or_else(PoisonError::into_inner) = progress.nodes;
                }
            }),
        );
        engine.wait();
        report.time += start.elapsed();
        let nodes = *nodes.lock().unwrap_or_else(PoisonError::into_inner);
        report.nodes += nodes;
        on_position(number, fen, nodes);
    }
    report
}

/// Positions from games of Rukh: openings, middlegames, endgames, some of them Chess960 and double Chess960.
pub const POSITIONS: [&str; 50] = [
    "rnbqkb1r/3p1pp1/2p1pn2/1B5p/4P3/2N2N1P/PP1P1PP1/R1BQK2R w KQkq - 0 8",
    "rnbqkb1r/2n2pp1/4p3/p6p/2PP4/P1N2N2/3Q1PPP/R1B1KB1R b KQkq - 2 13",
    "2qrk2r/p2b2pp/2n2b2/2Q2p2/2P5/3BPN2/2N2PPP/1R3RK1 w k - 1 19",
    "r2r4/1pb2qpk/2p4p/5p2/pB1P4/P2QP1P1/1P3PBP/2R3K1 b - - 0 26",
    "2bk3r/R7/3Bp3/p3P2p/3p2p1/1P5P/5PP1/6K1 w - - 0 33",
    "8/5k2/n6p/N7/P7/1PB5/5KPP/8 b - - 0 41",
    "4k3/2R5/8/2p3P1/3p4/2r5/5K2/8 w - - 1 51",
    "2rkrqbb/pp1p2p1/2n2p1p/2Ppp3/P3P1P1/1N3P2/P2N3P/2RKRQBB b ECec - 2 11",
    "rnbqkb1r/p3pppp/2p4n/3p4/3PPB1P/N4P2/1PP3P1/R2QKBNR w KQkq - 0 8",
    "r1b2bnr/p2p1kp1/npp2p2/3P3p/2P5/P1N1BN2/1PK2PPP/R4B1R b - - 4 13",
    "2k2b1B/p2r3p/1p2b1q1/2p5/2p3p1/3p4/PPP2PPP/R2Q1RK1 w - - 0 19",
    "4rrk1/1p3p2/2pp2nB/p1b4N/P3PP1P/PB6/2P2nP1/1K1R3R b - - 2 26",
    "1r6/1p2rpk1/1R5p/PRP5/7P/8/5KP1/8 w - - 3 33",
    "8/5p1k/8/p1r1nNp1/P2R2P1/4P2K/8/8 b - - 1 41",
    "8/5k2/7b/2N3p1/3P2p1/5r2/R2P2K1/8 w - - 0 51",
    "br2krn1/p2qbppp/3pp1n1/2P5/p3P3/2PNB1PP/1P1N1P1Q/R2K1BR1 b GAfb - 0 11",
    "r1q1kb1r/pp3ppp/n2p1n2/4p3/3QP3/2N3P1/PPP2P1P/R1B1K1NR w KQkq - 0 8",
    "rnbq1rk1/2p1b3/pp1p1np1/3P4/1P1QN3/5N2/PBP1KPPP/R4B1R b - - 1 13",
    "r1b1r1k1/1p2qpp1/2np1n1p/8/pp2PP2/P2Q1N2/2PNB1PP/R4RK1 w - - 2 19",
    "r1r3k1/1p3pp1/4pP2/3pN3/p2P1P2/8/1q2PNK1/3Q1R2 b - - 0 26",
    "8/5kp1/1r2R1p1/p3P2r/P3p3/2P1B1K1/2P1bP2/8 w - - 0 33",
    "2bb3R/1kp5/1p6/p1pP4/P1Pn4/1P6/3N1PK1/8 b - - 3 41",
    "4k3/R7/2r3p1/5nBp/5K1P/8/8/8 w - - 12 51",
    "br3rkb/p2qpp1p/3p1np1/1p6/1PnP1N2/1N5P/PBP2PP1/1R1QR1KB b - - 8 11",
    "r1bqkb1r/pp3pp1/2n1pn2/8/3P3p/P1N5/1PP1NPPP/R1BQKB1R w KQkq - 0 8",
    "2kr1b1r/pppq1pp1/2n1b2p/4p3/1P6/3P1NP1/P2BPNBP/R2QK2R b KQ - 0 13",
    "3rkb1r/8/p3pppn/1p1n1b2/7R/NP3B2/PB3PP1/3RK1N1 w k - 0 19",
    "B7/R3kpp1/1p2p3/2b4n/2n4p/3p3P/5P1P/2R3K1 b - - 1 26",
    "6k1/6b1/pR3pp1/3p1nPp/2pPrB1P/2P2N2/P4PK1/8 w - - 2 33",
    "3B4/5p1k/2r3p1/P1b4p/8/5P2/6PP/3R1K2 b - - 2 41",
    "8/1p6/2p5/p1kn3p/P4Pp1/PB2K1P1/2P5/8 w - - 20 51",
    "2kr1brq/P1p3pp/np1np3/3b4/8/3P4/P1P3PP/BBNQRRKN b - - 0 11",
    "r1bqkb1r/p1p1n1p1/1pnpp2p/4Pp2/2PP3P/5N2/PP3PP1/RNBQKB1R w KQkq - 0 8",
    "r2q1rk1/pb1n1pp1/5n1p/1P1Pp3/1b6/2N2N2/1PPBBPPP/R2Q1RK1 b - - 9 13",
    "r2q1rk1/1p1np1bp/p4pp1/2pP4/6b1/2N1BN2/PP2BP2/R2Q1RK1 w - - 0 19",
    "6k1/3n1pp1/r2b1n2/3p3p/N1pq1N1P/1P3PP1/P1QB2K1/4R3 b - - 1 26",
    "8/2p2p1p/3b2k1/r2P1p2/1p1K4/1R4P1/1B5P/5R2 w - - 2 33",
    "5rk1/8/Q3p1q1/p2pb1p1/B3P3/1PP2pPP/7K/5N2 b - - 0 41",
    "6rk/1p6/p7/P2p3p/3q3P/2P2p2/1P6/5B1K w - - 0 51",
    "r1b1kqr1/1pp1bpp1/p1n1p1np/8/PP1PB3/2P3N1/1B1N1PPP/R3KQR1 b GAga - 0 11",
    "r1b1kbn1/ppp2ppr/2n1p3/1B1p4/3PP1pq/2N2P2/PPP4P/R1BQK1NR w KQq - 1 8",
    "2kr1bnr/1pp3pp/p4p2/3qP3/P2Pb2P/1P3N2/3N1PP1/R1BQ1K1R b - - 5 13",
    "r4rk1/1ppqn1b1/3pp1pp/3n4/3P4/PP3NPP/1BQ2PB1/R4RK1 w - - 2 19",
    "6k1/1b3pp1/1pp2n1p/1Pr1P3/8/3B2NP/r1P2PP1/1R2R1K1 b - - 0 26",
    "3r2k1/1p3npp/2P5/r3p3/p3Pp2/Pq3P1P/1B3QP1/R3Kb1R w K - 0 33",
    "r7/4k1p1/8/2NpPp2/3P4/p4N1K/R6P/8 b - - 0 41",
    "8/2k5/5p2/PP2p3/1P2Kn2/3p3p/7R/8 w - - 0 51",
    "b1r2rkb/p1nqp1pp/1p1n1p2/3P4/3NP3/2N3P1/PP3P1P/2BBRKQR b HE - 2 11",
    "r1bqkb1r/ppp4p/2n2p2/3p4/P2P1Bn1/5N2/1PP1PPP1/RN1QKB1R w KQkq - 0 8",
    "r1b2rk1/pp1p2pp/2nqp1n1/2p2p1Q/8/3P2P1/PPPB1P1P/1K1R1BNR b - - 2 13",
];
