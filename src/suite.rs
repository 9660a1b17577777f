//! `rukh suite`: test suites, positions with known best moves.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use rukh_engine::api::{Bound, LineInfo};
use rukh_eval::ScoreKind;
use rukh_lab::mates::{Claim, MateTally};
use rukh_lab::suites::{FULL_POINTS, Problem, Tally, ThemeTally};
use serde_json::{Value, json};

use crate::finish::{Failure, Finish};
use crate::output::print_line;
use crate::progress::LateBar;
use crate::searching::{SearchArgs, search};
use crate::text::read_text;

/// Solve a test suite in EPD: best moves, moves to avoid, mates, points
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The suite (EPD)
    file: PathBuf,

    #[command(flatten)]
    search: SearchArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Without a limit each position is searched for one second. The answers are in the operations bm (best moves), am (moves to
avoid), dm (mate in N moves) and c0 (points for moves).

Examples:
  rukh suite wac.epd
  rukh suite wac.epd --movetime 5000 --threads 2 --hash 256
  rukh suite mates.epd --nodes 1000000 --json";

/// The time for each position without a limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    let problems = read(&args.file)?;
    let mut engine = args.search.engine(1)?;
    let bar = LateBar::new("positions");
    let (mut tally, mut mates, mut failures) = (Tally::default(), MateTally::default(), Vec::new());
    for (done, problem) in problems.iter().enumerate() {
        bar.set(done, problems.len());
        engine.clear();
        let mut limits = args.search.limits(DEFAULT_TIME);
        limits.mate = problem.mate();
        let (best, lines) = search(&mut engine, &problem.position, &limits);
        let claims = lines.iter().filter_map(claim).collect::<Vec<_>>();
        let mate_in = lines.last().and_then(claim).map(|claim| claim.moves);
        mates.add(problem, &claims, mate_in.is_some());
        let points = problem.grade(best, mate_in);
        tally.add(problem.theme(), points);
        if points < FULL_POINTS {
            let played = best.map_or_else(|| "nothing".to_owned(), |best| problem.position.san(best));
            if !args.json {
                let solution = problem.solution();
                bar.print_line(&format!("{}: {played}, not {solution} ({points} points)", problem.id))?;
            }
            failures
                .push(json!({ "id": problem.id, "line": problem.line, "played": played, "points": points }));
        }
    }
    let time = bar.finish();
    if args.json {
        print_line(&as_json(&tally, &mates, &failures, time).to_string())?;
    } else {
        if let Some(line) = mates_line(&mates) {
            print_line(&line)?;
        }
        print_line(&table(&tally))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The positions of a file.
fn read(file: &Path) -> Result<Vec<Problem>, Failure> {
    let text = read_text(file)?;
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let problem = Problem::read(number, line);
        problems.push(problem.map_err(|error| format!("{}, line {number}: {error}", file.display()))?);
    }
    if problems.is_empty() {
        return Err(format!("{} has no positions", file.display()).into());
    }
    Ok(problems)
}

/// The result as one object.
fn as_json(tally: &Tally, mates: &MateTally, failures: &[Value], time: Duration) -> Value {
    let total = tally.total();
    json!({
        "problems": total.problems, "solved": total.solved, "points": total.points,
        "failures": failures, "seconds": time.as_secs_f64(),
        "mates": {
            "problems": mates.problems, "found": mates.found, "claims": mates.claims,
            "not_shown": mates.not_shown, "contradicted": mates.contradicted,
        },
    })
}

/// The mate that a line announces. A bound announces none.
fn claim(line: &LineInfo) -> Option<Claim<'_>> {
    match line.score.kind() {
        ScoreKind::Mate(moves) if line.bound == Bound::Exact => Some(Claim { moves, line: &line.pv }),
        _ => None,
    }
}

/// The mates that were announced, if there were any.
fn mates_line(mates: &MateTally) -> Option<String> {
    let MateTally { problems, found, claims, not_shown, contradicted } = mates;
    (problems + claims > 0).then(|| {
        format!(
            "mates: {found} of {problems} found, of any length; {claims} lines with a mate score, \
             {not_shown} of them incomplete, {contradicted} contradicted by the answer"
        )
    })
}

/// A row for each theme and one for all positions.
fn table(tally: &Tally) -> String {
    let mut lines =
        vec![format!("{:<40} {:>8} {:>8} {:>8} {:>8}", "theme", "problems", "solved", "points", "of 100")];
    let row = |name: &str, theme: ThemeTally| {
        let mean = f64::from(theme.points) / f64::from(theme.problems.max(1));
        format!("{name:<40} {:>8} {:>8} {:>8} {mean:>8.1}", theme.problems, theme.solved, theme.points)
    };
    let themes = tally.themes().collect::<Vec<_>>();
    if themes.len() > 1 {
        lines.extend(themes.iter().map(|&(name, theme)| row(name, theme)));
    }
    lines.push(row("all", tally.total()));
    lines.join("\n")
}
