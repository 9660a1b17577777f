//! The binary `rukh`: one module per subcommand. Each parses arguments, calls the crates and prints.

#![forbid(unsafe_code)]

mod ablate;
mod analyse;
mod arena;
mod bench;
mod book;
mod books;
mod completions;
mod data;
mod debug;
mod draw;
mod encounters;
mod evaluation;
mod explain;
mod finish;
mod games;
mod interrupt;
mod leaf_network;
mod levels;
mod magics;
mod man;
mod output;
mod panics;
mod perft;
mod pgn;
mod play;
mod processors;
mod progress;
mod searching;
mod selfplay;
#[cfg(feature = "web")]
mod serve;
mod session;
mod soak;
mod start;
mod suite;
mod teach;
mod texel;
mod text;
mod tune;
mod unpack;
mod workshop;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use finish::Failure;

/// Rukh, a transparent chess engine and its laboratory. Without arguments it speaks UCI and XBoard with any GUI.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<CliCommand>,
}

const EXAMPLES: &str = "\
Examples:
  rukh                              a protocol session on standard input: UCI, or XBoard after the line xboard
  rukh \"go depth 12\" quit           the same, with the lines as arguments
  rukh play --level 5               play against a weak engine at the terminal
  rukh analyse --movetime 5000      the best line from the start position, after five seconds
  rukh analyse --pgn games.pgn      review games: accuracy, mistakes, better moves
  rukh serve --open                 analyse and play in the browser
  rukh perft 6                      count the leaf nodes six plies from the start position: 119060324
  rukh perft 4 --divide --fen \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"
  rukh pgn games.pgn                check a PGN file and report malformed games
  rukh help perft                   the help of one subcommand";

#[derive(Subcommand)]
enum CliCommand {
    Play(play::Args),
    Analyse(analyse::Args),
    Explain(explain::Args),
    #[cfg(feature = "web")]
    Serve(serve::Args),
    Suite(suite::Args),
    Bench(bench::Args),
    Match(arena::Args),
    Sprt(arena::SprtArgs),
    Workshop(workshop::Args),
    Ablate(ablate::Args),
    Levels(levels::Args),
    Soak(soak::Args),
    Tune(tune::Args),
    Texel(texel::Args),
    Selfplay(selfplay::Args),
    Data(data::Args),
    Book(book::Args),
    Perft(perft::Args),
    Pgn(pgn::Args),
    Debug(debug::Args),
    Magics(magics::Args),
    Draw(draw::Args),
    Teach(teach::Args),
    Completions(completions::Args),
    Man(man::Args),
    /// Lines of a protocol session as arguments: rukh "go depth 5" quit
    #[command(external_subcommand)]
    Session(Vec<String>),
}

impl CliCommand {
    fn is_server(&self) -> bool {
        #[cfg(feature = "web")]
        return matches!(self, Self::Serve(_));
        #[cfg(not(feature = "web"))]
        return false;
    }
}

/// The exit status after wrong arguments or unreadable input; clap uses the same.
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    let command = Cli::parse().command.unwrap_or(CliCommand::Session(Vec::new()));
    if !command.is_server() {
        panics::end_the_process();
    }
    let finish = match command {
        CliCommand::Play(args) => play::run(&args),
        CliCommand::Analyse(args) => analyse::run(&args),
        CliCommand::Explain(args) => explain::run(&args),
        #[cfg(feature = "web")]
        CliCommand::Serve(args) => serve::run(&args),
        CliCommand::Suite(args) => suite::run(&args),
        CliCommand::Bench(args) => bench::run(&args),
        CliCommand::Match(args) => arena::run(&args),
        CliCommand::Sprt(args) => arena::run_sprt(&args),
        CliCommand::Workshop(args) => workshop::run(&args),
        CliCommand::Ablate(args) => ablate::run(&args),
        CliCommand::Levels(args) => levels::run(&args),
        CliCommand::Soak(args) => soak::run(&args),
        CliCommand::Tune(args) => tune::run(&args),
        CliCommand::Texel(args) => texel::run(&args),
        CliCommand::Data(args) => data::run(&args),
        CliCommand::Selfplay(args) => selfplay::run(&args),
        CliCommand::Book(args) => book::run(&args),
        CliCommand::Perft(args) => perft::run(&args),
        CliCommand::Pgn(args) => pgn::run(&args),
        CliCommand::Debug(args) => debug::run(&args),
        CliCommand::Magics(args) => magics::run(&args),
        CliCommand::Draw(args) => draw::run(&args),
        CliCommand::Teach(args) => teach::run(&args),
        CliCommand::Completions(args) => completions::run(&args, &mut Cli::command()),
        CliCommand::Man(args) => man::run(&args, Cli::command()),
        CliCommand::Session(lines) => session::run(&lines),
    };
    finish.unwrap_or_else(|failure| match failure {
        Failure::Sentence(sentence) => {
            // If standard error is closed, only the exit status remains.
            let _ = writeln!(io::stderr(), "rukh: {sentence}");
            ExitCode::from(BAD_INPUT)
        }
        Failure::ReaderGone => ExitCode::SUCCESS,
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    use super::Cli;

    /// The arguments of an example as a shell splits them, without the explanation after two spaces.
    fn words(example: &str) -> Vec<String> {
        let (mut words, mut word) = (Vec::new(), String::new());
        let mut is_quoted = false;
        let mut letters = example.chars().chain([' ']).peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '"' => is_quoted = !is_quoted,
                ' ' if !is_quoted => {
                    words.push(std::mem::take(&mut word));
                    if letters.peek() == Some(&' ') {
                        break;
                    }
                }
                letter => word.push(letter),
            }
        }
        // The rest is for the shell.
        words.into_iter().take_while(|word| word != ">" && word != "|").collect()
    }

    /// Checks the examples of a command and its subcommands. Returns their number.
    fn check(command: &clap::Command, path: &str) -> usize {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let (_, examples) =
            help.split_once("Examples:\n").unwrap_or_else(|| panic!("{path} has no examples"));
        let mut has_own = false;
        for example in examples.lines() {
            let words = words(example.strip_prefix("  ").expect("an example is indented"));
            has_own |= words.join(" ").starts_with(path);
            let matches = match Cli::command().try_get_matches_from(&words) {
                Ok(matches) => matches,
                Err(error) if error.kind() == ErrorKind::DisplayHelp => continue,
                Err(error) => panic!("{example}: {error}"),
            };
            // An unknown word would be parsed as a line of a session.
            let named = matches.subcommand_name();
            let is_command = named.is_none_or(|name| Cli::command().find_subcommand(name).is_some());
            assert!(is_command || path == "rukh", "{example}");
        }
        assert!(has_own, "{path}: no example uses it");
        let below = command.get_subcommands().map(|sub| check(sub, &format!("{path} {}", sub.get_name())));
        examples.lines().count() + below.sum::<usize>()
    }

    #[test]
    fn every_command_has_examples_that_parse() {
        let count = check(&Cli::command(), "rukh");
        assert!(count > 50, "{count} examples");
    }
}
