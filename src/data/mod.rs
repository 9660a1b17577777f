//! `rukh data`: looks at stored games, checks, shuffles, takes apart and converts them.

mod from_pgn;
mod labels;
mod rescore;
mod tell;
mod write;
mod yardstick;

use std::path::PathBuf;

use rukh_chess::random::SplitMix64;
use rukh_lab::singles;

use crate::finish::Finish;
use from_pgn::from_pgn;
use tell::{check, stats, validate, wdl};
use write::{shuffle, to_epd, write_singles};

/// Look at games of self-play, check, shuffle, take apart or convert them
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: DataCommand,
}

const EXAMPLES: &str = "\
Games come from `rukh selfplay`; the format is that of the crate viriformat.

Examples:
  rukh data stats games.vf --svg games.svg
  rukh data check games.vf
  rukh data validate games.vf --network new.net
  rukh data shuffle one.vf two.vf --out games.vf
  rukh data quiet games.vf --out quiet.vf
  rukh data to-epd games.vf --out quiet.epd --every 8
  rukh data rescore games.vf --out labels.rkl --nodes 5000
  rukh data labels labels.rkl
  rukh data from-pgn games.pgn --out games.vf
  rukh data yardstick played.tsv --network new.net";

const STATS_EXAMPLES: &str = "\
Examples:
  rukh data stats games.vf
  rukh data stats one.vf two.vf --svg games.svg --json";

const CHANCES_EXAMPLES: &str = "\
Examples:
  rukh data wdl games.vf
  rukh data wdl games.vf --svg chances.svg --json";

const FORETELL_EXAMPLES: &str = "\
Of each evaluation the mean squared error of the chances that follow from it, with the scale of the logistic curve that suits
it best: the less, the more it knows of how games end. Use games that no network has learnt from, without random_moves.

Examples:
  rukh data validate games.vf
  rukh data validate games.vf --network one.net --network two.net --max-score 3000";

const CHECK_EXAMPLES: &str = "\
Examples:
  rukh data check games.vf
  rukh data check one.vf two.vf --json
  rukh data check labels.rkl";

const SHUFFLE_EXAMPLES: &str = "\
Examples:
  rukh data shuffle one.vf two.vf --out games.vf
  rukh data shuffle games.vf --out shuffled.vf --seed 7";

const QUIET_EXAMPLES: &str = "\
Nobody is in check, and the move that was found best neither captures nor promotes. A teacher (scripts/teacher) learns from them.

Examples:
  rukh data quiet games.vf --out quiet.vf";

const STRAYS_EXAMPLES: &str = "\
A perturbed is a move or two at random away from what was played, nobody is in check, and no capture wins anything. It has no score
before a teacher (scripts/teacher) judges it: until then nothing is learnt from it.

Examples:
  rukh data perturb games.vf --out perturbed.vf
  rukh data perturb games.vf --out perturbed.vf --each 4 --seed 7";

const TO_EPD_EXAMPLES: &str = "\
Examples:
  rukh data to-epd games.vf --positions 1000
  rukh data to-epd games.vf --out quiet.epd --every 8";

const FROM_PGN_EXAMPLES: &str = "\
Scores are read from the comments of the moves, as fastchess, Cute Chess, OpenBench and `rukh match` write them: {+0.31/12 0.153s}.
A move without one, such as a move of the book, gets none. Games without a result, with a fault, or lost by a crash, on time or by
an illegal move are named and skipped; the exit status is then 1. Files may be packed (.bz2, .xz), also within an archive (.tar),
as OpenBench stores them.

Examples:
  rukh data from-pgn games.pgn --out games.vf
  rukh data from-pgn 12.pgn.tar 13.pgn.tar --out games.vf --json";

/// Games to count, and how the counts are told.
#[derive(clap::Args)]
struct Counted {
    /// The games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Draw what was counted
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum DataCommand {
    /// Count games, results, scores, phases, pieces and duplicates
    #[command(after_help = STATS_EXAMPLES)]
    Stats(Counted),
    /// Fit the chances to win, draw and lose to scores and results
    #[command(after_help = CHANCES_EXAMPLES)]
    Wdl(Counted),
    /// Say how well scores, the evaluations and networks validate the results of quiet positions
    #[command(after_help = FORETELL_EXAMPLES)]
    Validate {
        /// The games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// A network to ask beside the one that is built in
        #[arg(long = "network", value_name = "FILE")]
        networks: Vec<PathBuf>,
        /// Positions with greater scores are left out, in centipawns
        #[arg(long, value_name = "CP", default_value_t = 300, value_parser = clap::value_parser!(i16).range(1..))]
        max_score: i16,
        /// Print it as JSON
        #[arg(long)]
        json: bool,
    },
    /// Read every game, or every label (.rkl): the exit status is 1 if something is wrong
    #[command(after_help = CHECK_EXAMPLES)]
    Check {
        /// The games or labels
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Print a JSON object for each file
        #[arg(long)]
        json: bool,
    },
    /// Put the games of all files into one, in random order
    #[command(after_help = SHUFFLE_EXAMPLES)]
    Shuffle {
        /// The games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Where they go
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// What the order depends on
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Write the quiet positions with known results, each as a game of one move
    #[command(after_help = QUIET_EXAMPLES)]
    Quiet {
        /// The games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Where they go
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Write quiet positions near those that were played, each as a game of one move
    #[command(after_help = STRAYS_EXAMPLES)]
    Perturb {
        /// The games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Where they go
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// How many are tried for each position that was played
        #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
        each: u64,
        /// What the lots depend on
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Write positions as lines of EPD with score (ce) and result (c9)
    #[command(after_help = TO_EPD_EXAMPLES)]
    ToEpd {
        /// The games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Where the lines go; to the standard output if not said
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// At most so many positions
        #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
        positions: usize,
        /// Take one in so many of the quiet positions of a game
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        every: u32,
    },
    Rescore(rescore::Args),
    Labels(labels::Args),
    /// Make games of this format from PGN with scores in the comments
    #[command(after_help = FROM_PGN_EXAMPLES)]
    FromPgn {
        /// The games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Where they go
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Print what was read as JSON
        #[arg(long)]
        json: bool,
    },
    Yardstick(yardstick::Args),
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Finish {
    match &args.task {
        DataCommand::Stats(Counted { files, svg, json }) => stats(files, svg.as_deref(), *json),
        DataCommand::Wdl(Counted { files, svg, json }) => wdl(files, svg.as_deref(), *json),
        DataCommand::Validate { files, networks, max_score, json } => {
            validate(files, networks, *max_score, *json)
        }
        DataCommand::Check { files, json } => check(files, *json),
        DataCommand::Shuffle { files, out, seed } => shuffle(files, out, *seed),
        DataCommand::Quiet { files, out } => write_singles(files, out, |game| singles::quiet(game).collect()),
        DataCommand::Perturb { files, out, each, seed } => {
            let mut random = SplitMix64::new(*seed);
            write_singles(files, out, |game| singles::perturbed(game, *each, &mut random))
        }
        DataCommand::ToEpd { files, out, positions, every } => {
            to_epd(files, out.as_deref(), *positions, *every as usize)
        }
        DataCommand::Rescore(args) => rescore::run(args),
        DataCommand::Labels(args) => labels::run(args),
        DataCommand::FromPgn { files, out, json } => from_pgn(files, out, *json),
        DataCommand::Yardstick(args) => yardstick::run(args),
    }
}
