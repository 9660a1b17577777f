//! Parallel search: textbook forms on several threads against one thread, and the engine's own threads (Lazy SMP).

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rukh_chess::Position;
use rukh_engine::Engine;
use rukh_engine::api::{Event, Limits, Request, Settings};
use rukh_engine::teaching::parallel::{Split, all_at_once, young_brothers_wait};
use rukh_engine::teaching::{Counted, Order, alpha_beta};
use rukh_eval::{Material, Score};
use serde_json::json;

use super::middlegame::MIDDLEGAME;
use crate::finish::Finish;
use crate::output::print_line;
use crate::start::position;

/// Compare parallel searches: all moves at once, young brothers wait, and Lazy SMP
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The position, as FEN
    #[arg(long, default_value = MIDDLEGAME)]
    fen: String,

    /// Depth of the textbook searches in plies
    #[arg(long, default_value = "4", value_parser = clap::value_parser!(u32).range(1..=7))]
    depth: u32,

    /// Depth of the engine's search
    #[arg(long, default_value = "12", value_parser = clap::value_parser!(u32).range(1..=40))]
    engine_depth: u32,

    /// Threads
    #[arg(long, default_value = "2", value_parser = clap::value_parser!(u64).range(1..=64))]
    threads: u64,

    /// Print a JSON object for each row
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
The textbook searches count material and have no transposition table; their work is counted in leaves. The engine searches as in
play; its work is counted in nodes.

Examples:
  rukh teach parallel
  rukh teach parallel --threads 4 --depth 5 --engine-depth 16";

const OPEN: (Score, Score) = (Score::MIN, Score::MAX);

pub(super) fn run(args: &Args) -> Finish {
    let position = position(&args.fen)?;
    if position.count_legal_moves() == 0 {
        return Err("there is no legal move to search".to_owned().into());
    }
    let threads = args.threads as usize;
    if !args.json {
        print_line("search                 threads         work   seconds")?;
    }
    let depth = args.depth;
    let textbook = |name: &str, threads: usize, search: &dyn Fn() -> Split| {
        let start = Instant::now();
        let found = search();
        (row(args, name, threads, found.leaves, start.elapsed()), found.value)
    };
    let (line, value) = textbook("alpha-beta", 1, &|| one_thread(&position, depth));
    print_line(&line)?;
    let (line, found) = textbook("all at once", threads, &|| all_at_once(&position, depth, threads));
    assert_eq!(found, value, "all searches find the same value");
    print_line(&line)?;
    let (line, found) =
        textbook("young brothers wait", threads, &|| young_brothers_wait(&position, 0, depth, OPEN, threads));
    assert_eq!(found, value, "all searches find the same value");
    print_line(&line)?;
    for threads in [1, threads] {
        let (nodes, time) = engine(&position, args.engine_depth, threads)?;
        print_line(&row(args, "Lazy SMP", threads, nodes, time))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn row(args: &Args, name: &str, threads: usize, work: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match args.json {
        true => json!({ "search": name, "threads": threads, "work": work, "seconds": seconds }).to_string(),
        false => format!("{name:<22} {threads:>7} {work:>12}   {seconds:>7.3}"),
    }
}

fn one_thread(position: &Position, depth: u32) -> Split {
    let mut leaves = Counted::<Material>::default();
    let value = alpha_beta(position, 0, depth, OPEN, Order::CapturesFirst, &mut leaves);
    Split { value, leaves: leaves.count }
}

/// Nodes and time of the engine's search to a depth.
fn engine(position: &Position, depth: u32, threads: usize) -> Result<(u64, Duration), String> {
    let mut engine = Engine::try_new().map_err(|error| error.to_string())?;
    engine.set(Settings { threads, ..Settings::default() });
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let nodes = Arc::new(AtomicU64::new(0));
    let seen = nodes.clone();
    let start = Instant::now();
    let listener = move |event: Event| {
        if let Event::Line(_, progress) = event {
            seen.store(progress.nodes, Ordering::Relaxed);
        }
    };
    engine.start(Request::from_position(position.clone(), limits), Arc::new(listener));
    engine.wait();
    Ok((nodes.load(Ordering::Relaxed), start.elapsed()))
}
