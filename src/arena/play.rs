//! A match from the command line: options, display, and the files that are written.

use std::collections::HashSet;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rukh_engine::api::Algorithm;
use rukh_lab::arena::{Finished, Format, Journal, Match, Schedule, Standings};
use rukh_lab::disk::DiskFile;
use rukh_lab::stats::{Sprt, Verdict};

use super::board::{as_json, commit_block, table};
use super::conditions::Conditions;
use super::entrants;
use crate::finish::Failure;
use crate::interrupt;
use crate::output::{NewFile, cannot_write, eprint_line, print, print_line};
use crate::progress::Long;

/// The largest number of games.
const MAX_GAMES: i64 = 100_000_000;

/// The options of a match.
#[derive(clap::Args)]
pub(crate) struct MatchArgs {
    /// An engine, see below; give it once for each engine
    #[arg(long = "engine", value_name = "KEY=VALUE,...", required = true)]
    engines: Vec<String>,

    /// The search of each engine cmd=self that sets no option.Search: alphabeta, mcts or uct
    #[arg(long)]
    search: Option<Algorithm>,

    #[command(flatten)]
    conditions: Conditions,

    /// Games between each pair of engines; each opening is played with both colours
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(..=MAX_GAMES))]
    games: u32,

    /// Gauntlet: the first engine plays all others, which do not play each other
    #[arg(long)]
    gauntlet: bool,

    /// Event name in the PGN
    #[arg(long, default_value = "Rukh match")]
    event: String,

    /// Write the games to this PGN file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// Write the result as JSON to this file; - is standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Save finished games in this state file and resume from it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
}

impl MatchArgs {
    fn read(&self) -> Result<Match, String> {
        let control = self.conditions.control();
        let mut entrants: Vec<_> =
            self.engines.iter().map(|text| entrants::read(text, &control)).collect::<Result<_, _>>()?;
        if let Some(search) = self.search {
            entrants::set_search(&mut entrants, search);
        }
        if entrants.len() < 2 {
            return Err("a match needs two engines: give --engine twice".to_owned());
        }
        let mut names = HashSet::new();
        if let Some(twice) = entrants.iter().find(|entrant| !names.insert(&entrant.name)) {
            return Err(format!("two engines are called {:?}: give one of them another name=", twice.name));
        }
        if self.games == 0 {
            return Err("a match needs games: give --games".to_owned());
        }
        let format = if self.gauntlet { Format::Gauntlet } else { Format::RoundRobin };
        Ok(Match {
            event: self.event.clone(),
            schedule: Schedule::new(format, entrants.len(), self.games as usize),
            entrants,
            book: self.conditions.book()?,
            adjudication: self.conditions.adjudication()?,
            patience: self.conditions.patience(),
            concurrency: self.conditions.concurrency(),
        })
    }
}

/// Plays a match, shows the standings and writes the files. Returns the verdict of a test.
pub(super) fn play(args: &MatchArgs, command: &str, sprt: Option<&Sprt>) -> Result<Option<Verdict>, Failure> {
    let of = args.read()?;
    if sprt.is_some() && of.entrants.len() != 2 {
        return Err("a test needs exactly two engines".to_owned().into());
    }
    of.check_engines().map_err(|unfit| unfit.to_string())?;
    let mut files = MatchFiles::open(args, &of, sprt)?;

    let mut standings = Standings::new(&of.schedule, of.entrants.len());
    files.games.iter().for_each(|(result, _)| standings.add(result));
    let done: HashSet<usize> = files.games.iter().map(|(result, _)| result.fixture.index).collect();
    let is_over = interrupt::flag();

    let verdict_of = |standings: &Standings| sprt.map(|sprt| sprt.verdict(&standings.encounters()[0].pairs));
    let is_decided =
        |standings: &Standings| verdict_of(standings).is_some_and(|verdict| verdict != Verdict::Open);
    let start = Instant::now();
    let mut show = Long::new(0, "{msg}");
    let mut here = 0;
    let mut failure = None;
    if !is_decided(&standings) {
        of.run(&done, &is_over, |game| {
            standings.add(&game.result);
            here += 1;
            if let Some(fault) = game.result.fault {
                let fixture = game.result.fixture;
                let name = &of.entrants[fixture.players[fault.0]].name;
                let line = format!("game {}: {name}: {}", fixture.index + 1, game.reason);
                show.suspend(|| eprint_line(&line));
            }
            failure = files.keep(&game).err();
            show.set(here, || table(&of, &standings, sprt, start.elapsed(), here));
            if failure.is_some() || is_decided(&standings) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
        .map_err(String::from)?;
    }
    drop(show);
    let elapsed = start.elapsed();
    let is_interrupted = standings.games() < of.schedule.len() as u64 && !is_decided(&standings);
    let finished = files.finish(&of, &standings, sprt, elapsed);
    if args.json.as_deref() != Some(Path::new("-")) {
        print_line(&table(&of, &standings, sprt, elapsed, 0))?;
        if let Some(sprt) = sprt {
            print(&format!("\n{}", commit_block(&of, &standings, sprt)))?;
        }
    }
    // The first fault is the one to mend: others may follow from it.
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    finished?;
    if is_interrupted {
        let how = match &args.state {
            Some(_) => format!("the same `rukh {command}` resumes from here"),
            None => "with --state FILE it can be resumed".to_owned(),
        };
        eprint_line(&format!("interrupted; {how}"));
    }
    Ok(verdict_of(&standings))
}

/// The files of a match: state, games, result.
struct MatchFiles<'a> {
    args: &'a MatchArgs,
    journal: Option<Journal>,
    pgn: Option<DiskFile>,
    /// The games of earlier runs.
    games: Vec<(rukh_lab::arena::GameResult, String)>,
}

impl<'a> MatchFiles<'a> {
    /// Opens all files before anything is changed.
    fn open(args: &'a MatchArgs, of: &Match, sprt: Option<&Sprt>) -> Result<Self, String> {
        if let Some(path) = args.json.as_deref().filter(|path| *path != Path::new("-")) {
            NewFile::create(path)?;
        }
        let (journal, games) = match &args.state {
            Some(path) => {
                let opened = match sprt {
                    Some(sprt) => Journal::open_test(path, of, sprt),
                    None => Journal::open(path, of),
                };
                let opened = opened.map_err(|error| format!("{}: {error}", path.display()))?;
                (Some(opened.0), opened.1)
            }
            None => (None, Vec::new()),
        };
        let pgn = args.pgn.as_deref().map(|path| {
            let mut file = DiskFile::create(path).map_err(|error| cannot_write(path, &error))?;
            // The state has all finished games; a PGN file that was cut short is completed from it.
            let written = games.iter().try_for_each(|(_, pgn)| writeln!(file, "{pgn}"));
            written.map_err(|error| cannot_write(path, &error))?;
            Ok::<_, String>(file)
        });
        Ok(Self { args, journal, pgn: pgn.transpose()?, games })
    }

    fn keep(&mut self, game: &Finished) -> Result<(), String> {
        if let (Some(journal), Some(path)) = (&mut self.journal, &self.args.state) {
            journal.add(game).map_err(|error| cannot_write(path, &error))?;
        }
        if let (Some(file), Some(path)) = (&mut self.pgn, &self.args.pgn) {
            writeln!(file, "{}", game.pgn).map_err(|error| cannot_write(path, &error))?;
        }
        Ok(())
    }

    fn finish(
        &self,
        of: &Match,
        standings: &Standings,
        sprt: Option<&Sprt>,
        elapsed: Duration,
    ) -> Result<(), Failure> {
        let Some(path) = &self.args.json else { return Ok(()) };
        let json = as_json(of, standings, sprt, elapsed).to_string();
        if path == Path::new("-") {
            return print_line(&json);
        }
        Ok(NewFile::replace(path, &json)?)
    }
}
