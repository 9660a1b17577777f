//! `rukh explain --themes`: precision and recall of the detectors on puzzles with themes.

use std::path::Path;
use std::process::ExitCode;
use std::thread;

use rukh_chess::notation::CastlingNotation;
use rukh_explain::claims::kind::ClaimKind;
use rukh_explain::claims::themes::{Measure, Puzzle, THEMES, kinds};
use rukh_explain::variation;
use serde_json::json;

use super::Args;
use crate::finish::{Failure, Finish};
use crate::output::print_line;
use crate::unpack::for_each_file;

/// Runs the measure.
pub(super) fn run(file: &Path, args: &Args) -> Finish {
    let puzzles = read(file)?;
    if let Some(theme) = args.differences.as_deref() {
        return list_differences(&puzzles, theme);
    }
    let measure = measure(&puzzles);
    if args.json {
        print_line(&as_json(&measure).to_string())?;
    } else {
        print_line(&as_text(&measure, puzzles.len()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The puzzles of a file. The first row may be a heading.
fn read(file: &Path) -> Result<Vec<Puzzle>, Failure> {
    let mut puzzles = Vec::new();
    for_each_file(file, |name, bytes| {
        let text = String::from_utf8_lossy(bytes);
        for (at, row) in text.lines().enumerate().filter(|(_, row)| !row.trim().is_empty()) {
            if at == 0 && row.starts_with("id\t") {
                continue;
            }
            let puzzle = Puzzle::parse(row).map_err(|error| format!("{name}, line {}: {error}", at + 1))?;
            puzzles.push(puzzle);
        }
        Ok(())
    })?;
    if puzzles.is_empty() {
        return Err(format!("there is no puzzle in {}", file.display()).into());
    }
    Ok(puzzles)
}

/// Measures all puzzles on all cores.
fn measure(puzzles: &[Puzzle]) -> Measure {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = puzzles.len().div_ceil(threads).max(1);
    let mut total = Measure::default();
    thread::scope(|scope| {
        let parts: Vec<_> = puzzles.chunks(share).map(|part| scope.spawn(|| measure_part(part))).collect();
        for part in parts {
            total.merge(&part.join().expect("a measuring thread does not panic"));
        }
    });
    total
}

fn measure_part(puzzles: &[Puzzle]) -> Measure {
    let mut measure = Measure::default();
    for puzzle in puzzles {
        measure.add(puzzle, &kinds(puzzle, &puzzle.solution));
    }
    measure
}

fn as_text(measure: &Measure, rows: usize) -> String {
    let share = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{share:.3}"));
    let mut lines = vec![
        format!("{rows} puzzles, on their own lines"),
        format!(
            "{:<18} {:<22} {:>6} {:>7} {:>9} {:>7}",
            "theme", "claim", "rows", "claims", "precision", "recall"
        ),
    ];
    lines.extend(measure.rows().map(|(theme, kind, agreement)| {
        let (precision, recall) = (share(agreement.precision()), share(agreement.recall()));
        format!(
            "{theme:<18} {:<22} {:>6} {:>7} {precision:>9} {recall:>7}",
            kind.name(),
            agreement.rows,
            agreement.claims
        )
    }));
    lines.join("\n")
}

fn as_json(measure: &Measure) -> serde_json::Value {
    let rows = measure.rows().map(|(theme, kind, agreement)| {
        json!({
            "theme": theme,
            "claim": kind,
            "rows": agreement.rows,
            "claims": agreement.claims,
            "both": agreement.both,
            "precision": agreement.precision(),
            "recall": agreement.recall(),
        })
    });
    rows.collect()
}

/// Lists the rows on which a theme and its claim differ.
fn list_differences(puzzles: &[Puzzle], theme: &str) -> Finish {
    let known = THEMES.iter().find(|(name, _)| *name == theme);
    let (_, kind) = known.ok_or_else(|| {
        let names: Vec<_> = THEMES.iter().map(|(name, _)| *name).collect();
        format!("{theme:?} stands for no claim; themes that do are {}", names.join(", "))
    })?;
    for puzzle in puzzles {
        let has_claim = kinds(puzzle, &puzzle.solution).contains(kind);
        if has_claim != puzzle.has(theme) {
            print_line(&difference(puzzle, *kind, has_claim))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn difference(puzzle: &Puzzle, kind: ClaimKind, has_claim: bool) -> String {
    let what = if has_claim { format!("claim only: {kind}") } else { format!("theme only: {kind}") };
    let first = puzzle.before.uci(puzzle.first, CastlingNotation::of(&puzzle.before));
    let line = variation::to_san(&puzzle.start, &puzzle.solution);
    format!("{}\t{what}\t{}\tafter {first}: {line}\t{}", puzzle.id, puzzle.start, puzzle.themes.join(" "))
}
