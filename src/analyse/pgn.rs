//! Review of the games of a PGN file.

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

/// Options of a review.
#[derive(clap::Args)]
pub(super) struct GameArgs {
    /// Review the games of this PGN file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "multipv"])]
    pgn: Option<PathBuf>,

    /// Write the annotated games to this PGN file: evaluations, annotation symbols, better lines
    #[arg(long, value_name = "FILE", requires = "pgn")]
    out: Option<PathBuf>,

    /// Write an HTML page with graphs and boards to this file
    #[arg(long, value_name = "FILE", requires = "pgn")]
    html: Option<PathBuf>,
}

impl GameArgs {
    /// The games to review, if there are any.
    pub(super) fn file(&self) -> Option<&Path> {
        self.pgn.as_deref()
    }

    /// Whether reviews are written to a file.
    fn is_filed(&self) -> bool {
        self.out.is_some() || self.html.is_some()
    }

    /// The file of finished reviews; `None` if the output is a device or a pipe.
    fn part(&self) -> Option<PathBuf> {
        let is_plain = |path: &&PathBuf| fs::metadata(path).ok().is_none_or(|found| found.is_file());
        let output = self.out.as_ref().or(self.html.as_ref()).filter(is_plain);
        output.map(|path| Finished::path_beside(path))
    }
}

/// The time for each position without a limit.
const DEFAULT_TIME: Duration = Duration::from_millis(200);

/// The value of the PGN tag `Annotator`.
const ANNOTATOR: &str = concat!("Rukh ", env!("CARGO_PKG_VERSION"));

/// Reviews the games of `file`.
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
            let how = if reviewer.finish().is_some() { "; the same command resumes from here" } else { "" };
            eprint_line(&format!("interrupted after {} of {all} games{how}", reviewed.len()));
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

/// Refuses an output that is the input, or two outputs in one file.
fn refuse_clashes(input: &Path, outputs: &[Option<&Path>]) -> Result<(), String> {
    let outputs: Vec<_> = outputs.iter().copied().flatten().collect();
    if let Some(path) = outputs.iter().find(|path| is_same_file(path, input)) {
        let path = path.display();
        return Err(format!(
            "the output is {path}, the file that the games are read from; name another file"
        ));
    }
    for (at, path) in outputs.iter().enumerate() {
        if outputs[..at].iter().any(|other| is_same_file(path, other)) {
            return Err(format!("two outputs have the same file {}; name another one", path.display()));
        }
    }
    Ok(())
}

/// The games of a file with their numbers, and the number of malformed games, which are reported.
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

/// Prints the review of a game, or, if reviews are written to a file, only its summary.
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

/// The output files, written when all games are finished.
struct Outputs {
    pgn: Option<NewFile>,
    html: Option<NewFile>,
}

impl Outputs {
    /// Opens the files before the work, so that a bad path is refused at once.
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
