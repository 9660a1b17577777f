//! `rukh teach`: experiments with the teaching versions and with parts of the search, as tables.

mod generators;
mod playouts;
mod searches;
mod techniques;

use rukh_chess::Position;

use crate::finish::Finish;

/// Compare textbook algorithms: move generators, searches, techniques, random playouts
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
  rukh teach playouts --count 5000";

#[derive(clap::Subcommand)]
enum Experiment {
    Generators(generators::Args),
    Searches(searches::Args),
    Techniques(techniques::Args),
    Playouts(playouts::Args),
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    match &args.experiment {
        Experiment::Generators(args) => generators::run(args),
        Experiment::Searches(args) => searches::run(args),
        Experiment::Techniques(args) => techniques::run(args),
        Experiment::Playouts(args) => playouts::run(args),
    }
}

/// Parses a position; `startpos` is the start position.
fn position(fen: &str) -> Result<Position, String> {
    match fen {
        "startpos" => Ok(Position::default()),
        fen => fen.parse::<Position>().map_err(|error| error.to_string()),
    }
}

/// An open middlegame with captures, the default of the experiments: "Kiwipete" of the perft tables.
const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
