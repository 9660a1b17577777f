//! The command `rukh`: parses arguments, calls the crates, prints.

#![forbid(unsafe_code)]

mod ablate;
mod analyse;
mod arena;
mod bench;
mod book;
mod books;
mod data;
mod evaluation;
mod finish;
mod games;
mod interrupt;
mod levels;
mod magics;
mod output;
mod perft;
mod pgn;
mod play;
mod progress;
mod searching;
mod selfplay;
mod session;
mod suite;
mod texel;
mod text;
mod tune;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use finish::Failure;

/// Rukh, a chess engine one can see through. Without arguments it is a UCI engine for any GUI.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  rukh                              a UCI session, for a GUI or for you
  rukh \"go depth 12\" quit           the same with its lines as arguments
  rukh play --level 5               a game against it, at the terminal
  rukh analyse --movetime 5000      the best line from the start
  rukh analyse --pgn games.pgn      what went wrong in games, and what was better
  rukh perft 6                      count the lines of six moves from the start: 119060324
  rukh perft 4 --divide --fen \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"
  rukh pgn games.pgn                read games and name what is wrong with the bad ones
  rukh help perft                   all about one command";

#[derive(Subcommand)]
enum Command {
    Play(play::Args),
    Analyse(analyse::Args),
    Suite(suite::Args),
    Bench(bench::Args),
    Match(arena::Args),
    Sprt(arena::SprtArgs),
    Ablate(ablate::Args),
    Levels(levels::Args),
    Tune(tune::Args),
    Texel(texel::Args),
    Selfplay(selfplay::Args),
    Data(data::Args),
    Book(book::Args),
    Perft(perft::Args),
    Pgn(pgn::Args),
    Magics(magics::Args),
    /// Lines of a protocol session, given as arguments: rukh "go depth 5" quit
    #[command(external_subcommand)]
    Session(Vec<String>),
}

/// The exit status after wrong arguments or unreadable input; clap uses the same.
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    let finish = match Cli::parse().command.unwrap_or(Command::Session(Vec::new())) {
        Command::Play(args) => play::run(&args),
        Command::Analyse(args) => analyse::run(&args),
        Command::Suite(args) => suite::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Match(args) => arena::run(&args),
        Command::Sprt(args) => arena::run_sprt(&args),
        Command::Ablate(args) => ablate::run(&args),
        Command::Levels(args) => levels::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Texel(args) => texel::run(&args),
        Command::Data(args) => data::run(&args),
        Command::Selfplay(args) => selfplay::run(&args),
        Command::Book(args) => book::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Pgn(args) => pgn::run(&args),
        Command::Magics(args) => magics::run(&args),
        Command::Session(lines) => session::run(&lines),
    };
    finish.unwrap_or_else(|failure| match failure {
        Failure::Sentence(sentence) => {
            // Where standard error is closed, the exit status has to be enough.
            let _ = writeln!(io::stderr(), "rukh: {sentence}");
            ExitCode::from(BAD_INPUT)
        }
        Failure::ReaderGone => ExitCode::SUCCESS,
    })
}
