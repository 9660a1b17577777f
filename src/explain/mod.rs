//! `rukh explain`: why a move is good or bad, as claims that can be replayed.

mod themes;

use std::path::PathBuf;

use crate::finish::Finish;

/// Explain a move: claims with lines that prove them
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Measure the detectors on puzzles with themes: id, FEN, moves, rating, themes (.tsv or .tsv.xz)
    #[arg(long, value_name = "FILE")]
    themes: Option<PathBuf>,

    /// With --themes: list the rows on which this theme and its claim differ
    #[arg(long, value_name = "THEME", requires = "themes")]
    differences: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  rukh explain --themes puzzles.tsv.xz
  rukh explain --themes puzzles.tsv.xz --differences fork";

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    let Some(file) = &args.themes else { return Err("nothing to do".to_owned().into()) };
    themes::run(file, args.differences.as_deref(), args.json)
}
