//! `rukh data`: looks at stored games, checks, shuffles, takes apart and converts them.

mod labels;
mod rescore;
mod tell;
mod write;
mod yardstick;

use std::path::PathBuf;

use rukh_chess::random::SplitMix64;
use rukh_lab::singles;

use crate::finish::Finish;
use tell::{chances, check, foretell, stats};
use write::{shuffle, to_epd, write_singles};

/// Look at games of self-play, check, shuffle, take apart or convert them
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

const EXAMPLES: &str = "\
Games come from `rukh selfplay`; the format is that of the crate viriformat.

Examples:
  rukh data stats games.vf --svg games.svg
  rukh data check games.vf
  rukh data foretell games.vf --network new.net
  rukh data shuffle one.vf two.vf --out games.vf
  rukh data quiet games.vf --out quiet.vf
  rukh data to-epd games.vf --out quiet.epd --every 8
  rukh data rescore games.vf --out labels.rkl --nodes 5000
  rukh data labels labels.rkl
  rukh data yardstick played.tsv --network new.net";

const STATS_EXAMPLES: &str = "\
Examples:
  rukh data stats games.vf
  rukh data stats one.vf two.vf --svg games.svg --json";

const CHANCES_EXAMPLES: &str = "\
Examples:
  rukh data chances games.vf
  rukh data chances games.vf --svg chances.svg --json";

const FORETELL_EXAMPLES: &str = "\
Of each evaluation the mean squared error of the chances that follow from it, with the scale of the logistic curve that suits
it best: the less, the more it knows of how games end. Use games that no network has learnt from, without stumbles.

Examples:
  rukh data foretell games.vf
  rukh data foretell games.vf --network one.net --network two.net --max-score 3000";

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
Nobody is in check, and the move that was found best neither captures nor promotes. A tutor (scripts/tutor) learns from them.

Examples:
  rukh data quiet games.vf --out quiet.vf";

const STRAYS_EXAMPLES: &str = "\
A stray is a move or two by lot away from what was played, nobody is in check, and no capture wins anything. It has no score
before a tutor (scripts/tutor) judges it: until then nothing is learnt from it.

Examples:
  rukh data strays games.vf --out strays.vf
  rukh data strays games.vf --out strays.vf --each 4 --seed 7";

const TO_EPD_EXAMPLES: &str = "\
Examples:
  rukh data to-epd games.vf --positions 1000
  rukh data to-epd games.vf --out quiet.epd --every 8";

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
enum Task {
    /// Count games, results, scores, phases, men and duplicates
    #[command(after_help = STATS_EXAMPLES)]
    Stats(Counted),
    /// Fit the chances to win, draw and lose to scores and results
    #[command(after_help = CHANCES_EXAMPLES)]
    Chances(Counted),
    /// Say how well scores, the evaluations and networks foretell the results of quiet positions
    #[command(after_help = FORETELL_EXAMPLES)]
    Foretell {
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
    /// Put the games of all files into one, in an order by lot
    #[command(after_help = SHUFFLE_EXAMPLES)]
    Shuffle {
        /// The games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Where they go
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// What the order hangs on
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
    Strays {
        /// The games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Where they go
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// How many are tried for each position that was played
        #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
        each: u64,
        /// What the lots hang on
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
    Yardstick(yardstick::Args),
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Finish {
    match &args.task {
        Task::Stats(Counted { files, svg, json }) => stats(files, svg.as_deref(), *json),
        Task::Chances(Counted { files, svg, json }) => chances(files, svg.as_deref(), *json),
        Task::Foretell { files, networks, max_score, json } => foretell(files, networks, *max_score, *json),
        Task::Check { files, json } => check(files, *json),
        Task::Shuffle { files, out, seed } => shuffle(files, out, *seed),
        Task::Quiet { files, out } => write_singles(files, out, |game| singles::quiet(game).collect()),
        Task::Strays { files, out, each, seed } => {
            let mut random = SplitMix64::new(*seed);
            write_singles(files, out, |game| singles::strays(game, *each, &mut random))
        }
        Task::ToEpd { files, out, positions, every } => {
            to_epd(files, out.as_deref(), *positions, *every as usize)
        }
        Task::Rescore(args) => rescore::run(args),
        Task::Labels(args) => labels::run(args),
        Task::Yardstick(args) => yardstick::run(args),
    }
}
