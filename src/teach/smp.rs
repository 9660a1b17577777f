//! Young brothers wait against Lazy SMP around the same search: nodes and time to depth by threads, and games.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rukh_chess::random::SplitMix64;
use rukh_chess::{Color, Position};
use rukh_engine::bench::POSITIONS;
use rukh_engine::teaching::games::{opening, play};
use rukh_engine::teaching::smp::{ParallelSearch, Scheme};
use rukh_lab::arena::Encounter;
use rukh_lab::stats::Tally;
use serde_json::json;

use crate::encounters;
use crate::finish::Finish;
use crate::interrupt;
use crate::output::{eprint_line, print_line};
use crate::progress::Long;

/// Compare young brothers wait with Lazy SMP: nodes, time to depth, games
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Depth of the searches
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,

    /// How many positions of the bench are searched
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=POSITIONS.len() as u64))]
    positions: u64,

    /// Numbers of threads
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,2", value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: Vec<u16>,

    /// Transposition table of each search, in MiB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=4096))]
    hash: u16,

    /// Games of young brothers wait against Lazy SMP, both with the last number of threads; 0 for none
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=100_000))]
    games: u32,

    /// Milliseconds for each move of these games
    #[arg(long, value_name = "MS", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=600_000))]
    movetime: u64,

    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Print a JSON object for each row
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Both are the same principal variation search with a transposition table, without pruning and reductions, so that its value does not
depend on the threads. The table is empty before each position. Time to depth is that of all positions together. Nothing else should
run on the machine.

Examples:
  rukh teach smp
  rukh teach smp --depth 7 --threads 1,2,4,8
  rukh teach smp --threads 2 --games 100 --movetime 100";

const SCHEMES: [(Scheme, &str); 2] =
    [(Scheme::YoungBrothersWait, "young brothers wait"), (Scheme::LazySmp, "Lazy SMP")];

pub(super) fn run(args: &Args) -> Finish {
    let is_over = interrupt::flag();
    if !args.json {
        print_line("search                 threads        nodes   seconds   nodes a second")?;
    }
    for &threads in &args.threads {
        for (scheme, name) in SCHEMES {
            let Some((nodes, time)) = to_depth(args, scheme, threads, &is_over)? else {
                return interrupted();
            };
            let seconds = time.as_secs_f64();
            let speed = nodes as f64 / seconds.max(1e-9);
            print_line(&match args.json {
                true => json!({ "search": name, "threads": threads, "nodes": nodes, "seconds": seconds })
                    .to_string(),
                false => format!("{name:<22} {threads:>7} {nodes:>12}   {seconds:>7.2}   {speed:>14.0}"),
            })?;
        }
    }
    if args.games > 0 { match_of(args, &is_over) } else { Ok(ExitCode::SUCCESS) }
}

fn interrupted() -> Finish {
    eprint_line("interrupted");
    Ok(ExitCode::SUCCESS)
}

fn player(args: &Args, scheme: Scheme, threads: u16) -> Result<ParallelSearch, String> {
    ParallelSearch::new(scheme, threads.into(), args.hash.into()).map_err(|error| error.to_string())
}

/// Nodes and time to the depth in all positions; `None` if interrupted.
fn to_depth(
    args: &Args,
    scheme: Scheme,
    threads: u16,
    is_over: &AtomicBool,
) -> Result<Option<(u64, Duration)>, String> {
    let search = player(args, scheme, threads)?;
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for fen in &POSITIONS[..args.positions as usize] {
        let position: Position = fen.parse().expect("the positions of the bench are valid");
        search.clear();
        let start = Instant::now();
        nodes += search.search(&position, args.depth, None).nodes;
        time += start.elapsed();
        if is_over.load(Ordering::Relaxed) {
            return Ok(None);
        }
    }
    Ok(Some((nodes, time)))
}

/// Pairs of games, each from one opening with colours swapped.
fn match_of(args: &Args, is_over: &AtomicBool) -> Finish {
    let threads = args.threads.last().copied().expect("there is a default");
    let players = [player(args, SCHEMES[0].0, threads)?, player(args, SCHEMES[1].0, threads)?];
    let mut random = SplitMix64::new(args.seed);
    let mut encounter = Encounter::default();
    let mut bar = Long::new(0, "{elapsed_precise} {msg}");
    for _ in 0..args.games.div_ceil(2) {
        let opening = opening(&mut random);
        let mut half_points = 0;
        for first in [Color::White, Color::Black] {
            let points = game(&players, first, &opening, Duration::from_millis(args.movetime));
            if is_over.load(Ordering::Relaxed) {
                return interrupted();
            }
            encounter.tally += match points {
                2 => Tally { wins: 1, ..Tally::default() },
                1 => Tally { draws: 1, ..Tally::default() },
                _ => Tally { losses: 1, ..Tally::default() },
            };
            half_points += usize::from(points);
        }
        encounter.pairs.add(half_points);
        bar.set(0, || encounters::games(&encounter));
    }
    let line = match args.json {
        true => encounters::to_json(&encounter).to_string(),
        false => format!(
            "young brothers wait against Lazy SMP, {threads} threads, {} ms a move: {}, {} Elo",
            args.movetime,
            encounters::games(&encounter),
            encounters::elo(&encounter)
        ),
    };
    bar.suspend(|| print_line(&line))?;
    Ok(ExitCode::SUCCESS)
}

/// The half points of the first player, who has the side `first`.
fn game(players: &[ParallelSearch; 2], first: Color, start: &Position, time: Duration) -> u8 {
    players.iter().for_each(ParallelSearch::clear);
    let outcome = play(start.clone(), |position| {
        let player = &players[usize::from(position.side_to_move() != first)];
        let found = player.search(position, u32::MAX, Some(time));
        Some((found.best?, found.value))
    });
    outcome.half_points(first)
}
