//! `rukh tune`: SPSA, tuning of engine parameters by games.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use rukh_engine::params::{Tunable, settable, tunables};
use rukh_lab::arena::Duels;
use rukh_lab::ledger::{Ledger, LedgerError};
use rukh_lab::plot::{Chart, Shape, svg};
use rukh_lab::stats::{Parameter, Spsa, Tally};
use rukh_lab::tuning::{Tuning, as_options};
use serde_json::{Value as Json, json};

use crate::arena::conditions::Conditions;
use crate::arena::entrants;
use crate::finish::{Failure, Finish};
use crate::interrupt;
use crate::output::{NewFile, eprint_line, print_line};
use crate::progress::Long;
use crate::text::read_text;

/// Tune engine parameters by self-play games (SPSA)
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The engine, with the same keys as in `rukh match`
    #[arg(long, value_name = "KEY=VALUE,...", default_value = "cmd=self")]
    engine: String,

    /// Parameters to tune, one per line: name, int|float, value, min, max, c_end, r_end [default: the tunables of this engine]
    #[arg(long, value_name = "FILE")]
    parameters: Option<PathBuf>,

    /// Tune only parameters whose names begin with one of these words
    #[arg(long, value_name = "WORD,...", value_delimiter = ',')]
    only: Vec<String>,

    /// Number of iterations; each is a pair of games
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,

    #[command(flatten)]
    conditions: Conditions,

    /// Save the iterations in this state file and resume from it
    #[arg(long, value_name = "FILE")]
    state: PathBuf,

    /// Write a plot of the parameters (SVG), every 50 iterations and at the end
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
In each iteration all parameters are perturbed, each up or down at random. The two opposite settings play one opening with both
colours, and the parameters move towards the winner.

The tunables of this engine are options only in a build with the feature `tune`:
  make TUNE=yes

Examples:
  rukh tune --nodes 10000 --iterations 20000 --concurrency 2 --openings book.epd --random-order --state spsa.state
  rukh tune --only lmr,null --tc 2+0.02 --openings book.epd --state lmr.state --svg lmr.svg
  rukh tune --engine cmd=./other --parameters other.txt --nodes 5000 --state other.state";

/// How often the plot is written, in iterations.
const PLOT_INTERVAL: u64 = 50;

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    let parameters = parameters(args)?;
    let mut entrant = entrants::read(&args.engine, &args.conditions.control())?;
    let values: Vec<f64> = parameters.iter().map(|parameter| parameter.value).collect();
    entrant.options.extend(as_options(&parameters, &values));
    let tuning = Tuning {
        duels: Duels {
            entrant,
            adjudication: args.conditions.adjudication()?,
            patience: args.conditions.patience(),
        },
        book: args.conditions.book()?,
        concurrency: args.conditions.concurrency(),
    };
    tuning.duels.check_engines().map_err(|unfit| unfit.to_string())?;
    if let Some(path) = &args.svg {
        // A path that cannot be written is refused before the work.
        NewFile::create(path)?;
    }
    let mut spsa = Spsa::new(parameters.clone(), args.iterations, args.conditions.seed());
    let mut course = Course::new(&parameters);
    let mut ledger = resume(args, &tuning, &mut spsa, &mut course)?;
    let mut bar =
        Long::new(args.iterations, "{elapsed_precise} [{bar:30}] {pos}/{len} iterations, {eta} left\n{msg}");
    bar.begin_at(spsa.iteration);
    let is_over = interrupt::flag();
    let start = Instant::now();
    let mut failure = None;
    let tuned = tuning.run(&mut spsa, &is_over, |spsa, iteration| {
        iteration.faults.iter().for_each(|fault| bar.suspend(|| eprint_line(fault)));
        course.add(iteration.tally, spsa);
        bar.set(spsa.iteration, || course.message(spsa));
        let kept = ledger
            .add(&line(spsa, &iteration.tally).to_string())
            .map_err(|error| format!("cannot write {}: {error}", args.state.display()));
        let drawn = match &args.svg {
            Some(path) if spsa.iteration.is_multiple_of(PLOT_INTERVAL) => {
                NewFile::replace(path, &course.plot())
            }
            _ => Ok(()),
        };
        failure = kept.and(drawn).err();
        if failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    drop(bar);
    if let Some(failure) = tuned.err().map(|unfit| unfit.to_string()).or(failure) {
        return Err(failure.into());
    }
    if let Some(path) = &args.svg {
        NewFile::replace(path, &course.plot())?;
    }
    report(args, &spsa, &parameters, &course, start)?;
    Ok(ExitCode::SUCCESS)
}

/// Opens the state file and restores the last iteration.
fn resume(args: &Args, tuning: &Tuning, spsa: &mut Spsa, course: &mut Course) -> Result<Ledger, String> {
    let path = args.state.display();
    let (ledger, lines) =
        Ledger::open(&args.state, &header(tuning, spsa)).map_err(|error| format!("{path}: {error}"))?;
    for (number, line) in (2..).zip(&lines) {
        let tally =
            read_line(line, spsa).ok_or_else(|| format!("{path}: {}", LedgerError::Broken(number)))?;
        course.add(tally, spsa);
    }
    Ok(ledger)
}

/// The parameters to tune.
fn parameters(args: &Args) -> Result<Vec<Parameter>, String> {
    let all: Vec<Parameter> = match &args.parameters {
        Some(path) => {
            let text = read_text(path)?;
            let lines = (1..).zip(text.lines().map(str::trim));
            let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
            let read = |(number, line): (usize, &str)| {
                line.parse().map_err(|error| format!("{}: line {number}: {error}", path.display()))
            };
            lines.map(read).collect::<Result<_, _>>()?
        }
        None if args.engine == "cmd=self" && settable().next().is_none() => {
            return Err("the tunables are constants in this build: make TUNE=yes builds them as options; \
                        or name an --engine and its --parameters"
                .to_owned());
        }
        None => {
            let read = |tunable: &Tunable| tunable.to_string().parse().map_err(|error| format!("{error}"));
            tunables().map(read).collect::<Result<_, _>>()?
        }
    };
    let is_meant = |parameter: &Parameter| {
        args.only.is_empty() || args.only.iter().any(|word| parameter.name.starts_with(word))
    };
    let meant: Vec<Parameter> = all.into_iter().filter(is_meant).collect();
    if meant.is_empty() { Err("no parameter to tune has such a name".to_owned()) } else { Ok(meant) }
}

/// What defines a tuning run, for the header of its state file.
fn header(tuning: &Tuning, spsa: &Spsa) -> Json {
    json!({
        "kind": "tune",
        "parameters": spsa.parameters.iter().map(Parameter::to_string).collect::<Vec<_>>(),
        "engine": tuning.duels.entrant.to_json(),
        "iterations": spsa.iterations,
        "seed": spsa.seed,
        "adjudication": tuning.duels.adjudication.to_json(),
        "openings": tuning.book.fingerprint(),
    })
}

/// An iteration as a line of the state file.
fn line(spsa: &Spsa, tally: &Tally) -> Json {
    let values: Vec<f64> = spsa.parameters.iter().map(|parameter| parameter.value).collect();
    json!({ "iteration": spsa.iteration, "games": [tally.wins, tally.draws, tally.losses], "values": values })
}

/// Reads what [`line()`] wrote and sets `spsa` to it.
fn read_line(line: &str, spsa: &mut Spsa) -> Option<Tally> {
    let json: Json = serde_json::from_str(line).ok()?;
    let games = |place: usize| json["games"][place].as_u64();
    let tally = Tally { wins: games(0)?, draws: games(1)?, losses: games(2)? };
    let values: Vec<f64> = json["values"].as_array()?.iter().map(Json::as_f64).collect::<Option<_>>()?;
    (values.len() == spsa.parameters.len()).then_some(())?;
    // Iterations are saved in order.
    (json["iteration"] == spsa.iteration + 1).then_some(())?;
    spsa.iteration += 1;
    spsa.parameters.iter_mut().zip(values).for_each(|(parameter, value)| parameter.value = value);
    Some(tally)
}

/// The course of the parameters.
struct Course {
    start: Vec<Parameter>,
    points: Vec<Vec<(f64, f64)>>,
    games: u64,
}

impl Course {
    fn new(start: &[Parameter]) -> Self {
        let points = start.iter().map(|parameter| vec![(0.0, parameter.value)]).collect();
        Self { start: start.to_vec(), points, games: 0 }
    }

    fn add(&mut self, tally: Tally, spsa: &Spsa) {
        self.games += tally.games();
        for (points, parameter) in self.points.iter_mut().zip(&spsa.parameters) {
            points.push((spsa.iteration as f64, parameter.value));
        }
    }

    /// The parameters that moved most, in units of their perturbation.
    fn message(&self, spsa: &Spsa) -> String {
        const SHOWN: usize = 4;
        let moved = |place: &usize| {
            let (before, now) = (&self.start[*place], &spsa.parameters[*place]);
            ((now.value - before.value) / before.c_end).abs()
        };
        let mut places: Vec<usize> = (0..self.start.len()).collect();
        places.sort_by(|a, b| moved(b).total_cmp(&moved(a)));
        let shown = places.iter().take(SHOWN).map(|&place| {
            let (before, now) = (&self.start[place], &spsa.parameters[place]);
            format!("{} {:.1} (from {})", now.name, now.value, before.value)
        });
        format!("{} games; most moved: {}", self.games, shown.collect::<Vec<_>>().join(", "))
    }

    /// A plot of each parameter.
    fn plot(&self) -> String {
        /// More points cannot be seen.
        const POINTS: usize = 400;
        const COLUMNS: usize = 4;
        let chart = |(parameter, points): (&Parameter, &Vec<(f64, f64)>)| {
            let step = points.len().div_ceil(POINTS).max(1);
            let shown = points.iter().copied().step_by(step).chain(points.last().copied()).collect();
            Chart::of(parameter.name.clone(), Shape::Line, shown)
        };
        let charts: Vec<Chart> = self.start.iter().zip(&self.points).map(chart).collect();
        svg(&charts, COLUMNS)
    }
}

fn report(
    args: &Args,
    spsa: &Spsa,
    before: &[Parameter],
    course: &Course,
    start: Instant,
) -> Result<(), Failure> {
    if args.json {
        let values = spsa.parameters.iter().map(|parameter| (parameter.name.clone(), json!(parameter.value)));
        let values: serde_json::Map<_, _> = values.collect();
        return print_line(
            &json!({
                "iterations": spsa.iteration, "of": spsa.iterations, "games": course.games,
                "seconds": start.elapsed().as_secs_f64(), "values": values,
            })
            .to_string(),
        );
    }
    print_line(&format!("{} of {} iterations, {} games", spsa.iteration, spsa.iterations, course.games))?;
    for (parameter, before) in spsa.parameters.iter().zip(before) {
        let declared = tunables().find(|tunable| args.parameters.is_none() && tunable.name == parameter.name);
        let line = match declared {
            Some(Tunable { name, min, max, step, .. }) => {
                format!("{name} = {} in {min}..={max} step {step};", parameter.value.round())
            }
            None => parameter.to_string(),
        };
        print_line(&format!("{line:<72} // from {}", before.value))?;
    }
    if !spsa.is_over() {
        eprint_line("interrupted; the same command resumes from here");
    }
    Ok(())
}
