//! `rukh pgn`: reads games, names the bad ones, and writes the good ones back in one form.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use rukh_chess::notation::pgn::{Games, decode};
use serde_json::json;

use crate::Finish;
use crate::progress::LateBar;
use crate::text::read_bytes;

/// Read games in PGN, say what is wrong with the bad ones, and write the good ones back
#[derive(clap::Args)]
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

pub(crate) fn run(args: &Args) -> Finish {
    let bytes = read_bytes(&args.file)?;
    let text = decode(&bytes);
    let cannot_write = |error: std::io::Error| {
        let path = args.out.as_deref().unwrap_or(&args.file);
        format!("cannot write {}: {error}", path.display())
    };
    let mut out = args.out.as_ref().map(File::create).transpose().map_err(cannot_write)?.map(BufWriter::new);

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
                    writeln!(out, "{game}").map_err(cannot_write)?;
                }
            }
            Err(error) => {
                if !args.json {
                    bar.println(&error.to_string());
                }
                faults.push(
                    json!({ "game": error.game, "line": error.line, "fault": error.fault.to_string() }),
                );
            }
        }
    }
    if let Some(out) = &mut out {
        out.flush().map_err(cannot_write)?;
    }
    bar.finish();
    if args.json {
        println!("{}", json!({ "games": good, "plies": plies, "faults": faults }));
    } else {
        println!("{good} games with {plies} moves of either side, {} games with a fault", faults.len());
    }
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
