//! UCT with random playouts: the visits of the root moves.

use std::process::ExitCode;

use rukh_engine::teaching::uct::uct;
use serde_json::json;

use crate::finish::Finish;
use crate::output::print_line;
use crate::start::position;

/// Search by random playouts (UCT) and show where the visits went
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The position, as FEN
    #[arg(long, default_value = "startpos")]
    fen: String,

    /// Number of playouts
    #[arg(long, default_value = "2000", value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    count: u32,

    /// Seed of the random moves; the same seed gives the same result
    #[arg(long, default_value = "1")]
    seed: u64,

    /// Show so many moves
    #[arg(long, default_value = "5")]
    top: usize,

    /// Print a JSON object for each row
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
A playout is a random game of twelve plies, decided by material.

Examples:
  rukh teach playouts
  rukh teach playouts --count 20000 --fen \"6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1\"";

pub(super) fn run(args: &Args) -> Finish {
    let position = position(&args.fen)?;
    let moves = uct(&position, args.count, args.seed);
    if moves.is_empty() {
        return Err("there is no legal move".to_owned().into());
    }
    if !args.json {
        print_line("move    visits   mean")?;
    }
    for found in moves.iter().take(args.top) {
        let mv = position.san(found.mv);
        print_line(&match args.json {
            true => json!({ "move": mv, "visits": found.visits, "mean": found.mean }).to_string(),
            false => format!("{mv:<7} {:>6}   {:.3}", found.visits, found.mean),
        })?;
    }
    Ok(ExitCode::SUCCESS)
}
