//! What both kinds of workshop share: the budget, the games, the state file, the output.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use rukh_lab::arena::{Book, Entrant, Finished, Journal, Match, Schedule};
use rukh_lab::stats::Sprt;
use rukh_lab::workshop::Trials;

use super::report::{Report, command_line};
use crate::arena::board::clock;
use crate::arena::conditions::Conditions;
use crate::books::draw_book;
use crate::encounters::interrupted;
use crate::finish::{Failure, Finish};
use crate::output::{NewFile, cannot_write, eprint_line, print_line};
use crate::progress::Long;

/// The options of every workshop.
#[derive(clap::Args)]
pub(super) struct SessionArgs {
    /// Budget in minutes; the same command with the same --state resumes with another budget
    #[arg(long, value_name = "M", value_parser = minutes)]
    minutes: Duration,

    /// End after this many games: of each candidate, or of a whole screen [default: what the budget and the openings allow]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub(super) games: Option<u32>,

    #[command(flatten)]
    pub(super) conditions: Conditions,

    /// Save finished games in this state file and resume from it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// Write the result as a Markdown page
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Random openings if no file is given.
const OPENINGS: u32 = 2_000;

fn minutes(text: &str) -> Result<Duration, String> {
    const MOST: f64 = 1e6;
    match text.parse::<f64>() {
        Ok(minutes) if minutes > 0.0 && minutes <= MOST => Ok(Duration::from_secs_f64(60.0 * minutes)),
        _ => Err("the budget is a number of minutes above 0".to_owned()),
    }
}

/// What is played.
pub(super) struct Contest {
    /// The name in the state file, which tells one kind from the other.
    pub event: &'static str,
    /// The engines.
    pub entrants: Vec<Entrant>,
    /// Who meets whom.
    pub encounters: Vec<(usize, usize)>,
    /// The most games of an encounter.
    pub games: Option<usize>,
    /// How many openings later than the encounter before it each encounter begins.
    pub stride: usize,
}

impl SessionArgs {
    /// The match of a contest; none if it was interrupted.
    ///
    /// Engines without a clock repeat a game from the same opening, which must not count again: each encounter ends with the
    /// book.
    pub(super) fn prepare(&self, contest: Contest, is_over: &AtomicBool) -> Result<Option<Match>, String> {
        /// More than any budget allows.
        const PLENTY: usize = 1_000_000;
        let Contest { event, entrants, encounters, games, stride } = contest;
        let book = match self.conditions.has_openings() {
            true => self.conditions.book()?,
            false => {
                // Encounters without a stride share their openings.
                let sharing = if stride == 0 { encounters.len() } else { 1 };
                self.random_openings(games.map(|games| games * encounters.len() / sharing), is_over)?
            }
        };
        if is_over.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let repeats =
            |entrant: &Entrant| entrant.control.clock.is_none() && entrant.control.move_time.is_none();
        let most = if entrants.iter().all(repeats) { 2 * book.count() } else { PLENTY };
        Ok(Some(Match {
            event: event.to_owned(),
            schedule: Schedule::of_encounters(encounters, games.unwrap_or(most).min(most), stride),
            entrants,
            book,
            adjudication: self.conditions.adjudication()?,
            patience: self.conditions.patience(),
            concurrency: self.conditions.concurrency_or_cores(),
        }))
    }

    fn random_openings(&self, games: Option<usize>, is_over: &AtomicBool) -> Result<Book, String> {
        let mut bar = Long::new(0, "{elapsed_precise} {msg}");
        let wanted = games.map_or(OPENINGS as usize, |games| games.div_ceil(2).min(OPENINGS as usize));
        draw_book(self.conditions.seed(), wanted, &mut bar, is_over)
    }

    /// Plays until the budget is used up or everything is decided, and writes the result.
    pub(super) fn run(
        &self,
        of: &Match,
        sprt: Option<Sprt>,
        is_over: &Arc<AtomicBool>,
        report: impl Fn(&Trials) -> Report,
    ) -> Finish {
        if let Some(path) = &self.page {
            NewFile::create(path)?;
        }
        let mut trials = Trials::new(of, sprt);
        let (mut journal, done) = self.resume(of, &mut trials)?;
        let before = trials.standings().games();
        let (start, alarm) = (Instant::now(), set_after(self.minutes, is_over)?);
        let mut show = Long::new(0, "{msg}");
        let mut failure = None;
        let played = trials.play(of, &done, is_over, |trials, game| {
            if let Some(line) = fault_line(of, game) {
                show.suspend(|| eprint_line(&line));
            }
            if let (Some(journal), Some(path)) = (&mut journal, &self.state) {
                // Without their moves thousands of games are a file that travels.
                let game = Finished { result: game.result, reason: game.reason.clone(), pgn: String::new() };
                failure = journal.add(&game).map_err(|error| cannot_write(path, &error)).err();
            }
            let here = trials.standings().games() - before;
            show.set(here, || format!("{}\n{}", report(trials).text(), self.progress(here, start.elapsed())));
            if failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        drop((show, alarm));
        played.map_err(String::from)?;
        self.finish(&report(&trials), trials.standings().games() - before, start.elapsed())?;
        if let Some(failure) = failure {
            return Err(failure.into());
        }
        let is_used_up = start.elapsed() >= self.minutes;
        match () {
            () if is_used_up && self.state.is_some() => {
                eprint_line("the budget is used up; the same command resumes with another one");
            }
            () if is_used_up => eprint_line("the budget is used up; with --state FILE it can be resumed"),
            () if is_over.load(Ordering::Relaxed) => return interrupted(),
            () => {}
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Opens the state file and adds its games.
    fn resume(&self, of: &Match, trials: &mut Trials) -> Result<(Option<Journal>, HashSet<usize>), String> {
        let Some(path) = &self.state else { return Ok((None, HashSet::new())) };
        let (journal, games) =
            Journal::open(path, of).map_err(|error| format!("{}: {error}", path.display()))?;
        games.iter().for_each(|(result, _)| {
            trials.add(result);
        });
        Ok((Some(journal), games.iter().map(|(result, _)| result.fixture.index).collect()))
    }

    /// Games, time and speed of this run.
    fn progress(&self, games: u64, elapsed: Duration) -> String {
        let speed = games as f64 / elapsed.as_secs_f64().max(1e-9);
        format!("{games} games in {} of {}, {speed:.1} games/s", clock(elapsed), clock(self.minutes))
    }

    /// Prints the result and writes the page.
    fn finish(&self, report: &Report, games: u64, elapsed: Duration) -> Result<(), Failure> {
        if let Some(path) = &self.page {
            NewFile::replace(path, &report.page(&command_line()))?;
        }
        if self.json {
            return print_line(&report.json.to_string());
        }
        print_line(&report.text())?;
        print_line(&self.progress(games, elapsed))
    }
}

/// A game that ended by a fault, as a line.
fn fault_line(of: &Match, game: &Finished) -> Option<String> {
    let (side, _) = game.result.fault?;
    let fixture = game.result.fixture;
    Some(format!("game {}: {}: {}", fixture.index + 1, of.entrants[fixture.players[side]].name, game.reason))
}

/// Sets the flag after a time, unless the sender that it returns is dropped before.
fn set_after(time: Duration, flag: &Arc<AtomicBool>) -> Result<Sender<()>, String> {
    let (alarm, is_dropped) = mpsc::channel::<()>();
    let flag = flag.clone();
    let wait = move || {
        if is_dropped.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
            flag.store(true, Ordering::Relaxed);
        }
    };
    let thread = thread::Builder::new().spawn(wait);
    thread.map_err(|error| format!("no thread can be started for the budget: {error}"))?;
    Ok(alarm)
}
