//! `rukh data rescore`: labels for positions of cheap games, by deep searches.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rukh_lab::labels::{LabelWriter, Written};
use rukh_lab::rescore::{GamesFile, Rescore};
use serde_json::json;

use crate::evaluation::EvaluationArgs;
use crate::finish::{Failure, Finish};
use crate::interrupt;
use crate::output::{eprint_line, print_line};
use crate::progress::Long;

/// Take positions from games and label each by a deep search
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The games
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,

    /// Where the labels go; a file that exists is resumed
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Nodes of each search, after which no other iteration starts
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,

    /// Quiet positions of each game, one from each equal part of it; 0.5 is one from every second game in the mean
    #[arg(long, value_name = "N", default_value_t = 2.0, value_parser = mean)]
    played: f64,

    /// Positions one or two random moves away from one of the game
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = mean)]
    perturbed: f64,

    /// Positions drawn at random from those that the search of one of the game visited
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = mean)]
    tree: f64,

    /// The seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Threads that search, each another game
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    #[command(flatten)]
    amount: Amount,

    #[command(flatten)]
    evaluation: EvaluationArgs,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// How much is wanted; all games if nothing is said.
#[derive(clap::Args)]
#[group(multiple = false)]
struct Amount {
    /// Stop at so many labels, those in the file included; the last block is finished
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    positions: Option<u64>,

    /// Stop after so many minutes
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    minutes: Option<u64>,
}

const EXAMPLES: &str = "\
A label is a score, probabilities to win and to lose, the best move, and the second best with its score. The labels of a game
follow from these settings, the seed and its number alone: the number of threads changes nothing, and the same command resumes
a file that was interrupted. Games that self-play has added meanwhile are labelled, too. Interrupting it (Ctrl-C) loses some
seconds of work. A file of labels has one set of settings: others are refused. docs/labels.md describes the format.

The last example makes a yardstick: positions drawn where the search evaluates, labelled much deeper than any training.

Examples:
  rukh data rescore games.vf --out labels.rkl --nodes 5000 --threads 2
  rukh data rescore one.vf two.vf --out deep.rkl --nodes 20000 --minutes 30 --seed 7
  rukh data rescore games.vf --out tree.rkl --played 0 --perturbed 0 --tree 1
  rukh data rescore games.vf --out yardstick.rkl --played 0 --perturbed 0 --tree 1 --nodes 500000 --positions 20000 --threads 2";

fn mean(text: &str) -> Result<f64, String> {
    const MOST: f64 = 100.0;
    let count = text.parse().ok().filter(|count| (0.0..=MOST).contains(count));
    count.ok_or_else(|| format!("{text:?} is no number from 0 to {MOST}"))
}

impl Args {
    fn settings(&self) -> Result<Rescore, String> {
        if self.played + self.perturbed + self.tree <= 0.0 {
            return Err("--played, --perturbed and --tree are all 0: nothing is labelled".to_owned());
        }
        Ok(Rescore {
            evaluation: self.evaluation.evaluation()?,
            nodes: self.nodes,
            seed: self.seed,
            played: self.played,
            perturbed: self.perturbed,
            tree: self.tree,
        })
    }

    /// The part of the work that is done, from 0 to 1.
    fn part(&self, written: &Written, games: u64, elapsed: Duration) -> f64 {
        let parts = [
            self.amount.positions.map(|positions| written.positions as f64 / positions as f64),
            self.amount.minutes.map(|minutes| elapsed.as_secs_f64() / (60 * minutes) as f64),
            Some(written.games as f64 / games as f64),
        ];
        parts.into_iter().flatten().fold(0.0, f64::max)
    }
}

/// Runs the command.
pub(super) fn run(args: &Args) -> Finish {
    let settings = args.settings()?;
    let open = |path: &PathBuf| GamesFile::open(path).map_err(|error| error.to_string());
    let sources = args.games.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let games = sources.iter().map(GamesFile::count).sum();
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", args.out.display());
    let opened = LabelWriter::open(&args.out, &settings.manifest(&sources));
    let (mut writer, before) = opened.map_err(|error| failed(&error))?;
    let mut written = before.clone();
    let is_over = interrupt::flag();
    let start = Instant::now();
    let mut bar = Long::new(10_000, "{elapsed_precise} [{bar:30}] {percent}%, {eta} left, {msg}");
    bar.begin_at((args.part(&written, games, Duration::ZERO) * 1e4) as u64);
    let mut failure = None;
    if args.part(&written, games, Duration::ZERO) < 1.0 {
        let first_games = before.next_games.clone();
        let ran = settings.run(&sources, &first_games, usize::from(args.threads), &is_over, |block| {
            if let Err(error) = writer.append(&block) {
                failure = Some(failed(&error));
                return ControlFlow::Break(());
            }
            written.add(&block);
            let part = args.part(&written, games, start.elapsed());
            let speed = (written.positions - before.positions) as f64 / start.elapsed().as_secs_f64();
            bar.set((part * 1e4) as u64, || {
                format!("{} labels from {} games, {speed:.0} a second", written.positions, written.games)
            });
            if part >= 1.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        ran.map_err(|error| error.to_string())?;
    }
    drop(bar);
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    report(args, games, &before, &written, start.elapsed())?;
    Ok(ExitCode::SUCCESS)
}

fn report(
    args: &Args,
    games: u64,
    before: &Written,
    written: &Written,
    elapsed: Duration,
) -> Result<(), Failure> {
    let seconds = elapsed.as_secs_f64();
    let here = written.positions - before.positions;
    let speed = here as f64 / seconds.max(1e-9);
    if args.json {
        return print_line(
            &json!({
                "positions": written.positions, "new_positions": here, "games": written.games,
                "games_left": games - written.games, "seconds": seconds, "positions_per_second": speed,
                "positions_per_second_and_thread": speed / f64::from(args.threads),
            })
            .to_string(),
        );
    }
    print_line(&format!(
        "{} labels from {} of {games} games in {}",
        written.positions,
        written.games,
        args.out.display()
    ))?;
    print_line(&format!(
        "{here} of them in {seconds:.1} s: {speed:.1} a second, {:.1} for each thread",
        speed / f64::from(args.threads)
    ))?;
    if args.part(written, games, elapsed) < 1.0 {
        eprint_line("interrupted; the same command resumes it");
    }
    Ok(())
}
