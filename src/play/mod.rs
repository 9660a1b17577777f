//! `rukh play`: the terminal as a front end of the play session.
//!
//! `commands` and `moves` parse what a person types, `input` reads it, `board`, `panel` and `screen` draw, `report` words the
//! events, and `host` is the loop. The game itself is in the crate `rukh-play`.

mod answers;
mod board;
mod clock;
mod commands;
mod host;
mod input;
mod moves;
mod panel;
mod report;
mod screen;

use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

use clap::ValueEnum;
use rukh_chess::notation::pgn::PgnGame;
use rukh_chess::types::ByColor;
use rukh_chess::{Color, Position, Setup};
use rukh_engine::api::Algorithm;
use rukh_knowledge::polyglot::Book;
use rukh_lab::calendar::date;
use rukh_play::advisor::EngineAdvisor;
use rukh_play::archive::Archive;
use rukh_play::control::TimeControl;
use rukh_play::opponent::EngineOpponent;
use rukh_play::record::{Record, describe};
use rukh_play::session::PlaySession;
use rukh_play::skill::{Skill, read_elo, read_level};
use rukh_play::table::{GameTable, Player};

use crate::finish::{Failure, Finish};
use crate::interrupt;
use crate::output::print_line;
use crate::text::read_bytes;
use host::Host;
use input::{Input, ReadLine};
use screen::Screen;

/// Play a game at the terminal
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Strength of the engine from 0 (beginner) to 20 (full strength, the default)
    #[arg(long, value_name = "0..20", value_parser = read_level)]
    level: Option<Skill>,

    /// The search of the engine: alphabeta, mcts or uct
    #[arg(long, default_value_t)]
    search: Algorithm,

    /// Strength of the engine as an Elo rating from 800 to 3200
    #[arg(long, value_name = "RATING", value_parser = read_elo, conflicts_with = "level")]
    elo: Option<Skill>,

    /// The side you play [default: white]
    #[arg(long, alias = "color", value_name = "SIDE")]
    colour: Option<Colour>,

    /// Two people play at one terminal
    #[arg(long, conflicts_with_all = ["colour", "level", "elo", "engines"])]
    two: bool,

    /// The engine plays against itself while you watch
    #[arg(long, conflicts_with = "colour")]
    engines: bool,

    /// Time control: minutes for each side plus seconds per move, such as 5+3, 90 or 0:30 [default: no clocks]
    #[arg(long, value_name = "MINUTES+SECONDS", value_parser = TimeControl::from_minutes)]
    tc: Option<TimeControl>,

    /// Thinking time of the engine per move in milliseconds, for games without clocks
    #[arg(long, value_name = "MS", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: u64,

    /// Start from this position (FEN)
    #[arg(long, conflicts_with = "chess960")]
    fen: Option<String>,

    /// Start from a Chess960 position: the one with this number, or a random one
    #[arg(long, value_name = "0..959", num_args = 0..=1, value_parser = clap::value_parser!(u16).range(0..960))]
    chess960: Option<Option<u16>>,

    /// Save the game in this PGN file, after the games that it holds; an unfinished last game is resumed
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// Resume the unfinished game
    #[arg(long, conflicts_with_all = ["colour", "two", "engines", "tc", "fen", "chess960"])]
    resume: bool,

    /// Opening book of the engine in Polyglot format [default: a small built-in book]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    /// Let the engine play without an opening book
    #[arg(long, conflicts_with = "book")]
    no_book: bool,

    /// Draw the board with ASCII letters and without colours
    #[arg(long)]
    ascii: bool,
}

const EXAMPLES: &str = "\
Type a move and press Enter: e4, Nf3, exd5, O-O, e8=Q, or two squares: e2e4.
Type help for all commands: hint, takeback, eval, moves, draw and more.
The game is saved after every move. Ctrl-C or Ctrl-D leaves; rukh play --resume
resumes it later.

Examples:
  rukh play --level 5                you are White against a weak engine, no clocks
  rukh play --elo 1800 --colour black --tc 5+3
  rukh play --two --tc 10            two people, ten minutes each
  rukh play --engines --tc 1+1       watch a game of the engine against itself
  rukh play --chess960 --level 10    Chess960 from a random start position";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Colour {
    White,
    Black,
    Random,
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    let book = args.read_book()?;
    let new_table = args.new_table()?;
    let mut archive = open_archive(args)?;
    let mut input = Input::new()?;
    let is_interrupted = interrupt::flag();
    let found = archive.as_ref().map(Archive::unfinished).transpose()?.flatten();
    let resumed = match found {
        Some(game) if resumes(args, &game, &mut input, &is_interrupted)? => Some(game),
        None if args.resume => return Err("there is no unfinished game to resume".to_owned().into()),
        _ => None,
    };
    let (mut record, table) = match &resumed {
        Some(game) => {
            archive.as_mut().map(Archive::adopt_last).transpose()?;
            Record::read(game, new_table.players(), Skill::Full)
        }
        None => (Record { date: date(SystemTime::now()), skill: Skill::Full }, new_table),
    };
    record.skill = args.level.or(args.elo).unwrap_or(record.skill);
    let bottom = table.lone_person().unwrap_or(Color::White);
    let has_person = table.players().0.contains(&Player::Person);
    if input.is_edited() {
        print_line(if has_person { "Type a move, or help." } else { "Ctrl-C leaves." })?;
    }
    let opponent = EngineOpponent::new(Duration::from_millis(args.movetime), book, random_seed())
        .with_algorithm(args.search);
    let session = PlaySession::new(table, record, opponent, EngineAdvisor::default());
    let session = match archive {
        Some(archive) => session.saved_in(archive),
        None => session,
    };
    let screen = Screen::new(args.ascii, bottom);
    Host { session, resume_command: resume_command(args), input, screen, is_interrupted }.run()
}

impl Args {
    fn read_book(&self) -> Result<Option<Arc<Book>>, String> {
        match &self.book {
            _ if self.no_book => Ok(None),
            None => Ok(Some(Book::built_in())),
            Some(path) => match Book::read(&read_bytes(path)?) {
                Ok(book) => Ok(Some(Arc::new(book))),
                Err(error) => Err(format!("{}: {error}", path.display())),
            },
        }
    }

    /// The table of a new game.
    fn new_table(&self) -> Result<GameTable, String> {
        let start = match (&self.fen, self.chess960) {
            (Some(fen), _) => fen.parse().map_err(|error| format!("{error}"))?,
            (None, Some(number)) => chess960(number.unwrap_or_else(|| (random_seed() % STARTS) as u16)),
            (None, None) => Position::default(),
        };
        let table = GameTable::new(start, self.players(), self.tc);
        match table.conclusion() {
            Some(conclusion) => Err(format!("a game cannot start there: {conclusion}")),
            None => Ok(table),
        }
    }

    fn players(&self) -> ByColor<Player> {
        if self.two {
            return ByColor([Player::Person; 2]);
        }
        if self.engines {
            return ByColor([Player::Engine; 2]);
        }
        match self.colour.unwrap_or(Colour::White) {
            Colour::White => ByColor([Player::Person, Player::Engine]),
            Colour::Black => ByColor([Player::Engine, Player::Person]),
            Colour::Random if random_seed().is_multiple_of(2) => ByColor([Player::Person, Player::Engine]),
            Colour::Random => ByColor([Player::Engine, Player::Person]),
        }
    }

    /// Whether an option asks for a new game.
    fn wants_new_game(&self) -> bool {
        self.colour.is_some()
            || self.two
            || self.engines
            || self.tc.is_some()
            || self.fen.is_some()
            || self.chess960.is_some()
    }
}

/// The number of Chess960 start positions.
const STARTS: u64 = 960;

fn chess960(number: u16) -> Position {
    Setup::chess960(number, number).validate().expect("every Chess960 start position is valid")
}

/// A random number that differs from run to run.
fn random_seed() -> u64 {
    RandomState::new().hash_one(())
}

/// The archive of the game; a message where there can be none.
fn open_archive(args: &Args) -> Result<Option<Archive>, Failure> {
    if let Some(path) = &args.pgn {
        return Ok(Some(Archive::new(path)));
    }
    match Archive::default_location() {
        Ok(archive) => Ok(Some(archive)),
        Err(sentence) => {
            print_line(&format!("The game will not be saved: {sentence}; --pgn FILE names another file."))?;
            Ok(None)
        }
    }
}

/// Whether to resume an unfinished game: with `--resume` or `--pgn`, or if the person agrees.
fn resumes(
    args: &Args,
    game: &PgnGame,
    input: &mut Input,
    is_interrupted: &AtomicBool,
) -> Result<bool, Failure> {
    if args.wants_new_game() {
        return Ok(false);
    }
    if args.resume || args.pgn.is_some() {
        print_line(&format!("Resuming the game of {}.", describe(game)))?;
        return Ok(true);
    }
    if !input.is_edited() {
        return Ok(false);
    }
    print_line(&format!("There is an unfinished game: {}.", describe(game)))?;
    let answer = input.ask("Resume it? [Y/n] ", Vec::new(), None, is_interrupted);
    Ok(matches!(answer, ReadLine::Line(line) if !line.trim().to_lowercase().starts_with('n')))
}

fn resume_command(args: &Args) -> String {
    match &args.pgn {
        Some(path) => format!("rukh play --pgn {}", path.display()),
        None => "rukh play --resume".to_owned(),
    }
}
