//! `rukh magics`: repeats the search for the factors that slider attacks are looked up with.

use std::process::ExitCode;

use rukh_chess::attacks::{Slider, magics};
use serde_json::json;

use crate::finish::Finish;
use crate::output::{print, print_line};

/// Search magic factors for rooks and bishops, and print them as Rust source
///
/// The default seed gives the factors this program was built with: its output is the file
/// crates/chess/src/attacks/factors.rs.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Where the random numbers begin; the same seed gives the same factors
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
