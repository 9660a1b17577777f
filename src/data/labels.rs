//! `rukh data labels`: what is in a file of labels, and its conversion for other programs.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rukh_lab::labels::{LabelError, LabelReader, LabelRecord, Manifest, SampleKind, raw_record};
use serde_json::json;

use crate::finish::{Failure, Finish};
use crate::output::{NewFile, print_line};

/// Count the labels of files and check every one, or convert them
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The labels
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write the labels of all files as lines of EPD
    #[arg(long, value_name = "FILE")]
    epd: Option<PathBuf>,

    /// Write the labels of all files as records of 64 bytes, for trainers
    #[arg(long, value_name = "FILE")]
    raw: Option<PathBuf>,

    /// Print a JSON object for each file
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Labels come from `rukh data rescore`. A file that is damaged is refused, and nothing is written.

A raw record has 64 bytes, numbers little-endian:
   0..32  the board, four bits a square from a1, b1 on, the low half first: 0 empty, 1..6 white PNBRQK, 7..12 black pnbrqk
      32  side to move: 0 White, 1 Black
      33  castling rights: 1 White kingside, 2 White queenside, 4 Black kingside, 8 Black queenside
      34  en-passant square, 64 for none
      35  halfmove clock
  36..38  score (i16) for the side to move in internal units; 30754 and more is a proven win
  38, 39  probabilities to win and to lose for the side to move, in 255ths
  40..42  best move: from | to << 6 | promotion << 12 (0 none, 1..4 NBRQ); castling goes from the king to its rook
  42..44  second best move, 0 for none
  44..46  its score (i16), 0 if there is none
      46  kind: 0 played, 1 perturbed, 2 tree
      47  result of the game: 0 Black won, 1 draw, 2 White won, 3 not known; only kind 0 is a position of that game
  48..50  fullmove number (u16)
  50..64  zero

Examples:
  rukh data labels labels.rkl
  rukh data labels one.rkl two.rkl --raw labels.bin --json
  rukh data labels labels.rkl --epd labels.epd";

/// Counts of a file.
#[derive(Default)]
struct Counts {
    positions: u64,
    kinds: [u64; SampleKind::ALL.len()],
    decisive: u64,
    /// Sums, to divide by the positions.
    expected_score: f64,
    absolute_score: f64,
    pieces: u64,
    /// Positions with a second move, and the sum of its distance from the best one.
    seconds: u64,
    gap: f64,
}

impl Counts {
    fn add(&mut self, label: &LabelRecord) {
        self.positions += 1;
        self.kinds[usize::from(label.kind.code())] += 1;
        self.expected_score += label.expected_score();
        self.pieces += u64::from(label.position.occupied().count());
        if label.score.is_decisive() {
            self.decisive += 1;
        } else {
            self.absolute_score += f64::from(label.score.value().abs());
        }
        if let Some((_, second)) = label.second
            && !second.is_decisive()
            && !label.score.is_decisive()
        {
            self.seconds += 1;
            self.gap += f64::from(label.score - second);
        }
    }
}

/// Runs the command.
pub(super) fn run(args: &Args) -> Finish {
    let mut epd = args.epd.as_deref().map(NewFile::create).transpose()?;
    let mut raw = args.raw.as_deref().map(NewFile::create).transpose()?;
    let mut reports = Vec::new();
    for path in &args.files {
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let bytes = std::fs::metadata(path).map_or(0, |data| data.len());
        let mut reader = LabelReader::open(path).map_err(|error| failed(&error))?;
        let mut counts = Counts::default();
        for label in reader.by_ref() {
            let label = label.map_err(|error| failed(&error))?;
            counts.add(&label);
            if let Some(file) = &mut epd {
                file.write(&format!("{label}\n"))?;
            }
            if let Some(file) = &mut raw {
                file.write_bytes(&raw_record(&label))?;
            }
        }
        reports.push((path, bytes, reader.manifest().clone(), counts));
    }
    for file in [epd, raw].into_iter().flatten() {
        file.finish()?;
    }
    for (path, bytes, manifest, counts) in reports {
        report(args.json, path, bytes, &manifest, &counts)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether a file is one of labels, by its name.
pub(super) fn is_labels(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rkl")
}

/// Reads every label of a file and reports the result; whether all are sound.
pub(super) fn check_labels(path: &Path, as_json: bool) -> Result<bool, Failure> {
    let mut positions = 0_u64;
    let mut read = || {
        for label in LabelReader::open(path)? {
            label?;
            positions += 1;
        }
        Ok::<_, LabelError>(())
    };
    let fault = read().err().map(|error| format!("{}: {error}", path.display()));
    if as_json {
        let file = path.to_string_lossy();
        print_line(&json!({ "file": file, "labels": positions, "fault": fault }).to_string())?;
        return Ok(fault.is_none());
    }
    print_line(&format!("{}: {positions} labels are sound", path.display()))?;
    if let Some(fault) = &fault {
        print_line(fault)?;
    }
    Ok(fault.is_none())
}

fn report(
    as_json: bool,
    path: &Path,
    bytes: u64,
    manifest: &Manifest,
    counts: &Counts,
) -> Result<(), Failure> {
    let mean = |sum: f64, count: u64| sum / count.max(1) as f64;
    let positions = counts.positions;
    let open = positions - counts.decisive;
    let [expected, absolute, gap, pieces, size] = [
        mean(counts.expected_score, positions),
        mean(counts.absolute_score, open),
        mean(counts.gap, counts.seconds),
        mean(counts.pieces as f64, positions),
        mean(bytes as f64, positions),
    ];
    if as_json {
        let kinds = SampleKind::ALL.map(|kind| (kind.name(), counts.kinds[usize::from(kind.code())]));
        let kinds: std::collections::BTreeMap<_, _> = kinds.into();
        let sources: Vec<_> = manifest.sources.iter().map(|source| &source.name).collect();
        return print_line(
            &json!({
                "file": path.to_string_lossy(), "positions": positions, "kinds": kinds, "decisive": counts.decisive,
                "mean_expected_score": expected, "mean_absolute_score": absolute, "mean_gap": gap,
                "mean_pieces": pieces, "bytes_per_position": size, "program": manifest.program,
                "network": manifest.network, "nodes": manifest.nodes, "seed": manifest.seed, "sources": sources,
            })
            .to_string(),
        );
    }
    let sources: Vec<_> = manifest.sources.iter().map(|source| source.name.as_str()).collect();
    print_line(&format!("{}: {positions} labels, {size:.1} bytes each", path.display()))?;
    print_line(&format!(
        "  made by       {} nodes, network {}, seed {}, version {}, from {}",
        manifest.nodes,
        manifest.network,
        manifest.seed,
        manifest.program,
        sources.join(", ")
    ))?;
    for kind in SampleKind::ALL {
        let count = counts.kinds[usize::from(kind.code())];
        let percent = 100.0 * mean(count as f64, positions);
        print_line(&format!("  {:<10} {count:>12}   {percent:.1}%", kind.name()))?;
    }
    let percent = 100.0 * mean(counts.decisive as f64, positions);
    print_line(&format!("  {:<10} {:>12}   {percent:.1}%", "decisive", counts.decisive))?;
    print_line(&format!(
        "  mean expected score {expected:.4}, mean absolute score {absolute:.1}, mean distance of the second move {gap:.1}, \
         pieces {pieces:.1}"
    ))
}
