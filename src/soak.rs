//! `rukh soak`: very short games of random settings in which every line is checked.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rukh_lab::soak::{Counts, Played, Soak};
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

Examples:
  rukh soak
  rukh soak --games 100000 --concurrency 2 --syzygy tables
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
    let running = report_panics(args);
    let is_over = interrupt::flag();
    let end = args.minutes.map(|minutes| Duration::from_secs_f64((60.0 * minutes).clamp(0.0, 1e9)));
    let start = Instant::now();
    let mut bar = Long::new(
        numbers.end - numbers.start,
        "{elapsed_precise} [{bar:30}] {pos}/{len} games, {eta} left, {msg}",
    );
    let (mut counts, mut faults) = (Counts::default(), 0);
    let on_start = |number| {
        locked(&running).insert(number);
    };
    let ran = soak.run(numbers, args.concurrency.get(), &is_over, on_start, |played| {
        locked(&running).remove(&played.number);
        counts += played.counts;
        if played.fault.is_some() {
            faults += 1;
            bar.suspend(|| report_fault(args, &played));
        }
        let speed = counts.games as f64 / start.elapsed().as_secs_f64();
        bar.set(counts.games, || {
            format!("{} games, {faults} faults, {speed:.1} games a second", counts.games)
        });
        let is_late = end.is_some_and(|end| start.elapsed() >= end);
        if is_late || faults >= args.max_faults { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    drop(bar);
    ran.map_err(|error| error.to_string())?;
    print_line(&summary(args, &counts, faults, start.elapsed()))?;
    Ok(if faults > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn locked(running: &Mutex<BTreeSet<u64>>) -> std::sync::MutexGuard<'_, BTreeSet<u64>> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The games that are running. A panic, which ends the process, names them first.
fn report_panics(args: &Args) -> Arc<Mutex<BTreeSet<u64>>> {
    let running = Arc::new(Mutex::new(BTreeSet::new()));
    let (seed, plies) = (args.seed, args.plies);
    let (shown, earlier) = (running.clone(), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |panic| {
        for number in &*locked(&shown) {
            eprint_line(&format!(
                "it may be this game: rukh soak --seed {seed} --plies {plies} --game {number}"
            ));
        }
        // It ends the process.
        earlier(panic);
    }));
    running
}

/// Prints a fault with everything that is needed to repeat it.
fn report_fault(args: &Args, played: &Played) {
    const LAST_LINES: usize = 30;
    let Some(fault) = &played.fault else { return };
    let tables = args.syzygy.as_ref().map(|path| format!(" --syzygy {path:?}")).unwrap_or_default();
    let (seed, plies) = (args.seed, args.plies);
    let again = format!("rukh soak --seed {seed} --plies {plies} --game {}{tables}", played.number);
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

fn summary(args: &Args, counts: &Counts, faults: usize, time: Duration) -> String {
    let Counts { games, searches, lines, tablebase_scores, mates } = *counts;
    if args.json {
        return json!({
            "seed": args.seed, "games": games, "searches": searches, "lines": lines, "mates": mates,
            "tablebase_scores": tablebase_scores, "faults": faults, "seconds": time.as_secs_f64(),
        })
        .to_string();
    }
    format!(
        "{games} games, {searches} searches, {lines} lines, {mates} mates, {tablebase_scores} tablebase scores: {faults} \
         faults in {:.0} s",
        time.as_secs_f64()
    )
}
