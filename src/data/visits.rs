//! `rukh data visits`: what is in files of visit distributions, and records for trainers.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rukh_lab::visits::{VisitCensus, VisitManifest, VisitReader, packed_game, raw_records};
use serde_json::json;

use crate::finish::Finish;
use crate::output::{NewFile, print_line};

/// Check games with visit distributions, count them, or convert them for trainers
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Files of `rukh selfplay --visits`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write a record for each position, for scripts/teacher and scripts/policy
    #[arg(long, value_name = "FILE")]
    raw: Option<PathBuf>,

    /// Write the games in viriformat, with the scores of the searches, for the trainer of the value network
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Every checksum, move and distribution is checked; a file that is cut or damaged is refused, and nothing is written.

A record has 416 bytes: the 320 bytes of `rukh data policy` with the probabilities to win and to lose of the search and the move
with the greatest part of the policy as the best one, then 96 bytes, the part of each legal move in 255ths. Positions with more
than 96 legal moves are left out.

Examples:
  rukh data visits games.rkv
  rukh data visits one.rkv two.rkv --raw records.bin
  rukh data visits games.rkv --games games.vf";

/// Runs the command.
pub(super) fn visits(args: &Args) -> Finish {
    let mut raw = args.raw.as_deref().map(NewFile::create).transpose()?;
    let mut games = args.games.as_deref().map(NewFile::create).transpose()?;
    let mut counted = Vec::new();
    for path in &args.files {
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let mut reader = VisitReader::open(path).map_err(|error| failed(&error))?;
        let mut census = VisitCensus::default();
        let rule = reader.manifest().resignation();
        for game in reader.by_ref() {
            let game = game.map_err(|error| failed(&error))?;
            census.add(&game, rule);
            if let Some(raw) = &mut raw {
                raw.write_bytes(&raw_records(&game))?;
            }
            if let Some(games) = &mut games {
                let mut bytes = Vec::new();
                packed_game(&game).write(&mut bytes).expect("memory takes what is written");
                games.write_bytes(&bytes)?;
            }
        }
        counted.push((path, reader.manifest().clone(), census));
    }
    raw.map_or(Ok(()), NewFile::finish)?;
    games.map_or(Ok(()), NewFile::finish)?;
    for (path, manifest, census) in counted {
        print_line(&told(path, &manifest, &census, args.json))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn told(path: &Path, manifest: &VisitManifest, census: &VisitCensus, is_json: bool) -> String {
    let bytes = std::fs::metadata(path).map_or(0, |data| data.len());
    let each = bytes as f64 / census.positions.max(1) as f64;
    if is_json {
        let mut object = census.to_json();
        object["file"] = json!(path.display().to_string());
        object["bytes_per_position"] = json!(each);
        object["manifest"] = manifest.to_json();
        return object.to_string();
    }
    let setting = |name: &str| manifest.text(name);
    let mut lines = vec![format!(
        "{}: {} games, {} positions, {each:.2} bytes each; {} with {} evaluations a move, seed {}, version {}",
        path.display(),
        census.games,
        census.positions,
        setting("root"),
        setting("evaluations"),
        setting("seed"),
        setting("program"),
    )];
    lines.extend(census.lines());
    lines.join("\n  ")
}
