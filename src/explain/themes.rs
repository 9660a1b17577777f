//! `rukh explain --themes`: precision and recall of the detectors on puzzles with themes.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rukh_chess::notation::CastlingNotation;
use rukh_explain::claims::engine_analyst::EngineAnalyst;
use rukh_explain::claims::kind::ClaimKind;
use rukh_explain::claims::themes::{
    Measure, Puzzle, THEMES, engine_kinds, engine_lines, has_zugzwang, kinds,
};
use rukh_explain::variation;
use serde_json::json;

use super::args::Args;
use crate::finish::{Failure, Finish};
use crate::output::print_line;
use crate::processors::processors;
use crate::progress::LateBar;
use crate::unpack::for_each_file;

/// The lines of the engine on which kinds are counted: the key in JSON, and the words of the heading.
const LINES: [(&str, &str); 3] = [
    ("engine_main_line", "the engine's main line"),
    ("engine_forced_lines", "the forced part of the engine's lines"),
    ("engine_whole_lines", "the engine's whole lines"),
];

/// Runs the measure.
pub(super) fn run(file: &Path, args: &Args) -> Finish {
    let all = read(file)?;
    let every = args.every.unwrap_or(1);
    let puzzles: Vec<_> = all.into_iter().skip(every - 1).step_by(every).collect();
    if puzzles.is_empty() {
        return Err(format!("{} has fewer than {every} puzzles", file.display()).into());
    }
    if let Some(theme) = args.differences.as_deref() {
        return list_differences(&puzzles, theme, args);
    }
    let measures = measure(&puzzles, args)?;
    if args.json {
        let mut tables = json!({ "own_line": as_json(&measures.own) });
        for (measure, (name, _)) in measures.engine.iter().flatten().zip(LINES) {
            tables[name] = as_json(measure);
        }
        print_line(&tables.to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    let heading = format!("{} puzzles, on their own lines", puzzles.len());
    print_line(&as_text(&measures.own, &heading))?;
    for (measure, (_, lines)) in measures.engine.iter().flatten().zip(LINES) {
        let nodes = args.nodes.unwrap_or_default();
        let heading = format!("\n{} puzzles, on {lines} with {nodes} nodes", puzzles.len());
        print_line(&as_text(measure, &heading))?;
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

/// Agreement on the puzzles' own lines and, with nodes, on the lines of the engine as [`LINES`] has them.
struct Measures {
    own: Measure,
    engine: Option<[Measure; 3]>,
}

impl Measures {
    fn new(has_engine: bool) -> Self {
        Self { own: Measure::default(), engine: has_engine.then(Default::default) }
    }
}

/// Measures all puzzles on all cores.
fn measure(puzzles: &[Puzzle], args: &Args) -> Result<Measures, Failure> {
    let threads = processors();
    let next = AtomicUsize::new(0);
    let analysts = (0..threads).map(|_| args.nodes.map(|nodes| args.analyst(nodes)).transpose());
    let analysts = analysts.collect::<Result<Vec<_>, String>>()?;
    let bar = LateBar::new("puzzles");
    let has_engine = args.nodes.is_some() && !args.own_lines;
    let mut total = Measures::new(has_engine);
    thread::scope(|scope| {
        let (bar, next) = (&bar, &next);
        let parts = analysts
            .into_iter()
            .map(|analyst| scope.spawn(move || measure_part(puzzles, next, analyst, has_engine, bar)));
        for part in parts.collect::<Vec<_>>() {
            let part = part.join().expect("a measuring thread does not panic");
            total.own.merge(&part.own);
            if let (Some(total), Some(part)) = (&mut total.engine, &part.engine) {
                total.iter_mut().zip(part).for_each(|(total, part)| total.merge(part));
            }
        }
    });
    bar.finish();
    Ok(total)
}

/// Measures puzzles until none is left.
fn measure_part(
    puzzles: &[Puzzle],
    next: &AtomicUsize,
    mut analyst: Option<EngineAnalyst>,
    has_engine: bool,
    bar: &LateBar,
) -> Measures {
    let mut measures = Measures::new(has_engine);
    while let Some((at, puzzle)) =
        Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, puzzles.get(at)?)))
    {
        if analyst.is_some() {
            bar.set(at, puzzles.len());
        }
        measures.own.add(puzzle, &own_kinds(puzzle, analyst.as_mut()));
        if let (Some(analyst), Some(engine)) = (&mut analyst, &mut measures.engine) {
            analyst.clear();
            let claimed = engine_kinds(puzzle, analyst).unwrap_or_default();
            engine.iter_mut().zip(&claimed).for_each(|(measure, kinds)| measure.add(puzzle, kinds));
        }
    }
    measures
}

/// The kinds in the puzzle's own line; zugzwang needs searches.
fn own_kinds(puzzle: &Puzzle, analyst: Option<&mut EngineAnalyst>) -> Vec<ClaimKind> {
    let mut found = kinds(puzzle, &puzzle.solution);
    if let Some(analyst) = analyst {
        analyst.clear();
        if has_zugzwang(puzzle, std::slice::from_ref(&puzzle.solution), analyst) {
            found.push(ClaimKind::Zugzwang);
        }
    }
    found
}

fn as_text(measure: &Measure, heading: &str) -> String {
    let share = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{share:.3}"));
    let mut lines = vec![
        heading.to_owned(),
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
fn list_differences(puzzles: &[Puzzle], theme: &str, args: &Args) -> Finish {
    let known = THEMES.iter().find(|(name, _)| *name == theme);
    let (_, kind) = known.ok_or_else(|| {
        let names: Vec<_> = THEMES.iter().map(|(name, _)| *name).collect();
        format!("{theme:?} stands for no claim; themes that do are {}", names.join(", "))
    })?;
    let mut analyst = args.nodes.map(|nodes| args.analyst(nodes)).transpose()?;
    for puzzle in puzzles {
        let mut engine = analyst.as_mut();
        let found = match engine.as_deref_mut().filter(|_| !args.own_lines) {
            None => own_kinds(puzzle, engine.as_deref_mut()),
            Some(analyst) => {
                analyst.clear();
                let [main, ..] = engine_kinds(puzzle, analyst).unwrap_or_default();
                main
            }
        };
        let has_claim = found.contains(kind);
        if has_claim != puzzle.has(theme) {
            print_line(&difference(puzzle, *kind, has_claim))?;
            let engine = engine.filter(|_| !args.own_lines);
            let lines = engine.and_then(|analyst| engine_lines(puzzle, analyst)).unwrap_or_default();
            for line in lines.forced().into_iter().filter(|line| !line.is_empty()) {
                print_line(&format!("\tengine: {}", variation::to_san(&puzzle.start, &line)))?;
            }
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
