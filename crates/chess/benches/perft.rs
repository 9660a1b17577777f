//! Perft speed against other move generators: the same positions, one thread, one run, in turn.
//!
//! ```text
//! cargo bench -p rukh-chess              # five rounds
//! cargo bench -p rukh-chess -- 3         # three
//! ```
//!
//! All generators count the moves of the last ply in bulk. `rukh listing` writes them into a list, as a search does.
//! Stockfish is included if the command `stockfish` is found.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use cozy_chess::Board;
use rukh_chess::Position;
use rukh_chess::perft::{perft, perft_listing};
use shakmaty::{CastlingMode, Chess};

/// Name, depth, FEN.
const POSITIONS: [(&str, u32, &str); 6] = [
    ("startpos", 6, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("kiwipete", 5, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("middlegame", 5, "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"),
    ("endgame", 7, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ("promotions", 5, "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"),
    ("checks", 5, "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"),
];

const DEFAULT_ROUNDS: usize = 5;

/// Perft of a FEN at a depth.
type Perft = dyn FnMut(&str, u32) -> u64;

/// A move generator.
struct Generator {
    name: &'static str,
    count: Box<Perft>,
}

fn main() {
    let rounds = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(DEFAULT_ROUNDS);
    let mut generators = generators();
    println!("million nodes per second, best of {rounds} rounds (worst)\n");
    print!("{:<12} {:>5} {:>12}", "position", "depth", "nodes");
    for generator in &generators {
        print!(" {:>16}", generator.name);
    }
    println!();

    let mut best = vec![Vec::new(); generators.len()];
    for (name, depth, fen) in POSITIONS {
        let (nodes, speeds) = measure(&mut generators, fen, depth, rounds);
        print!("{name:<12} {depth:>5} {nodes:>12}");
        for (speeds, best) in speeds.iter().zip(&mut best) {
            let (low, high) =
                speeds.iter().fold((f64::MAX, 0.0_f64), |(low, high), &x| (low.min(x), high.max(x)));
            print!(" {:>16}", format!("{high:.0} ({low:.0})"));
            best.push(high);
        }
        println!();
    }
    let means = best.iter().map(|speeds| geometric_mean(speeds)).collect::<Vec<_>>();
    print!("{:<31}", "geometric mean of the best");
    for mean in &means {
        print!(" {mean:>16.0}");
    }
    print!("\n{:<31}", "rukh is faster by");
    for mean in &means {
        print!(" {:>16.2}", means[0] / mean);
    }
    println!();
}

/// Measures all generators in turn. All counts must agree.
fn measure(generators: &mut [Generator], fen: &str, depth: u32, rounds: usize) -> (u64, Vec<Vec<f64>>) {
    let mut speeds = vec![Vec::new(); generators.len()];
    let expected = perft(&fen.parse::<Position>().expect("the positions are valid"), depth);
    for _ in 0..rounds {
        for (generator, speeds) in generators.iter_mut().zip(&mut speeds) {
            let start = Instant::now();
            let nodes = (generator.count)(fen, depth);
            speeds.push(nodes as f64 / start.elapsed().as_secs_f64() / 1e6);
            assert_eq!(nodes, expected, "{} miscounts {fen}", generator.name);
        }
    }
    (expected, speeds)
}

fn generators() -> Vec<Generator> {
    let ours = |fen: &str| fen.parse::<Position>().expect("the positions are valid");
    let mut generators = vec![
        Generator { name: "rukh", count: Box::new(move |fen, depth| perft(&ours(fen), depth)) },
        Generator {
            name: "rukh listing",
            count: Box::new(move |fen, depth| perft_listing(&ours(fen), depth)),
        },
        Generator {
            name: "cozy-chess",
            count: Box::new(|fen, depth| cozy_perft(&fen.parse().expect("the positions are valid"), depth)),
        },
        Generator {
            name: "shakmaty",
            count: Box::new(|fen, depth| {
                let fen: shakmaty::fen::Fen = fen.parse().expect("the positions are valid");
                let position: Chess =
                    fen.into_position(CastlingMode::Standard).expect("the positions are valid");
                shakmaty::perft(&position, depth)
            }),
        },
    ];
    match Stockfish::start() {
        Some(mut stockfish) => {
            generators.push(Generator {
                name: "stockfish",
                count: Box::new(move |fen, depth| stockfish.perft(fen, depth)),
            });
        }
        None => println!("(there is no stockfish on the path to compare with)\n"),
    }
    generators
}

fn cozy_perft(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                nodes += cozy_perft(&child, depth - 1);
            }
            false
        });
    }
    nodes
}

fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}

/// Stockfish as a child process with UCI.
struct Stockfish {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Stockfish {
    fn start() -> Option<Self> {
        ["stockfish", "/usr/games/stockfish"].into_iter().find_map(|command| {
            let mut child =
                Command::new(command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
            let lines = BufReader::new(child.stdout.take()?).lines();
            let mut stockfish = Self { child, lines };
            stockfish.perft(POSITIONS[0].2, 1);
            Some(stockfish)
        })
    }

    fn perft(&mut self, fen: &str, depth: u32) -> u64 {
        let stdin = self.child.stdin.as_mut().expect("the child process has a standard input");
        writeln!(stdin, "position fen {fen}\ngo perft {depth}").expect("stockfish reads its input");
        let answer = self.lines.by_ref().map(|line| line.expect("stockfish writes text"));
        let nodes = answer.into_iter().find_map(|line| line.strip_prefix("Nodes searched: ")?.parse().ok());
        nodes.expect("stockfish prints the count")
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        // It ends when its input is closed. Waiting avoids a zombie process.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
