//! `rukh pgn`: reads games, names the bad ones, and writes the good ones back in one form.

use std::path::PathBuf;
use std::process::ExitCode;

use rukh_chess::notation::pgn::{Games, decode};
use serde_json::json;

use crate::finish::Finish;
use crate::output::{NewFile, is_same_file, print_line};
use crate::progress::LateBar;
use crate::text::read_bytes;

/// Read games in PGN, say what is wrong with the bad ones, and write the good ones back
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The games
    file: PathBuf,

    /// Where to write the games that could be read
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
The exit status is 1 if a game has a fault.

Examples:
  rukh pgn games.pgn
  rukh pgn games.pgn --out clean.pgn
  rukh pgn games.pgn --json";

pub(crate) fn run(args: &Args) -> Finish {
    let bytes = read_bytes(&args.file)?;
    let text = decode(&bytes);
    if let Some(path) = args.out.as_ref().filter(|path| is_same_file(path, &args.file)) {
        return Err(
            format!("the games would be written over {}, which they are read from", path.display()).into()
        );
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
        print_line(&format!("{good} games with {plies} moves of either side, {bad} games with a fault"))?;
    }
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
