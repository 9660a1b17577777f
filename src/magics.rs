//! `rukh magics`: finds the magic numbers of the slider attack tables.

use std::process::ExitCode;

use rukh_chess::attacks::{Slider, magics};
use serde_json::json;

use crate::finish::Finish;
use crate::output::{print, print_line};

/// Find magic numbers for rooks and bishops and print them as Rust source
///
/// The default seed gives the numbers of this build: the output is the file crates/chess/src/attacks/factors.rs.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Seed of the random numbers; the same seed gives the same result
    #[arg(long, default_value_t = magics::SEED)]
    seed: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  rukh magics
  rukh magics --seed 9
  rukh magics --json";

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    let rook = magics::find(Slider::Rook, args.seed);
    let bishop = magics::find(Slider::Bishop, args.seed);
    if args.json {
        let report = json!({ "seed": args.seed, "rook": &rook[..], "bishop": &bishop[..] });
        print_line(&report.to_string())?;
    } else {
        print(&magics::source(&rook, &bishop))?;
    }
    Ok(ExitCode::SUCCESS)
}
