//! `rukh data average`: the network between two others.

use std::path::PathBuf;
use std::process::ExitCode;

use rukh_eval::Network;
use rukh_lab::average::average;

use crate::finish::Finish;
use crate::output::{NewFile, print_line};
use crate::text::share;

/// Write the mean of the weights of two networks
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The first network
    first: PathBuf,

    /// The second network
    second: PathBuf,

    /// The share of the second network, from 0 to 1
    #[arg(long, default_value_t = 0.5, value_parser = share)]
    share: f64,

    /// The description in the file [default: the shares and the two descriptions]
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,

    /// The output file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

const EXAMPLES: &str = "\
A network that was trained from the weights of another one can be averaged with it; the mean is often better than both. Two
networks that were trained apart have no mean that can play. `rukh data yardstick` measures, and games decide.

Examples:
  rukh data average generation-10.net distilled.net --share 0.6 --out mean.net";

/// Runs the command.
pub(super) fn run(args: &Args) -> Finish {
    let mut mean = average(&Network::load(&args.first)?, &Network::load(&args.second)?, args.share);
    if let Some(description) = &args.description {
        mean = mean.described(description);
    }
    let mut to = NewFile::create(&args.out)?;
    to.write_bytes(&mean.to_bytes())?;
    to.finish()?;
    print_line(&format!("{} in {}", mean.description(), args.out.display()))?;
    Ok(ExitCode::SUCCESS)
}
