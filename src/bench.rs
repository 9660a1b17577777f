//! `rukh bench`: searches fixed positions to a fixed depth. The node count is the signature of the search.

use std::num::NonZeroUsize;
use std::process::ExitCode;

use rukh_engine::api::Algorithm;
use rukh_engine::bench;
use rukh_engine::technique::TechniqueOverrides;
use serde_json::json;

use crate::evaluation::EvaluationArgs;
use crate::finish::Finish;
use crate::leaf_network::LeafNetworkArgs;
use crate::output::{eprint_line, print_line};
use crate::progress::LateBar;

/// Search fifty fixed positions and print the node count and the speed
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Search depth for each position [default: 12; with --search mcts 5, with --search uct 3]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: Option<u32>,

    /// Number of search threads; with more than one the node count differs from run to run
    #[arg(default_value = "1")]
    threads: NonZeroUsize,

    /// Size of the transposition table, or of the tree, in MiB
    #[arg(default_value = "16")]
    hash: usize,

    /// The search: alphabeta, mcts or uct
    #[arg(long, default_value_t)]
    search: Algorithm,

    /// Techniques to switch against their default, separated by commas
    #[arg(long, value_name = "TECHNIQUES", default_value = "")]
    switch: TechniqueOverrides,

    #[command(flatten)]
    evaluation: EvaluationArgs,

    #[command(flatten)]
    leaf_network: LeafNetworkArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
On one thread the node count is always the same: it is the signature of the search. A commit that does not change it\ndoes not change the search.

Examples:
  rukh bench
  rukh bench 16                      depth 16
  rukh bench 14 2 64                 depth 14, two threads, 64 MiB
  rukh bench --switch null-move      without null move pruning
  rukh bench --search mcts           the signature of Monte Carlo tree search; the depth is the mean depth of its leaves
  rukh bench --classical --json";

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    let bar = LateBar::new("positions");
    let total = bench::POSITIONS.len();
    let evaluation = args.evaluation.evaluation()?;
    let depth = args.depth.unwrap_or(bench::default_depth(args.search));
    let on_position = |number: usize, _: &str, _: u64| bar.set(number, total);
    let engine = bench::engine(args.search, args.switch, args.threads, args.hash, &evaluation);
    let mut engine = engine.map_err(|error| error.to_string())?;
    if let Some(network) = args.leaf_network.network(args.search)? {
        engine.set_leaf_network(Some(network));
    }
    let report = bench::run_with(&mut engine, depth, on_position);
    bar.finish();
    if report.threads < args.threads.get() {
        eprint_line(&format!("{} of {} threads were used", report.threads, args.threads));
    }
    let (nodes, nps) = (report.nodes, report.nodes_per_second());
    // OpenBench and other frameworks parse the text form.
    print_line(&match args.json {
        true => json!({ "nodes": nodes, "nps": nps, "seconds": report.time.as_secs_f64() }).to_string(),
        false => format!("{nodes} nodes {nps} nps"),
    })?;
    Ok(ExitCode::SUCCESS)
}
