//! `rukh teach`: experiments with the teaching versions and with parts of the search, as tables.

mod generators;
mod middlegame;
mod parallel;
mod playouts;
mod searches;
mod smp;
mod techniques;
mod terms;

use crate::finish::Finish;

/// Compare textbook algorithms: move generators, searches, techniques, parallel search, evaluation terms, random playouts
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    experiment: Experiment,
}

const EXAMPLES: &str = "\
The experiments belong to the guide in docs/guide.

Examples:
  rukh teach searches --depth 4
  rukh teach techniques --depth 8
  rukh teach generators --depth 5
  rukh teach parallel --threads 2
  rukh teach smp --threads 1,2 --games 20
  rukh teach terms --games 20 --only mobility
  rukh teach playouts --count 5000
  rukh teach searches --json";

#[derive(clap::Subcommand)]
enum Experiment {
    Generators(generators::Args),
    Searches(searches::Args),
    Techniques(techniques::Args),
    Parallel(parallel::Args),
    Smp(smp::Args),
    Terms(terms::Args),
    Playouts(playouts::Args),
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    match &args.experiment {
        Experiment::Generators(args) => generators::run(args),
        Experiment::Searches(args) => searches::run(args),
        Experiment::Techniques(args) => techniques::run(args),
        Experiment::Parallel(args) => parallel::run(args),
        Experiment::Smp(args) => smp::run(args),
        Experiment::Terms(args) => terms::run(args),
        Experiment::Playouts(args) => playouts::run(args),
    }
}
