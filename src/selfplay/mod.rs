//! `rukh selfplay`: self-play games as training data.

mod amount;
mod visits;

use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rukh_engine::api::Algorithm;
use rukh_eval::Centipawns;
use rukh_lab::arena::{Adjudication, ResignRule};
use rukh_lab::selfplay::{GameStoreError, Played, SelfPlay, Store, Stored, TreeSampleStore};
use serde_json::json;

use amount::Amount;

use crate::books::read_book;
use crate::evaluation::EvaluationArgs;
use crate::finish::{Failure, Finish};
use crate::interrupt;
use crate::output::{eprint_line, print_line};
use crate::progress::Long;
use crate::text::share;

/// Generate training data: self-play games with scores
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The output file; an existing file is resumed
    #[arg(long, value_name = "FILE", required_unless_present = "visits", conflicts_with = "visits")]
    out: Option<PathBuf>,

    #[command(flatten)]
    amount: Amount,

    /// Number of threads, each with its own game
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Soft node limit of a move; with --visits the leaves that are evaluated [default: 5000, with --visits 128]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    nodes: Option<u64>,

    /// Random moves at the start of a game: N or A..B [default: 8..9, with --openings 0]
    #[arg(long, value_name = "A..B", value_parser = plies)]
    random_plies: Option<RangeInclusive<u32>>,

    /// Opening book before the random moves: positions (.epd) or games (.pgn), also packed (.xz)
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// The seed of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Share of games from Chess960 start positions, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    chess960: f64,

    /// Maximum absolute score of an opening, in centipawns as the engine shows them
    #[arg(long, value_name = "CP", default_value_t = 250, value_parser = clap::value_parser!(i32).range(1..=10_000))]
    max_opening_score: i32,

    /// Random-move rate, from 0 to 1: games then reach positions that are rare in good games
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    random_move_rate: f64,

    /// Resign adjudication: a game ends when both sides agree on this score for three moves, in centipawns as the
    /// engine shows them
    #[arg(long, value_name = "CP", default_value_t = 1_000, value_parser = clap::value_parser!(i32).range(1..))]
    resign_score: i32,

    /// The output file of tree samples, each as a game of one move with its exact score; it is resumed with --out
    #[arg(long, value_name = "FILE")]
    tree_samples: Option<PathBuf>,

    /// Minimum depth of tree samples
    #[arg(long, value_name = "PLIES", default_value_t = 3, requires = "tree_samples", value_parser = clap::value_parser!(i32).range(1..=100))]
    tree_sample_depth: i32,

    /// Mean number of random tree positions per search that are searched as well, for --tree-samples
    #[arg(long, value_name = "N", default_value_t = 0.0, requires = "tree_samples", value_parser = searched_tree_samples)]
    searched_tree_samples: f64,

    /// The search of both sides: alphabeta, mcts or uct
    #[arg(long, default_value_t, conflicts_with = "tree_samples")]
    search: Algorithm,

    #[command(flatten)]
    visits: visits::VisitArgs,

    #[command(flatten)]
    evaluation: EvaluationArgs,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
A game follows from these settings, the seed and its number alone: the number of threads changes nothing, and the same
command resumes an interrupted file. The format is that of the crate viriformat; that of --visits is described in docs/store.md.

Examples:
  rukh selfplay --out games.vf --positions 2000000 --threads 2 --nodes 2000
  rukh selfplay --out games.vf --tree-samples samples.vf --positions 2000000 --threads 2 --nodes 200
  rukh selfplay --out dfrc.vf --minutes 30 --threads 16 --chess960 0.1 --seed 7
  rukh selfplay --search mcts --visits games.rkv --games 1000 --nodes 200 --threads 16
  rukh data stats games.vf --svg games.svg";

fn plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    const MOST: u32 = 100;
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.trim_start_matches('=').parse().ok().filter(|&plies| plies <= MOST);
    match number(least).zip(number(most)) {
        Some((least, most)) if least <= most => Ok(least..=most),
        _ => Err(format!("{text:?} is no number of moves up to {MOST}, and no range of them such as 8..9")),
    }
}

fn searched_tree_samples(text: &str) -> Result<f64, String> {
    const MOST: f64 = 100.0;
    let count = text.parse().ok().filter(|count| (0.0..=MOST).contains(count));
    count.ok_or_else(|| format!("{text:?} is no number from 0 to {MOST}"))
}

impl Args {
    fn settings(&self) -> Result<SelfPlay, String> {
        let book = self.openings.as_deref().map(|path| read_book(path, None)).transpose()?;
        let default = SelfPlay::default();
        let plies = if book.is_some() { 0..=0 } else { default.random_plies };
        Ok(SelfPlay {
            seed: self.seed,
            algorithm: self.search,
            evaluation: self.evaluation.evaluation()?,
            nodes: self.nodes.unwrap_or(default.nodes),
            random_plies: self.random_plies.clone().unwrap_or(plies),
            book,
            chess960: self.chess960,
            random_move_rate: self.random_move_rate,
            max_opening_score: Centipawns(self.max_opening_score),
            adjudication: Adjudication {
                resign: default
                    .adjudication
                    .resign
                    .map(|rule| ResignRule { score: Centipawns(self.resign_score), ..rule }),
                ..default.adjudication
            },
            tree_sample_depth: self.tree_samples.as_ref().map(|_| self.tree_sample_depth),
            searched_tree_samples: self.searched_tree_samples,
        })
    }
}

/// The files that are written.
struct Files {
    games: (PathBuf, Store),
    tree_samples: Option<(PathBuf, TreeSampleStore)>,
}

impl Files {
    fn open(args: &Args, out: &Path, settings: &SelfPlay) -> Result<(Self, Stored), String> {
        let failed = |path: &Path, error: GameStoreError| format!("{}: {error}", path.display());
        let (store, stored) = Store::open(out, settings).map_err(|error| failed(out, error))?;
        let open = |path: &PathBuf| {
            let store =
                TreeSampleStore::open(path, settings, stored.games).map_err(|error| failed(path, error))?;
            Ok::<_, String>((path.clone(), store))
        };
        let tree_samples = args.tree_samples.as_ref().map(open).transpose()?;
        Ok((Self { games: (out.to_owned(), store), tree_samples }, stored))
    }

    /// What is inside a game comes first: of a game that is there nothing is missing then.
    fn add(&mut self, played: &Played) -> Result<(), String> {
        let failed = |path: &Path, error| format!("{}: {error}", path.display());
        if let Some((path, store)) = &mut self.tree_samples {
            store.add(played).map_err(|error| failed(path, error))?;
        }
        let (path, store) = &mut self.games;
        store.add(&played.game).map_err(|error| failed(path, error))
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Finish {
    let settings = args.settings()?;
    let Some(out) = &args.out else {
        let Args { nodes, threads, json, amount, search, .. } = args;
        let common =
            visits::Common { nodes: *nodes, threads: *threads, is_json: *json, amount, search: *search };
        return visits::run(&args.visits, &common, settings);
    };
    if args.visits.has_leaf_network()? {
        return Err("--leaf-network needs --visits".to_owned().into());
    }
    if !settings.has_openings().map_err(String::from)? {
        return Err("no game can begin: one side is lost everywhere, by --max-opening-score"
            .to_owned()
            .into());
    }
    let (mut files, mut stored) = Files::open(args, out, &settings)?;
    let before = stored;
    let is_over = interrupt::flag();
    let start = Instant::now();
    let mut bar = Long::new(10_000, "{elapsed_precise} [{bar:30}] {percent}%, {eta} left, {msg}");
    let mut failure = None;
    if args.amount.part(&stored, Duration::ZERO) < 1.0 {
        settings
            .run(stored.games, usize::from(args.threads), &is_over, |played| {
                if let Err(error) = files.add(&played) {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
                stored.add(&played.game);
                let part = args.amount.part(&stored, start.elapsed());
                let speed = (stored.positions - before.positions) as f64 / start.elapsed().as_secs_f64();
                let Stored { games, positions } = stored;
                bar.set((part * 1e4) as u64, || {
                    format!("{games} games, {positions} positions, {speed:.0} a second")
                });
                if part >= 1.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .map_err(String::from)?;
    }
    drop(bar);
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    report(args, &files, &before, &stored, start.elapsed())?;
    Ok(ExitCode::SUCCESS)
}

fn report(
    args: &Args,
    files: &Files,
    before: &Stored,
    stored: &Stored,
    elapsed: Duration,
) -> Result<(), Failure> {
    let seconds = elapsed.as_secs_f64();
    let here = stored.positions - before.positions;
    let speed = here as f64 / seconds.max(1e-9);
    let threads = f64::from(args.threads);
    if args.json {
        let mut summary = json!({
            "games": stored.games, "positions": stored.positions, "new_positions": here, "seconds": seconds,
            "positions_per_second": speed, "positions_per_second_and_thread": speed / threads,
        });
        if let Some((_, store)) = &files.tree_samples {
            summary["tree_samples"] = json!(store.positions());
        }
        return print_line(&summary.to_string());
    }
    print_line(&format!(
        "{} games with {} positions in {}",
        stored.games,
        stored.positions,
        files.games.0.display()
    ))?;
    print_line(&format!(
        "{here} of them in {seconds:.1} s: {speed:.0} positions a second, {:.0} for each thread",
        speed / threads
    ))?;
    if let Some((path, store)) = &files.tree_samples {
        let positions = store.positions();
        print_line(&format!("{positions} tree samples in {}", path.display()))?;
    }
    if args.amount.part(stored, elapsed) < 1.0 {
        eprint_line("interrupted; the same command resumes from here");
    }
    Ok(())
}
