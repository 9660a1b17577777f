//! The command `rukh`: parses arguments, calls the crates, prints.

#![forbid(unsafe_code)]

mod finish;
mod magics;
mod output;
mod perft;
mod pgn;
mod progress;
mod text;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use finish::Failure;

/// Rukh, a chess engine one can see through.
#[derive(Parser)]
#[command(version, arg_required_else_help = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  rukh perft 6                      count the lines of six moves from the start: 119060324
  rukh perft 4 --divide --fen \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"
  rukh pgn games.pgn                read games and name what is wrong with the bad ones
  rukh help perft                   all about one command";

#[derive(Subcommand)]
enum Command {
    Perft(perft::Args),
    Pgn(pgn::Args),
    Magics(magics::Args),
}

/// The exit status after wrong arguments or unreadable input; clap uses the same.
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    let finish = match Cli::parse().command {
        Command::Perft(args) => perft::run(&args),
        Command::Pgn(args) => pgn::run(&args),
        Command::Magics(args) => magics::run(&args),
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
