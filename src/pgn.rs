//! `rukh pgn`: checks PGN files and writes the valid games back in a normal form.

use std::path::PathBuf;
use std::process::ExitCode;

use rukh_chess::notation::pgn::{Games, decode};
use serde_json::json;

use crate::finish::Finish;
use crate::output::{NewFile, is_same_file, print_line};
use crate::progress::LateBar;
use crate::text::read_bytes;

/// Check the games of a PGN file, report malformed ones, and write the valid ones back
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The PGN file
    file: PathBuf,

    /// Write the valid games to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
The exit status is 1 if a game is malformed.

Examples:
  rukh pgn games.pgn
  rukh pgn games.pgn --out clean.pgn
  rukh pgn games.pgn --json";

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    let bytes = read_bytes(&args.file)?;
    let text = decode(&bytes);
    if let Some(path) = args.out.as_ref().filter(|path| is_same_file(path, &args.file)) {
        return Err(format!(
            "--out is {}, the file that the games are read from; name another file",
            path.display()
        )
        .into());
    }
    let mut out = args.out.as_deref().map(NewFile::create).transpose()?;

    let bar = LateBar::new("bytes");
    let (mut good, mut plies, mut faults) = (0_u64, 0_u64, Vec::new());
    let mut games = Games::new(&text);
    while let Some(game) = games.next() {
        bar.set(games.bytes_read(), text.len());
        match game {
            Ok(game) => {
                good += 1;
                plies += game.main_line.moves.len() as u64;
                if let Some(out) = &mut out {
                    out.write(&format!("{game}\n"))?;
                }
            }
            Err(error) => {
                if !args.json {
                    bar.print_line(&error.to_string())?;
                }
                faults.push(
                    json!({ "game": error.game, "line": error.line, "fault": error.fault.to_string() }),
                );
            }
        }
    }
    if let Some(out) = out {
        out.finish()?;
    }
    bar.finish();
    if args.json {
        print_line(&json!({ "games": good, "plies": plies, "faults": faults }).to_string())?;
    } else {
        let bad = faults.len();
        print_line(&format!("{good} valid games with {plies} plies, {bad} malformed games"))?;
    }
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
