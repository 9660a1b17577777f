//! `rukh perft`: counts leaf nodes of the move tree, for one position or for a suite with known counts.

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

/// Count the leaf nodes of the move tree at a depth, to verify the move generator
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Depth in plies
    #[arg(required_unless_present = "suite", value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,

    /// The position, as FEN, X-FEN or Shredder-FEN
    #[arg(long, default_value = "startpos")]
    fen: String,

    /// Write castling moves as king takes rook, as in Chess960; always done where king or rook do not stand on their
    /// standard squares
    #[arg(long)]
    chess960: bool,

    /// Print the count of each root move
    #[arg(long)]
    divide: bool,

    /// Verify the counts in the operations D1, D2, ... of an EPD file; the exit status is 1 if a count differs or a line is
    /// malformed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["depth", "fen", "divide", "chess960"])]
    suite: Option<PathBuf>,

    /// Skip counts of the suite beyond this depth
    #[arg(long, value_name = "DEPTH", requires = "suite")]
    max_depth: Option<u32>,

    /// Number of threads
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,

    /// Size of a hash table of counted positions in MiB; 0 for none
    #[arg(long, value_name = "MB", default_value = "0")]
    hash: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Deeper counts never finish.
const MAX_DEPTH: u32 = 99;

const EXAMPLES: &str = "\
The depth is in plies. Without --divide only the total is printed.

Examples:
  rukh perft 6
  rukh perft 7 --threads 2 --hash 256
  rukh perft 5 --divide --fen \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\"
  rukh perft --suite crates/chess/tests/perft_table.epd";

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    let table =
        match args.hash {
            0 => None,
            mebibytes => {
                let table = PerftTable::new(mebibytes);
                Some(table.ok_or_else(|| {
                    format!("there is not enough memory for a hash table of {mebibytes} MiB")
                })?)
            }
        };
    match (&args.suite, args.depth) {
        (Some(file), _) => run_suite(args, file, table.as_ref()),
        (None, Some(depth)) => run_position(args, depth, table.as_ref()),
        (None, None) => Err("give a depth or --suite FILE".to_owned().into()),
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
    // At depth 0 the root is the only leaf.
    let nodes = if depth == 0 { 1 } else { total(&counts) };
    let time = bar.finish();
    if nodes == u64::MAX {
        return Err("the count does not fit in 64 bits".to_owned().into());
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

/// The sum of the counts, saturated at `u64::MAX`.
fn total(counts: &[(Move, u64)]) -> u64 {
    counts.iter().fold(0, |total, (_, count)| total.saturating_add(*count))
}

/// A count to verify.
struct ExpectedCount {
    line: usize,
    position: Position,
    depth: u32,
    nodes: u64,
}

/// The counts of an EPD file, and a message for each malformed line.
#[derive(Default)]
struct Suite {
    expected: Vec<ExpectedCount>,
    faults: Vec<String>,
}

fn run_suite(args: &Args, file: &Path, table: Option<&PerftTable>) -> Finish {
    let suite = read_suite(&read_text(file)?, args.max_depth);
    if suite.expected.is_empty() && suite.faults.is_empty() {
        return Err(format!("{} has no count to verify, such as D3 8902", file.display()).into());
    }
    let bar = LateBar::new("counts");
    let say = |line: &str| if args.json { Ok::<(), Failure>(()) } else { bar.print_line(line) };
    suite.faults.iter().try_for_each(|fault| say(fault))?;
    let mut mismatches = Vec::new();
    let mut all_nodes = 0_u64;
    for (done, expected) in suite.expected.iter().enumerate() {
        let ExpectedCount { line, ref position, depth, nodes } = *expected;
        bar.set(done, suite.expected.len());
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
    let (counts, wrong, unread) = (suite.expected.len(), mismatches.len(), suite.faults.len());
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
            "{counts} counts, {wrong} wrong, {unread} malformed lines, {all_nodes} nodes ({speed})"
        ))?;
    }
    Ok(if wrong + unread == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Reads the counts of a suite up to `max_depth`. Empty lines and lines that begin with `#` are comments.
fn read_suite(text: &str, max_depth: Option<u32>) -> Suite {
    let mut suite = Suite::default();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match read_line(number, line) {
            Ok(counts) => suite.expected.extend(counts),
            Err(fault) => suite.faults.push(format!("line {number}: {fault}")),
        }
    }
    suite.expected.retain(|expected| max_depth.is_none_or(|max_depth| expected.depth <= max_depth));
    suite
}

fn read_line(number: usize, line: &str) -> Result<Vec<ExpectedCount>, String> {
    let epd = line.parse::<Epd>().map_err(|error| error.to_string())?;
    let position = epd.setup.validate().map_err(|error| error.to_string())?;
    let mut counts = Vec::new();
    for operation in &epd.operations {
        let depth = operation.opcode.strip_prefix('D').and_then(|digits| digits.parse().ok());
        let Some(depth) = depth.filter(|depth| (1..=MAX_DEPTH).contains(depth)) else { continue };
        let nodes = operation.operands.first().and_then(|count| count.parse().ok());
        let nodes = nodes.ok_or_else(|| format!("{} is not followed by a count", operation.opcode))?;
        counts.push(ExpectedCount { line: number, position: position.clone(), depth, nodes });
    }
    Ok(counts)
}
