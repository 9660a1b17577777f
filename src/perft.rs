//! `rukh perft`: counts lines of moves, for one position or for a suite with known counts.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rukh_chess::notation::{CastlingNotation, Epd};
use rukh_chess::perft::{Division, PerftTable};
use rukh_chess::{Move, Position};
use serde_json::json;

use crate::finish::{Failure, Finish};
use crate::output::print_line;
use crate::progress::LateBar;
use crate::text::{read_text, speed};

/// Count the lines of a given number of moves: the proof of a move generator
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// How many moves deep
    #[arg(required_unless_present = "suite", value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,

    /// The position, as FEN, X-FEN or Shredder-FEN
    #[arg(long, default_value = "startpos")]
    fen: String,

    /// Write castling as the king taking its rook, as Chess960 does; done anyway where the king or a rook that may castle
    /// does not stand where standard chess has it
    #[arg(long)]
    chess960: bool,

    /// Count for each first move
    #[arg(long)]
    divide: bool,

    /// Check the counts of an EPD file with operations D1, D2, ... instead; exit status 1 if one differs or a line cannot
    /// be read
    #[arg(long, value_name = "FILE", conflicts_with_all = ["depth", "fen", "divide", "chess960"])]
    suite: Option<PathBuf>,

    /// In a suite, leave counts deeper than this out
    #[arg(long, value_name = "DEPTH", requires = "suite")]
    max_depth: Option<u32>,

    /// Threads to count with
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,

    /// Mebibytes for a table of positions already counted; 0 for none
    #[arg(long, value_name = "MB", default_value = "0")]
    hash: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Nobody will wait for that many.
const MAX_DEPTH: u32 = 99;

const EXAMPLES: &str = "\
Examples:
  rukh perft 6
  rukh perft 7 --threads 2 --hash 256
  rukh perft 5 --divide --fen \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\"
  rukh perft --suite crates/chess/tests/perft_table.epd";

pub(crate) fn run(args: &Args) -> Finish {
    let table = match args.hash {
        0 => None,
        mebibytes => {
            let table = PerftTable::new(mebibytes);
            Some(table.ok_or_else(|| format!("there is no memory for a table of {mebibytes} MiB"))?)
        }
    };
    match (&args.suite, args.depth) {
        (Some(file), _) => run_suite(args, file, table.as_ref()),
        (None, Some(depth)) => run_position(args, depth, table.as_ref()),
        (None, None) => Err("give a depth, or a suite".to_owned().into()),
    }
}

fn run_position(args: &Args, depth: u32, table: Option<&PerftTable>) -> Finish {
    let position = match args.fen.as_str() {
        "startpos" => Position::default(),
        fen => fen.parse::<Position>().map_err(|error| error.to_string())?,
    };
    let bar = LateBar::new("parts");
    let division =
        Division { threads: args.threads, table, on_progress: &|done, total| bar.set(done, total) };
    let counts = division.run(&position, depth);
    // There is one line of no moves.
    let nodes = if depth == 0 { 1 } else { total(&counts) };
    let time = bar.finish();
    if nodes == u64::MAX {
        return Err("there are more lines than 64 bits can count".to_owned().into());
    }

    let castling = if args.chess960 { CastlingNotation::RookSquare } else { CastlingNotation::of(&position) };
    let moves = counts.iter().map(|&(mv, count)| (position.uci(mv, castling), count));
    if args.json {
        let mut report = json!({
            "fen": position.to_string(),
            "depth": depth,
            "nodes": nodes,
            "seconds": time.as_secs_f64(),
        });
        if args.divide {
            report["moves"] =
                moves.map(|(name, count)| (name, count.into())).collect::<serde_json::Map<_, _>>().into();
        }
        print_line(&report.to_string())?;
    } else {
        if args.divide {
            for (name, count) in moves {
                print_line(&format!("{name}: {count}"))?;
            }
        }
        print_line(&format!("{nodes} nodes ({})", speed(nodes, time)))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// All counts together; `u64::MAX` stands for that many or more.
fn total(counts: &[(Move, u64)]) -> u64 {
    counts.iter().fold(0, |total, (_, count)| total.saturating_add(*count))
}

/// One count that a suite demands.
struct Demand {
    line: usize,
    position: Position,
    depth: u32,
    nodes: u64,
}

/// What an EPD file demands, and the sentences about its lines that cannot be read.
#[derive(Default)]
struct Suite {
    demands: Vec<Demand>,
    faults: Vec<String>,
}

fn run_suite(args: &Args, file: &Path, table: Option<&PerftTable>) -> Finish {
    let suite = read_suite(&read_text(file)?, args.max_depth);
    if suite.demands.is_empty() && suite.faults.is_empty() {
        return Err(format!("{} has no count such as D3 8902 to check", file.display()).into());
    }
    let bar = LateBar::new("counts");
    let say = |line: &str| if args.json { Ok::<(), Failure>(()) } else { bar.print_line(line) };
    suite.faults.iter().try_for_each(|fault| say(fault))?;
    let mut mismatches = Vec::new();
    let mut all_nodes = 0_u64;
    for (done, demand) in suite.demands.iter().enumerate() {
        let Demand { line, ref position, depth, nodes } = *demand;
        bar.set(done, suite.demands.len());
        let tell = |part: usize, parts: usize| {
            bar.say(|| format!("(line {line}, depth {depth}: {part}/{parts})"));
        };
        let division = Division { threads: args.threads, table, on_progress: &tell };
        let counted = total(&division.run(position, depth));
        all_nodes = all_nodes.saturating_add(counted);
        if counted != nodes {
            say(&format!("line {line}, depth {depth}: {nodes} expected, {counted} counted: {position}"))?;
            mismatches.push(json!({
                "line": line, "fen": position.to_string(), "depth": depth, "expected": nodes, "counted": counted,
            }));
        }
    }
    let time = bar.finish();
    let (counts, wrong, unread) = (suite.demands.len(), mismatches.len(), suite.faults.len());
    if args.json {
        let report = json!({
            "suite": file.display().to_string(),
            "counts": counts,
            "mismatches": mismatches,
            "faults": suite.faults,
            "nodes": all_nodes,
            "seconds": time.as_secs_f64(),
        });
        print_line(&report.to_string())?;
    } else {
        let speed = speed(all_nodes, time);
        print_line(&format!(
            "{counts} counts, {wrong} wrong, {unread} lines unread, {all_nodes} nodes ({speed})"
        ))?;
    }
    Ok(if wrong + unread == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Reads all counts of a suite, those deeper than `max_depth` left out. Empty lines and lines with `#` in front are
/// comments.
fn read_suite(text: &str, max_depth: Option<u32>) -> Suite {
    let mut suite = Suite::default();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match read_line(number, line) {
            Ok(demands) => suite.demands.extend(demands),
            Err(fault) => suite.faults.push(format!("line {number}: {fault}")),
        }
    }
    suite.demands.retain(|demand| max_depth.is_none_or(|max_depth| demand.depth <= max_depth));
    suite
}

fn read_line(number: usize, line: &str) -> Result<Vec<Demand>, String> {
    let epd = line.parse::<Epd>().map_err(|error| error.to_string())?;
    let position = epd.setup.validate().map_err(|error| error.to_string())?;
    let mut demands = Vec::new();
    for operation in &epd.operations {
        let depth = operation.opcode.strip_prefix('D').and_then(|digits| digits.parse().ok());
        let Some(depth) = depth.filter(|depth| (1..=MAX_DEPTH).contains(depth)) else { continue };
        let nodes = operation.operands.first().and_then(|count| count.parse().ok());
        let nodes = nodes.ok_or_else(|| format!("{} is not followed by a count", operation.opcode))?;
        demands.push(Demand { line: number, position: position.clone(), depth, nodes });
    }
    Ok(demands)
}
