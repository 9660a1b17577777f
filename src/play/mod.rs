//! `rukh play`: a game at the terminal, against the engine, between two people, or to watch.
//!
//! `table` is the game and its clocks, `board` and `panel` draw it, `commands` and `moves` read what a person types,
//! `archive` and `record` keep it, `opponent` and `advisor` think, and `host` leads through it.

mod advisor;
mod answers;
mod archive;
mod board;
mod clock;
mod commands;
mod conclusion;
mod host;
mod input;
mod moves;
mod opponent;
mod panel;
mod record;
mod screen;
mod skill;
mod summary;
mod table;
mod verdict;

use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

use clap::ValueEnum;
use rukh_chess::notation::pgn::PgnGame;
use rukh_chess::types::ByColor;
use rukh_chess::{Color, Position, Setup};
use rukh_knowledge::openings::Openings;
use rukh_knowledge::polyglot::Book;
use rukh_lab::calendar::date;

use advisor::Advisor;
use archive::Archive;
use clock::Control;
use host::Host;
use input::{Input, ReadLine};
use opponent::Opponent;
use record::{Record, describe};
use screen::Screen;
use skill::{Skill, read_elo, read_level};
use table::{GameTable, Player};

use crate::finish::{Failure, Finish};
use crate::interrupt;
use crate::output::print_line;
use crate::text::read_bytes;

/// Play a game at the terminal
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// How strong the engine is, from 0 (a beginner) to 20 (full strength, which is the default)
    #[arg(long, value_name = "0..20", value_parser = read_level)]
    level: Option<Skill>,

    /// How strong the engine is, as a rating from 800 on
    #[arg(long, value_name = "RATING", value_parser = read_elo, conflicts_with = "level")]
    elo: Option<Skill>,

    /// The side you play [default: white]
    #[arg(long, alias = "color", value_name = "SIDE")]
    colour: Option<Colour>,

    /// Two people play, at one board
    #[arg(long, conflicts_with_all = ["colour", "level", "elo", "engines"])]
    two: bool,

    /// The engine plays against itself, and you watch
    #[arg(long, conflicts_with = "colour")]
    engines: bool,

    /// Clocks: minutes for each side, and seconds more with every move: 5+3, 90, 0:30 [default: no clocks]
    #[arg(long, value_name = "MINUTES+SECONDS", value_parser = Control::of_people)]
    tc: Option<Control>,

    /// How long the engine thinks about a move where there are no clocks, in milliseconds
    #[arg(long, value_name = "MS", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: u64,

    /// Begin from this position (FEN)
    #[arg(long, conflicts_with = "chess960")]
    fen: Option<String>,

    /// Begin from a start of Chess960: one at random, or the one with this number
    #[arg(long, value_name = "0..959", num_args = 0..=1, value_parser = clap::value_parser!(u16).range(0..960))]
    chess960: Option<Option<u16>>,

    /// Keep the game in this file, after the games that are there; one that was left unfinished is resumed
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// Go on with the game that was left unfinished
    #[arg(long, conflicts_with_all = ["colour", "two", "engines", "tc", "fen", "chess960"])]
    resume: bool,

    /// A book of openings (Polyglot) for the engine [default: the small one that is built in]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    /// Let the engine play without a book
    #[arg(long, conflicts_with = "book")]
    no_book: bool,

    /// Draw the board with letters, without colours
    #[arg(long)]
    ascii: bool,
}

const EXAMPLES: &str = "\
Type a move and Enter: e4, Nf3, exd5, O-O, e8=Q, or its two squares: e2e4.
Type help for all that can be said: hint, takeback, eval, moves, draw and more.
The game is saved after every move. Ctrl-C or Ctrl-D leaves; rukh play --resume
goes on with it later.

Examples:
  rukh play --level 5                White against a weak engine, without clocks
  rukh play --elo 1800 --colour black --tc 5+3
  rukh play --two --tc 10            two people, ten minutes each
  rukh play --engines --tc 1+1       to watch
  rukh play --chess960 --level 10";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Colour {
    White,
    Black,
    Random,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Finish {
    let book = match &args.book {
        _ if args.no_book => None,
        None => Some(Book::built_in()),
        Some(path) => {
            let read = Book::read(&read_bytes(path)?);
            Some(Arc::new(read.map_err(|error| format!("{}: {error}", path.display()))?))
        }
    };
    let fresh = args.fresh_table()?;
    let mut archive = open_archive(args)?;
    let mut input = Input::new()?;
    let is_interrupted = interrupt::flag();
    let found = archive.as_ref().map(Archive::unfinished).transpose()?.flatten();
    let resumed = match found {
        Some(game) if goes_on(args, &game, &mut input, &is_interrupted)? => Some(game),
        None if args.resume => return Err("there is no unfinished game to go on with".to_owned().into()),
        _ => None,
    };
    let skill = args.level.or(args.elo);
    let (mut record, table) = match &resumed {
        Some(game) => {
            archive.as_mut().map(Archive::adopt_last).transpose()?;
            Record::read(game, fresh.players, Skill::Full)
        }
        None => (Record { date: date(SystemTime::now()), skill: Skill::Full }, fresh),
    };
    record.skill = skill.unwrap_or(record.skill);
    let bottom = table.lone_person().unwrap_or(Color::White);
    let host = Host {
        how_to_resume: how_to_resume(args),
        opponent: Opponent::new(Duration::from_millis(args.movetime), book, lot()),
        advisor: Advisor::default(),
        openings: Openings::new(),
        screen: Screen::new(args.ascii, bottom),
        table,
        record,
        archive,
        input,
        is_interrupted,
    };
    if host.input.is_edited() {
        let is_played = host.table.players.0.contains(&Player::Person);
        print_line(if is_played { "Type a move, or help." } else { "Ctrl-C leaves." })?;
    }
    host.run()
}

impl Args {
    /// The table of a new game.
    fn fresh_table(&self) -> Result<GameTable, String> {
        let start = match (&self.fen, self.chess960) {
            (Some(fen), _) => fen.parse().map_err(|error| format!("{error}"))?,
            (None, Some(number)) => chess960(number.unwrap_or_else(|| (lot() % STARTS) as u16)),
            (None, None) => Position::default(),
        };
        let table = GameTable::new(start, self.players(), self.tc);
        match table.conclusion() {
            Some(conclusion) => Err(format!("no game can begin there: {conclusion}")),
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
            Colour::Random if lot().is_multiple_of(2) => ByColor([Player::Person, Player::Engine]),
            Colour::Random => ByColor([Player::Engine, Player::Person]),
        }
    }

    /// Whether something is asked for that only a new game can have.
    fn wants_new_game(&self) -> bool {
        self.colour.is_some()
            || self.two
            || self.engines
            || self.tc.is_some()
            || self.fen.is_some()
            || self.chess960.is_some()
    }
}

/// How many starts Chess960 has.
const STARTS: u64 = 960;

fn chess960(number: u16) -> Position {
    Setup::chess960(number, number).validate().expect("every start of Chess960 is a valid position")
}

/// A number that nobody can foresee.
fn lot() -> u64 {
    RandomState::new().hash_one(())
}

/// The file where the game is kept; where there can be none, says so.
fn open_archive(args: &Args) -> Result<Option<Archive>, Failure> {
    if let Some(path) = &args.pgn {
        return Ok(Some(Archive::new(path)));
    }
    match Archive::usual() {
        Ok(archive) => Ok(Some(archive)),
        Err(sentence) => {
            print_line(&format!("The game will not be saved: {sentence}; --pgn FILE names another place."))?;
            Ok(None)
        }
    }
}

/// Whether an unfinished game is resumed: if that is asked for, if its file is, or if the person says so.
fn goes_on(
    args: &Args,
    game: &PgnGame,
    input: &mut Input,
    is_interrupted: &AtomicBool,
) -> Result<bool, Failure> {
    if args.wants_new_game() {
        return Ok(false);
    }
    if args.resume || args.pgn.is_some() {
        print_line(&format!("Going on with the game of {}.", describe(game)))?;
        return Ok(true);
    }
    if !input.is_edited() {
        return Ok(false);
    }
    print_line(&format!("There is an unfinished game: {}.", describe(game)))?;
    let answer = input.ask("Go on with it? [Y/n] ", Vec::new(), None, is_interrupted);
    Ok(matches!(answer, ReadLine::Line(line) if !line.trim().to_lowercase().starts_with('n')))
}

fn how_to_resume(args: &Args) -> String {
    match &args.pgn {
        Some(path) => format!("rukh play --pgn {}", path.display()),
        None => "rukh play --resume".to_owned(),
    }
}
