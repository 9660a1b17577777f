//! The review of the games of a file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use rukh_chess::notation::pgn::{Games, PgnGame, decode};
use rukh_explain::annotate::annotate;
use rukh_explain::page::page;
use rukh_explain::review::Review;
use rukh_explain::text;

use super::finished::Finished;
use super::report::{fault_as_json, game_as_json};
use super::reviewer::Reviewer;
use crate::finish::{Failure, Finish};
use crate::output::{NewFile, eprint_line, is_same_file, print_line};
use crate::searching::SearchArgs;
use crate::text::read_bytes;

/// Which games, and where their review goes.
#[derive(clap::Args)]
pub(super) struct GameArgs {
    /// Review the games of this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "multipv"])]
    pgn: Option<PathBuf>,

    /// Write the games there as PGN, with evaluations, marks and better lines
    #[arg(long, value_name = "FILE", requires = "pgn")]
    out: Option<PathBuf>,

    /// Write a page there, with graphs and boards
    #[arg(long, value_name = "FILE", requires = "pgn")]
    html: Option<PathBuf>,
}

impl GameArgs {
    /// The games to review, if any are.
    pub(super) fn file(&self) -> Option<&Path> {
        self.pgn.as_deref()
    }

    /// Whether reviews go to a file.
    fn is_filed(&self) -> bool {
        self.out.is_some() || self.html.is_some()
    }

    /// Where finished games are kept; beside a device or a pipe nothing can be.
    fn part(&self) -> Option<PathBuf> {
        let is_plain = |path: &&PathBuf| fs::metadata(path).ok().is_none_or(|found| found.is_file());
        let output = self.out.as_ref().or(self.html.as_ref()).filter(is_plain);
        output.map(|path| Finished::path_beside(path))
    }
}

/// Time to think about each position if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_millis(200);

/// Who annotates.
const ANNOTATOR: &str = concat!("Rukh ", env!("CARGO_PKG_VERSION"));

pub(super) fn run(file: &Path, args: &GameArgs, search: &SearchArgs, is_json: bool) -> Finish {
    let part = args.part();
    refuse_clashes(file, &[args.out.as_deref(), args.html.as_deref(), part.as_deref()])?;
    let outputs = Outputs::open(args)?;
    let (games, faults) = read_games(file, is_json)?;
    let engine = search.engine(1)?;
    let settings = format!("{ANNOTATOR}, {}", search.settings(&engine, DEFAULT_TIME));
    let finished = part.map(|path| Finished::open(&path, &settings)).transpose()?;
    let mut reviewer = Reviewer::new(engine, search.limits(DEFAULT_TIME), finished, &games);
    let mut reviewed = Vec::new();
    let all = games.len();
    for (number, game) in games {
        let Some(review) = reviewer.review(&game)? else {
            let how = if reviewer.finish().is_some() { "; the same command goes on from here" } else { "" };
            eprint_line(&format!("broken off after {} of {all} games{how}", reviewed.len()));
            return Ok(ExitCode::FAILURE);
        };
        reviewer.suspend(|| tell(number, &game, &review, is_json, args.is_filed()))?;
        reviewed.push((game, review));
    }
    let finished = reviewer.finish();
    outputs.write(file, &reviewed)?;
    finished.map_or(Ok(()), Finished::remove)?;
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// No file may be written that the games are read from, and none twice.
fn refuse_clashes(input: &Path, outputs: &[Option<&Path>]) -> Result<(), String> {
    let outputs: Vec<_> = outputs.iter().copied().flatten().collect();
    if let Some(path) = outputs.iter().find(|path| is_same_file(path, input)) {
        let path = path.display();
        return Err(format!("the review would be written over {path}, which the games are read from"));
    }
    for (at, path) in outputs.iter().enumerate() {
        if outputs[..at].iter().any(|other| is_same_file(path, other)) {
            return Err(format!("two things would be written to {}", path.display()));
        }
    }
    Ok(())
}

/// The games of a file with their numbers, and how many could not be read; those are named.
fn read_games(file: &Path, is_json: bool) -> Result<(Vec<(usize, PgnGame)>, usize), Failure> {
    let bytes = read_bytes(file)?;
    let text = decode(&bytes);
    let (mut games, mut faults) = (Vec::new(), 0);
    for (at, game) in Games::new(&text).enumerate() {
        match game {
            Ok(game) => games.push((at + 1, game)),
            Err(error) => {
                faults += 1;
                if is_json {
                    print_line(&fault_as_json(&error).to_string())?;
                } else {
                    eprint_line(&error.to_string());
                }
            }
        }
    }
    if games.is_empty() {
        return Err(format!("there is no game to review in {}", file.display()).into());
    }
    Ok((games, faults))
}

/// Prints what is to be said of a game: all of it, or, where it goes to a file, how well it was played.
fn tell(
    number: usize,
    game: &PgnGame,
    review: &Review,
    is_json: bool,
    is_filed: bool,
) -> Result<(), Failure> {
    if is_json {
        return print_line(&game_as_json(number, game, review).to_string());
    }
    if is_filed {
        return print_line(&text::summary(number, game, review));
    }
    print_line(&text::report(number, game, review))
}

/// Where reviews are written once all games are finished.
struct Outputs {
    pgn: Option<NewFile>,
    html: Option<NewFile>,
}

impl Outputs {
    /// Opens them first of all: hours of work should not end with a folder that does not exist.
    fn open(args: &GameArgs) -> Result<Self, String> {
        let [pgn, html] =
            [&args.out, &args.html].map(|path| path.as_deref().map(NewFile::create).transpose());
        Ok(Self { pgn: pgn?, html: html? })
    }

    fn write(self, input: &Path, reviewed: &[(PgnGame, Review)]) -> Result<(), String> {
        if let Some(mut html) = self.html {
            let name = input.file_name().unwrap_or(input.as_os_str()).to_string_lossy();
            html.write(&page(&name, reviewed))?;
            html.finish()?;
        }
        if let Some(mut pgn) = self.pgn {
            for (game, review) in reviewed {
                let mut game = game.clone();
                annotate(&mut game, review, ANNOTATOR);
                pgn.write(&format!("{game}\n"))?;
            }
            pgn.finish()?;
        }
        Ok(())
    }
}
