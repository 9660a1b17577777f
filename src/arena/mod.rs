//! `rukh match` and `rukh sprt`: games between engines.

pub(crate) mod board;
pub(crate) mod conditions;
pub(crate) mod entrants;
mod play;

use std::process::ExitCode;

use clap::ValueEnum;
use rukh_lab::stats::{Hypotheses, Model, Sprt, Verdict};

use crate::finish::Finish;
use play::{MatchArgs, play};

/// Play a match or tournament between engines
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    games: MatchArgs,
}

const EXAMPLES: &str = "\
An engine is a comma-separated list of keys:
  cmd=PATH        the program; cmd=self is this one
  name=NAME       the name in results; by default that of the program
  proto=xboard    the protocol: uci (default) or xboard
  args=\"A B\"      arguments of the program
  dir=PATH        working directory
  option.N=VALUE  sets the option N; may be given several times
  tc= movetime= nodes= depth= margin=   limits for this engine only
  ponder          the engine ponders

--state FILE saves each finished game; the same command resumes from it. A state file of other engines or rules is refused.

Examples:
  rukh match --engine cmd=self --engine cmd=stockfish,option.Hash=16 --tc 2+0.02 --games 200 --openings book.epd
  rukh match --engine cmd=self,name=tree --engine cmd=self,option.Search=alphabeta --search mcts --tc 2+0.02 --games 100
  rukh match --engine cmd=self,name=more,nodes=20000 --engine cmd=self,name=less,nodes=10000 --games 100
  rukh match --engine cmd=./new --engine cmd=./old --nodes 20000 --games 400 --state match.state --pgn games.pgn";

/// Runs `rukh match`.
pub(crate) fn run(args: &Args) -> Finish {
    play(&args.games, "match", None)?;
    Ok(ExitCode::SUCCESS)
}

/// Run a sequential probability ratio test (SPRT) between two engines
#[derive(clap::Args)]
#[command(after_help = SPRT_EXAMPLES)]
pub(crate) struct SprtArgs {
    #[command(flatten)]
    test: TestArgs,

    #[command(flatten)]
    games: MatchArgs,
}

/// The hypotheses and error rates of a sequential test.
#[derive(clap::Args)]
pub(crate) struct TestArgs {
    /// Elo difference of the null hypothesis H0
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,

    /// Elo difference of the alternative hypothesis H1
    #[arg(long, default_value_t = 5.0, allow_negative_numbers = true)]
    elo1: f64,

    /// Probability of a false positive: accepting H1 although H0 is true
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,

    /// Probability of a false negative: accepting H0 although H1 is true
    #[arg(long, default_value_t = 0.05)]
    beta: f64,

    /// Elo model of the hypotheses
    #[arg(long, value_enum, default_value_t = Scale::Normalized)]
    model: Scale,
}

#[derive(Clone, Copy, ValueEnum)]
enum Scale {
    /// Normalised Elo, as in fishtest and OpenBench
    Normalized,
    /// Logistic Elo
    Logistic,
}

const SPRT_EXAMPLES: &str = "\
The first engine is the one under test. The exit status is 0 if H1 is accepted, 1 otherwise. --engine takes the same keys as\nin `rukh match`.

Examples:
  rukh sprt --engine cmd=./new --engine cmd=./old --elo0 0 --elo1 5 --nodes 20000 --openings book.epd --random-order
  rukh sprt --engine cmd=./new --engine cmd=./old --elo0 -3 --elo1 1 --tc 8+0.08 --concurrency 2 --openings book.epd";

/// Runs `rukh sprt`.
pub(crate) fn run_sprt(args: &SprtArgs) -> Finish {
    let verdict = play(&args.games, "sprt", Some(&args.test.sprt()?))?;
    Ok(if verdict == Some(Verdict::Passed) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl TestArgs {
    /// The test.
    pub(crate) fn sprt(&self) -> Result<Sprt, String> {
        let is_share = |share: f64| share > 0.0 && share < 0.5;
        if !(self.elo0.is_finite() && self.elo1.is_finite() && self.elo0 < self.elo1) {
            return Err("--elo0 must be less than --elo1".to_owned());
        }
        if !is_share(self.alpha) || !is_share(self.beta) {
            return Err("--alpha and --beta must be between 0 and 0.5".to_owned());
        }
        let model = match self.model {
            Scale::Normalized => Model::Normalised,
            Scale::Logistic => Model::Logistic,
        };
        let hypotheses = Hypotheses { model, elo0: self.elo0, elo1: self.elo1 };
        Ok(Sprt { hypotheses, alpha: self.alpha, beta: self.beta })
    }
}
