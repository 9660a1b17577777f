//! `rukh analyse`: the best lines of a position, or reviews of games.

mod finished;
mod pgn;
mod position;
mod report;
mod reviewer;

use crate::finish::Finish;
use crate::searching::SearchArgs;

/// Analyse a position, or review games: accuracy, mistakes and better moves
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    position: position::PositionArgs,

    #[command(flatten)]
    games: pgn::GameArgs,

    #[command(flatten)]
    search: SearchArgs,

    /// Print JSON: one object for each line or game
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Without a limit a position is searched for five seconds, and each position of a game for 200 milliseconds.

Games are reviewed in order. After Ctrl-C the finished reviews stay in a file beside the output that ends in .part, and the same \
command resumes from it; the output itself is written when all games are finished.

Examples:
  rukh analyse --movetime 10000
  rukh analyse --multipv 3 --depth 20 --fen \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\"
  rukh analyse --pgn games.pgn
  rukh analyse --pgn games.pgn --out reviewed.pgn --html review.html --movetime 1000 --threads 4";

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    match args.games.file() {
        Some(file) => pgn::run(file, &args.games, &args.search, args.json),
        None => position::run(&args.position, &args.search, args.json),
    }
}
