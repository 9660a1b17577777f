//! `rukh match` and `rukh sprt`: engines play each other.

mod board;
pub(crate) mod conditions;
pub(crate) mod entrants;
mod play;

use std::process::ExitCode;

use clap::ValueEnum;
use rukh_lab::stats::{Hypotheses, Model, Sprt, Verdict};

use crate::finish::Finish;
use play::{MatchArgs, play};

/// Let engines play each other
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    games: MatchArgs,
}

const EXAMPLES: &str = "\
An engine is a list of keys with commas between them:
  cmd=PATH        the program; cmd=self is this one
  name=NAME       how it is called; the program's name if not said
  proto=xboard    the language it speaks; uci if not said
  args=\"A B\"      what the program is started with
  dir=PATH        where it is started
  option.N=VALUE  an option to set, as often as needed
  tc= movetime= nodes= depth= margin=   limits of its own
  ponder          it thinks in the other's time

Examples:
  rukh match --engine cmd=self --engine cmd=stockfish,option.Hash=16 --tc 2+0.02 --games 200 --openings book.epd
  rukh match --engine cmd=self,name=more,nodes=20000 --engine cmd=self,name=less,nodes=10000 --games 100
  rukh match --engine cmd=./new --engine cmd=./old --nodes 20000 --games 400 --state match.state --pgn games.pgn";

pub(crate) fn run(args: &Args) -> Finish {
    play(&args.games, "match", None)?;
    Ok(ExitCode::SUCCESS)
}

/// Let two engines play until it is plain whether the first is stronger
#[derive(clap::Args)]
#[command(after_help = SPRT_EXAMPLES)]
pub(crate) struct SprtArgs {
    /// The difference in Elo if the change is worth nothing
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,

    /// The difference in Elo if it is worth something
    #[arg(long, default_value_t = 5.0, allow_negative_numbers = true)]
    elo1: f64,

    /// How often a worthless change may pass
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,

    /// How often a worthy change may fail
    #[arg(long, default_value_t = 0.05)]
    beta: f64,

    /// What the differences are measured in
    #[arg(long, value_enum, default_value_t = Scale::Normalized)]
    model: Scale,

    #[command(flatten)]
    games: MatchArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Scale {
    /// Standard deviations of a game, as fishtest and OpenBench do
    Normalized,
    /// The score
    Logistic,
}

const SPRT_EXAMPLES: &str = "\
The exit status is 0 if the change passes, 1 if it does not. Engines are described as for `rukh match`.

Examples:
  rukh sprt --engine cmd=./new --engine cmd=./old --elo0 0 --elo1 5 --nodes 20000 --openings book.epd --random-order
  rukh sprt --engine cmd=./new --engine cmd=./old --elo0 -3 --elo1 1 --tc 8+0.08 --concurrency 2 --openings book.epd";

pub(crate) fn run_sprt(args: &SprtArgs) -> Finish {
    let is_share = |share: f64| share > 0.0 && share < 0.5;
    if !(args.elo0.is_finite() && args.elo1.is_finite() && args.elo0 < args.elo1) {
        return Err("--elo0 must be less than --elo1".to_owned().into());
    }
    if !is_share(args.alpha) || !is_share(args.beta) {
        return Err("--alpha and --beta must lie between 0 and 0.5".to_owned().into());
    }
    let model = match args.model {
        Scale::Normalized => Model::Normalised,
        Scale::Logistic => Model::Logistic,
    };
    let hypotheses = Hypotheses { model, elo0: args.elo0, elo1: args.elo1 };
    let sprt = Sprt { hypotheses, alpha: args.alpha, beta: args.beta };
    let verdict = play(&args.games, "sprt", Some(&sprt))?;
    Ok(if verdict == Some(Verdict::Passed) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
