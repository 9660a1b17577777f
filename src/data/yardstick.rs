//! `rukh data yardstick`: how well evaluations and searches agree with deep labels.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rukh_chess::Position;
use rukh_eval::{Evaluation, Network};
use rukh_lab::arena::{Control, Entrant};
use rukh_lab::labelled::LabelledPosition;
use rukh_lab::yardstick::{self, Measure, Phase, Report};
use serde_json::{Value, json};

use crate::arena::entrants;
use crate::finish::{Failure, Finish};
use crate::interrupt;
use crate::output::{NewFile, print_line};
use crate::progress::LateBar;

/// Measure evaluations and searches against deep labels
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Labels (.rkl), or tables with the columns fen, win, draw and loss
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// A network to measure; may be given more than once [default: the one that is built in]
    #[arg(long = "network", value_name = "NET")]
    networks: Vec<PathBuf>,

    /// Measure the classical evaluation
    #[arg(long)]
    classical: bool,

    /// Measure searches of so many nodes instead of static evaluations
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: Option<u64>,

    /// Measure the static evaluation of a UCI engine with the command `eval`: cmd=PROGRAM,option.NAME=VALUE
    #[arg(long, value_name = "ENGINE", conflicts_with_all = ["networks", "classical", "nodes", "threads"])]
    engine: Vec<String>,

    /// Threads that search, each another position
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Write the positions of a file with the expected scores by one evaluation, to compare with those of a teacher
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,

    /// Print a JSON object for each file and evaluation
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
The squared error is that of the expected score (the probability to win and half of that to draw): by the evaluation, through the
logistic curve with the scale that fits best, against the label. The rank correlation is Spearman's. Both with their standard
errors, by phase, for labels by kind, and for all positions. The smaller the error, the better. One file alone misleads: look at played positions and at
those inside a search, and let games decide.

Phases go by the pieces beside pawns (24 are all): opening from 20, middlegame from 10, endgame below.

The last two examples make a yardstick of our own, and use it: positions drawn where the search evaluates, labelled by searches of
500,000 nodes. Nothing may learn from them, nor from the games they come from.

Examples:
  rukh data yardstick played.tsv perturbed.tsv
  rukh data yardstick played.tsv --network old.net --network new.net --classical
  rukh data yardstick played.tsv --nodes 5000 --threads 2
  rukh data yardstick played.tsv --engine cmd=stockfish --json
  rukh data yardstick played.tsv --values values.tsv
  rukh data rescore games.vf --out tree.rkl --played 0 --perturbed 0 --tree 1 --nodes 500000 --positions 20000 --threads 2
  rukh data yardstick tree.rkl";

/// Whose scores are measured.
enum Subject {
    Evaluation(String, Evaluation),
    Engine(Box<Entrant>),
}

impl Args {
    fn subjects(&self) -> Result<Vec<Subject>, String> {
        if !self.engine.is_empty() {
            // It is asked for no move, so the limit means nothing.
            let control = Control { nodes: Some(1), ..Control::default() };
            let read = |text: &String| Ok(Subject::Engine(Box::new(entrants::read(text, &control)?)));
            return self.engine.iter().map(read).collect();
        }
        let mut subjects = Vec::new();
        if self.classical {
            subjects.push(Subject::Evaluation("classical evaluation".to_owned(), Evaluation::Classical));
        }
        for path in &self.networks {
            let network = Evaluation::Network(Arc::new(Network::load(path)?));
            subjects.push(Subject::Evaluation(path.display().to_string(), network));
        }
        if subjects.is_empty() {
            subjects.push(Subject::Evaluation("built-in network".to_owned(), Evaluation::default()));
        }
        Ok(subjects)
    }
}

/// Runs the command.
pub(super) fn run(args: &Args) -> Finish {
    let subjects = args.subjects()?;
    if args.values.is_some() && (args.files.len(), subjects.len()) != (1, 1) {
        return Err("--values is for one file and one evaluation".to_owned().into());
    }
    let read = |path: &PathBuf| yardstick::read(path).map_err(|error| format!("{}: {error}", path.display()));
    // A bad file is reported before the first search.
    let files = args.files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let is_over = interrupt::flag();
    for (path, targets) in args.files.iter().zip(&files) {
        for subject in &subjects {
            let (name, scores) = scores(args, subject, targets, &is_over)?;
            let report = Report::new(targets, &scores);
            if report.total.count == 0 {
                return Err(format!("{name} has no evaluation of any position in {}", path.display()).into());
            }
            if let Some(path) = &args.values {
                write_values(path, targets, &report.expected(&scores))?;
            }
            if args.json {
                print_line(&as_json(path, &name, &report).to_string())?;
            } else {
                print_report(path, &name, &report)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The name of what is measured, and its scores.
fn scores(
    args: &Args,
    subject: &Subject,
    targets: &[LabelledPosition],
    is_over: &AtomicBool,
) -> Result<(String, Vec<Option<f64>>), Failure> {
    let positions = || targets.iter().map(|target| &target.position);
    match (subject, args.nodes) {
        (Subject::Evaluation(name, evaluation), None) => {
            Ok((name.clone(), yardstick::by_evaluation(evaluation, positions())))
        }
        (Subject::Evaluation(name, evaluation), Some(nodes)) => {
            let bar = LateBar::new("positions");
            let positions: Vec<&Position> = positions().collect();
            let on_position = |done| bar.set(done, targets.len());
            let threads = usize::from(args.threads);
            let scores = yardstick::by_search(evaluation, nodes, &positions, threads, is_over, on_position);
            let scores =
                scores.map_err(String::from)?.ok_or_else(|| Failure::Sentence("interrupted".to_owned()))?;
            Ok((format!("{name}, {nodes} nodes"), scores))
        }
        (Subject::Engine(entrant), _) => {
            let scores = yardstick::by_engine(entrant, positions());
            let scores = scores.map_err(|error| format!("the engine {:?}: {error}", entrant.name))?;
            Ok((entrant.name.clone(), scores))
        }
    }
}

/// Writes the positions that have an expected score.
fn write_values(path: &Path, targets: &[LabelledPosition], expected: &[Option<f64>]) -> Result<(), Failure> {
    let mut to = NewFile::create(path)?;
    to.write("fen\texpected score\n")?;
    for (target, expected) in targets.iter().zip(expected) {
        if let Some(expected) = expected {
            to.write(&format!("{}\t{expected:.6}\n", target.position))?;
        }
    }
    Ok(to.finish()?)
}

/// What was measured, by name.
fn rows(report: &Report) -> impl Iterator<Item = (&'static str, &Measure)> {
    let phases = Phase::ALL.into_iter().map(Phase::name).zip(&report.phases);
    let kinds = report.kinds.iter().map(|(kind, measure)| (kind.name(), measure));
    phases.chain(kinds).chain([("total", &report.total)])
}

/// A number with its standard error; of too few positions there is none.
fn with_deviation(number: f64, deviation: f64) -> String {
    if deviation.is_finite() { format!("{number:.5} ± {deviation:.5}") } else { "-".to_owned() }
}

fn print_report(path: &Path, name: &str, report: &Report) -> Result<(), Failure> {
    let without = match report.without_score {
        0 => String::new(),
        count => format!(", {count} positions without a score"),
    };
    print_line(&format!("{}: {name}, scale {:.1}{without}", path.display(), report.scale))?;
    print_line(&format!(
        "  {:<10} {:>9}   {:^17}   {:^17}",
        "", "positions", "squared error", "rank correlation"
    ))?;
    for (part, measure) in rows(report) {
        let error = with_deviation(measure.error, measure.error_deviation);
        let correlation = with_deviation(measure.correlation, measure.correlation_deviation);
        print_line(&format!("  {part:<10} {:>9}   {error:^17}   {correlation:^17}", measure.count))?;
    }
    Ok(())
}

fn as_json(path: &Path, name: &str, report: &Report) -> Value {
    let measured = rows(report).map(|(part, measure)| {
        let values = json!({
            "positions": measure.count,
            "error": measure.error, "error_deviation": measure.error_deviation,
            "correlation": measure.correlation, "correlation_deviation": measure.correlation_deviation,
        });
        (part.to_owned(), values)
    });
    let mut object: serde_json::Map<String, Value> = measured.collect();
    object.insert("file".to_owned(), json!(path.to_string_lossy()));
    object.insert("by".to_owned(), json!(name));
    object.insert("scale".to_owned(), json!(report.scale));
    object.insert("without_score".to_owned(), json!(report.without_score));
    Value::Object(object)
}
