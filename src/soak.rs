//! `rukh soak`: very short games of random settings in which every line is checked.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rukh_lab::soak::{Counts, Played, Soak, Tally};
use serde_json::json;

use crate::finish::Finish;
use crate::interrupt;
use crate::output::{eprint_line, print_line};
use crate::progress::Long;

/// Play very short games of random settings through UCI and XBoard and check every line
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Number of games
    #[arg(long, default_value_t = 1_000)]
    games: u64,

    /// Number of the first game
    #[arg(long, default_value_t = 0, value_name = "N")]
    first: u64,

    /// Play only the game of this number, and print its transcript
    #[arg(long, value_name = "N", conflicts_with_all = ["games", "first"])]
    game: Option<u64>,

    /// Seed of all games
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// End after so many minutes
    #[arg(long)]
    minutes: Option<f64>,

    /// The most plies of a game
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    plies: u64,

    /// Games at the same time
    #[arg(long, default_value = "1")]
    concurrency: NonZeroUsize,

    /// Folders of Syzygy tablebases, separated as in PATH: some games use them, and scores are compared with them
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,

    /// Time beyond the limit of a search that is no fault
    #[arg(long, value_name = "MS", default_value_t = 1_000)]
    slack: u64,

    /// Time after which a missing answer is a fault
    #[arg(long, value_name = "MS", default_value_t = 20_000)]
    patience: u64,

    /// Save finished games in this state file, a hundred at a time, and resume from it; the summary counts all of them
    #[arg(long, value_name = "FILE", conflicts_with = "game")]
    state: Option<PathBuf>,

    /// End after so many faults
    #[arg(long, default_value_t = 10)]
    max_faults: usize,

    /// Print JSON: an object for each fault, then one with the counts
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
A game is one session in this process: UCI or XBoard, alpha-beta or tree search, standard chess or Chess960, threads 1 to 4, hash 1 to
64 MiB, MultiPV, pondering, levels, tablebases, and searches that are stopped at random moments. Every line is checked: its form, legality,
moves to their end, bounds, scores against mates and tablebases, times. Settings and commands depend only on the seed and the
number of the game. The exit status is 1 if there was a fault.

--state FILE saves finished games; the same command resumes from it. More --games extend it, another --seed is refused.

Examples:
  rukh soak
  rukh soak --games 100000 --concurrency 16 --state soak.state --syzygy tables
  rukh soak --minutes 60 --games 1000000 --seed 7 --json
  rukh soak --seed 7 --game 4711         one game again, with its transcript";

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    let soak = Soak {
        seed: args.seed,
        plies: args.plies,
        tables: args.syzygy.clone(),
        patience: Duration::from_millis(args.patience),
        slack: Duration::from_millis(args.slack),
    };
    let numbers = match args.game {
        Some(number) => number..number.saturating_add(1),
        None => args.first..args.first.saturating_add(args.games),
    };
    let mut tally = match &args.state {
        Some(path) => Tally::resume(path, &soak, numbers)
            .map_err(|error| format!("cannot use {}: {error}", path.display()))?,
        None => Tally::new(numbers),
    };
    let running = report_panics(args);
    let is_over = interrupt::flag();
    let end = args.minutes.map(|minutes| Duration::from_secs_f64((60.0 * minutes).clamp(0.0, 1e9)));
    let start = Instant::now();
    let (left, earlier) = (tally.left(), tally.counts.games);
    let length = |numbers: &Range<u64>| numbers.end - numbers.start;
    let mut bar = Long::new(
        earlier + left.iter().map(length).sum::<u64>(),
        "{elapsed_precise} [{bar:30}] {pos}/{len} games, {eta} left, {msg}",
    );
    bar.begin_at(earlier);
    let (mut faults, mut saved) = (0, Ok(()));
    let on_start = |number| {
        locked(&running).insert(number);
    };
    let ran = soak.run(left.into_iter().flatten(), args.concurrency.get(), &is_over, on_start, |played| {
        locked(&running).remove(&played.number);
        saved = tally.add(&played);
        if played.fault.is_some() {
            faults += 1;
            bar.suspend(|| report_fault(args, &played));
        }
        let games = tally.counts.games;
        let speed = (games - earlier) as f64 / start.elapsed().as_secs_f64();
        bar.set(games, || format!("{games} games, {faults} faults, {speed:.1} games a second"));
        let is_late = end.is_some_and(|end| start.elapsed() >= end);
        let is_enough = is_late || faults >= args.max_faults || saved.is_err();
        if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    drop(bar);
    ran.map_err(|error| error.to_string())?;
    print_line(&summary(args, &tally, start.elapsed()))?;
    if let (Err(error), Some(path)) = (saved, &args.state) {
        return Err(format!("cannot write {}: {error}", path.display()).into());
    }
    Ok(if tally.faulty.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn locked(running: &Mutex<BTreeSet<u64>>) -> std::sync::MutexGuard<'_, BTreeSet<u64>> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The games that are running. A panic, which ends the process, names them first.
fn report_panics(args: &Args) -> Arc<Mutex<BTreeSet<u64>>> {
    let running = Arc::new(Mutex::new(BTreeSet::new()));
    let command = repetition(args);
    let (shown, earlier) = (running.clone(), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |panic| {
        for number in &*locked(&shown) {
            eprint_line(&format!("it may be this game: {command} --game {number}"));
        }
        // It ends the process.
        earlier(panic);
    }));
    running
}

/// The command that plays a game again, without its number.
fn repetition(args: &Args) -> String {
    let tables = args.syzygy.as_ref().map(|path| format!(" --syzygy {path:?}")).unwrap_or_default();
    format!("rukh soak --seed {} --plies {}{tables}", args.seed, args.plies)
}

/// The command that plays a game again.
fn again(args: &Args, number: u64) -> String {
    format!("{} --game {number}", repetition(args))
}

/// Prints a fault with everything that is needed to repeat it.
fn report_fault(args: &Args, played: &Played) {
    const LAST_LINES: usize = 30;
    let Some(fault) = &played.fault else { return };
    let again = again(args, played.number);
    if args.json {
        let fault = json!({
            "game": played.number, "seed": args.seed, "fault": fault.complaint, "again": again,
            "transcript": fault.transcript,
        });
        // A closed output is noticed at the end.
        let _ = print_line(&fault.to_string());
        return;
    }
    eprint_line(&format!("game {}: {}\nagain: {again}", played.number, fault.complaint));
    let skipped = if args.game.is_some() { 0 } else { fault.transcript.len().saturating_sub(LAST_LINES) };
    fault.transcript[skipped..].iter().for_each(|line| eprint_line(&format!("    {line}")));
}

/// The counts of all games, those of a state file included, and the commands that play the games with a fault again.
fn summary(args: &Args, tally: &Tally, time: Duration) -> String {
    let Counts { games, tree_games, searches, lines, tablebase_scores, mates } = tally.counts;
    let faults = tally.faulty.len();
    if args.json {
        return json!({
            "seed": args.seed, "games": games, "tree_games": tree_games, "searches": searches, "lines": lines,
            "mates": mates, "tablebase_scores": tablebase_scores, "faults": faults, "faulty": tally.faulty,
            "seconds": time.as_secs_f64(),
        })
        .to_string();
    }
    let mut text = format!(
        "{games} games ({tree_games} of tree searches), {searches} searches, {lines} lines, {mates} mates, {tablebase_scores} \
         tablebase scores: {faults} faults in {:.0} s",
        time.as_secs_f64()
    );
    tally.faulty.iter().for_each(|&number| text += &format!("\nagain: {}", again(args, number)));
    text
}
