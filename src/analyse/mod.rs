//! `rukh analyse`: the best lines in a position, or the review of games.

mod finished;
mod pgn;
mod position;
mod report;
mod reviewer;

use crate::finish::Finish;
use crate::searching::SearchArgs;

/// Show the best lines in a position, or review games: what each move cost, and what was better
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    position: position::PositionArgs,

    #[command(flatten)]
    games: pgn::GameArgs,

    #[command(flatten)]
    search: SearchArgs,

    /// Print JSON, one object for each line or game
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Without a limit it thinks for five seconds about a position, and for 200 milliseconds about each position of a game.

Games are reviewed one after the other. An interrupt keeps those that are finished, beside the output in a file that ends \
in .part, and the same command goes on from there; the output itself is written once all games are finished.

Examples:
  rukh analyse --movetime 10000
  rukh analyse --multipv 3 --depth 20 --fen \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\"
  rukh analyse --pgn games.pgn
  rukh analyse --pgn games.pgn --out reviewed.pgn --html review.html --movetime 1000 --threads 4";

pub(crate) fn run(args: &Args) -> Finish {
    match args.games.file() {
        Some(file) => pgn::run(file, &args.games, &args.search, args.json),
        None => position::run(&args.position, &args.search, args.json),
    }
}
