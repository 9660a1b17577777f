//! `rukh data`: looks at stored games, checks, shuffles, takes apart and converts them.

mod architecture;
mod average;
mod from_pgn;
mod labels;
mod policy;
mod rescore;
mod store;
mod tell;
mod tree;
mod visits;
mod write;
mod yardstick;

use std::path::PathBuf;

use rukh_chess::random::SplitMix64;
use rukh_eval::AnyEvaluator;
use rukh_lab::singles;

use crate::evaluation::EvaluationArgs;
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
  rukh data tree games.vf --out tree.vf
  rukh data pack games.vf --out games.rkg --nodes 150 --seed 7 --network 'generation 10'
  rukh data to-epd games.vf --out quiet.epd --every 8
  rukh data rescore games.vf --out labels.rkl --nodes 5000
  rukh data labels labels.rkl
  rukh data policy labels.rkl games.vf --out policy.bin
  rukh data visits games.rkv --raw records.bin
  rukh data from-pgn games.pgn --out games.vf
  rukh data yardstick played.tsv --network new.net
  rukh data average old.net new.net --share 0.6 --out mean.net
  rukh data architecture > architecture.json";

const STATS_EXAMPLES: &str = "\
Examples:
  rukh data stats games.vf
  rukh data stats one.vf two.vf --svg games.svg --json";

const WDL_EXAMPLES: &str = "\
Examples:
  rukh data wdl games.vf
  rukh data wdl games.vf --svg wdl.svg --json";

const VALIDATE_EXAMPLES: &str = "\
Prints the mean squared error of the win probability of each evaluation, with the best scale of the logistic curve. Use games
that no network was trained on, without random moves.

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
In a quiet position there is no check, and the best move neither captures nor promotes. They train a teacher (scripts/teacher).

Examples:
  rukh data quiet games.vf --out quiet.vf";

const PERTURB_EXAMPLES: &str = "\
A perturbed position is one or two random moves away from a played one, without check and without a winning capture. It has no
score until a teacher (scripts/teacher) evaluates it, or the static evaluation with --evaluate, and is not used for training before.

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

/// Games to count, and the form of the report.
#[derive(clap::Args)]
struct Counted {
    /// The games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write a plot of the counts (SVG)
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
    /// Fit a WDL model to scores and results
    #[command(after_help = WDL_EXAMPLES)]
    Wdl(Counted),
    /// Validate scores, evaluations and networks against the results of quiet positions
    #[command(after_help = VALIDATE_EXAMPLES)]
    Validate {
        /// The games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// A network to validate in addition to the built-in one
        #[arg(long = "network", value_name = "FILE")]
        networks: Vec<PathBuf>,
        /// Positions with greater scores are left out, in internal units
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
        /// The output file
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// The seed of the order
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Write the quiet positions with known results, each as a game of one move
    #[command(after_help = QUIET_EXAMPLES)]
    Quiet {
        /// The games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The output file
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Write quiet perturbed positions, each as a game of one move
    #[command(after_help = PERTURB_EXAMPLES)]
    Perturb {
        /// The games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The output file
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Number of attempts for each played position
        #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
        each: u64,
        /// The seed of the random moves
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Give each position its static evaluation as the score
        #[arg(long)]
        evaluate: bool,
        #[command(flatten)]
        evaluation: EvaluationArgs,
    },
    /// Write positions as lines of EPD with score (ce) and result (c9)
    #[command(after_help = TO_EPD_EXAMPLES)]
    ToEpd {
        /// The games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The output file; standard output by default
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Maximum number of positions
        #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
        positions: usize,
        /// Use every Nth quiet position of a game
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        every: u32,
    },
    Tree(tree::Args),
    Architecture(architecture::Args),
    Average(average::Args),
    Pack(store::PackArgs),
    Unpack(store::UnpackArgs),
    Rescore(rescore::Args),
    Labels(labels::Args),
    Policy(policy::Args),
    Visits(visits::Args),
    /// Make games of this format from PGN with scores in the comments
    #[command(after_help = FROM_PGN_EXAMPLES)]
    FromPgn {
        /// The games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The output file
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
        DataCommand::Perturb { files, out, each, seed, evaluate, evaluation } => {
            let mut random = SplitMix64::new(*seed);
            let evaluation = evaluation.evaluation()?;
            let mut evaluator = AnyEvaluator::new(&evaluation);
            write_singles(files, out, |game| {
                let mut found = singles::perturbed(game, *each, &mut random);
                if *evaluate {
                    singles::evaluate(&mut found, &mut evaluator);
                }
                found
            })
        }
        DataCommand::ToEpd { files, out, positions, every } => {
            to_epd(files, out.as_deref(), *positions, *every as usize)
        }
        DataCommand::Tree(args) => tree::run(args),
        DataCommand::Architecture(_) => architecture::run(),
        DataCommand::Average(args) => average::run(args),
        DataCommand::Pack(args) => store::pack(args),
        DataCommand::Unpack(args) => store::unpack(args),
        DataCommand::Rescore(args) => rescore::run(args),
        DataCommand::Labels(args) => labels::run(args),
        DataCommand::Policy(args) => policy::run(args),
        DataCommand::Visits(args) => visits::visits(args),
        DataCommand::FromPgn { files, out, json } => from_pgn(files, out, *json),
        DataCommand::Yardstick(args) => yardstick::run(args),
    }
}
