//! `rukh bench`: a fixed task whose number of nodes is the signature of the search.

use std::num::NonZeroUsize;
use std::process::ExitCode;

use rukh_engine::bench;
use serde_json::json;

use crate::evaluation::EvaluationArgs;
use crate::finish::Finish;
use crate::output::print_line;
use crate::progress::LateBar;

/// Search fifty positions to a fixed depth and print nodes and speed
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Iterations for each position
    #[arg(default_value_t = bench::DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: u32,

    /// Threads; with more than one the nodes differ from run to run
    #[arg(default_value = "1")]
    threads: NonZeroUsize,

    /// Mebibytes for the table of positions
    #[arg(default_value = "16")]
    hash: usize,

    #[command(flatten)]
    evaluation: EvaluationArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
On one thread the nodes are always the same: they are the signature of the search. Only the speed differs.

Examples:
  rukh bench
  rukh bench 16                      deeper
  rukh bench 14 2 64                 depth, threads, mebibytes
  rukh bench --classical --json";

pub(crate) fn run(args: &Args) -> Finish {
    let bar = LateBar::new("positions");
    let total = bench::POSITIONS.len();
    let evaluation = args.evaluation.evaluation()?;
    let report = bench::run(args.depth, args.threads, args.hash, &evaluation, |number, _, _| {
        bar.set(number, total);
    });
    bar.finish();
    let report = report.map_err(|error| error.to_string())?;
    let (nodes, nps) = (report.nodes, report.nodes_per_second());
    // Testing frameworks look for the words of the second form.
    print_line(&match args.json {
        true => json!({ "nodes": nodes, "nps": nps, "seconds": report.time.as_secs_f64() }).to_string(),
        false => format!("{nodes} nodes {nps} nps"),
    })?;
    Ok(ExitCode::SUCCESS)
}
