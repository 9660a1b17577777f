//! `rukh workshop speed`: the speed of programs as a ratio, measured by turns.

use std::process::ExitCode;

use rukh_chess::Position;
use rukh_engine::bench;
use rukh_lab::arena::{Control, Entrant};
use rukh_lab::workshop::{SpeedTrial, Speeds};
use serde_json::json;

use super::contestants::contestants;
use super::report::Report;
use crate::finish::Finish;
use crate::interrupt;
use crate::output::{eprint_line, print_line};
use crate::progress::LateBar;

/// Compare the speed of programs: each position is searched by all of them within a moment
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The program that the others are compared with, with the same keys as in `rukh match`
    #[arg(long, value_name = "KEY=VALUE,...", default_value = "cmd=self,name=base")]
    base: String,

    /// Another program or other options; give it once for each
    #[arg(long = "candidate", value_name = "KEY=VALUE,...")]
    candidates: Vec<String>,

    /// Nodes of one search
    #[arg(long, default_value = "40000", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// How often each of the fifty positions of the bench is searched
    #[arg(long, default_value = "6", value_parser = clap::value_parser!(u16).range(1..=1000))]
    rounds: u16,

    /// Seed of the order of programs
    #[arg(long, default_value = "1")]
    seed: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
All programs run on one thread unless option.Threads says otherwise, one search at a time. The ratio is the geometric mean over single
searches, a tenth at either end left out, with its 95% interval. The same program twice differs by half a percent at times: its
memory lies elsewhere. Two builds of the same search show the same nodes in `rukh bench`; between different searches the ratio is that
of nodes a second.

Examples:
  rukh workshop speed --base cmd=./old --candidate cmd=./new
  rukh workshop speed --candidate name=classical,option.Evaluation=classical --rounds 2 --json";

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> Finish {
    let control = Control { nodes: Some(args.nodes), ..Control::default() };
    let entrants = contestants(&args.base, &args.candidates, &control)?;
    let positions: Vec<Position> = bench::POSITIONS
        .iter()
        .map(|fen| fen.parse().expect("the positions of the bench are valid"))
        .collect();
    let rounds = usize::from(args.rounds);
    let trial =
        SpeedTrial { entrants: &entrants, positions: &positions, nodes: args.nodes, rounds, seed: args.seed };
    let is_over = interrupt::flag();
    let bar = LateBar::new("positions");
    let speeds = trial.run(&is_over, |done| bar.set(done, rounds * positions.len()));
    bar.finish();
    let speeds = speeds.map_err(|error| error.to_string())?;
    let report = report(&entrants, args.nodes, &speeds);
    print_line(&if args.json { report.json.to_string() } else { report.text() })?;
    if speeds.count() < rounds * positions.len() {
        eprint_line("interrupted; the table has the searches until then");
    }
    Ok(ExitCode::SUCCESS)
}

fn report(entrants: &[Entrant], nodes: u64, speeds: &Speeds) -> Report {
    let numbered = || entrants.iter().enumerate();
    let row = |(program, entrant): (usize, &Entrant)| {
        let ratio = speeds.ratio(program);
        let thousands = speeds.nodes_per_second(program) / 1000.0;
        vec![
            entrant.name.clone(),
            format!("{thousands:.0}"),
            ratio.map_or_else(String::new, |found| format!("{:.3} ± {:.3}", found.ratio, found.error)),
            ratio.map_or_else(String::new, |found| format!("{:.3}", found.of_fastest)),
        ]
    };
    let json = |(program, entrant): (usize, &Entrant)| {
        let ratio = speeds.ratio(program);
        json!({
            "name": entrant.name,
            "nps": speeds.nodes_per_second(program),
            "ratio": ratio.map(|found| found.ratio),
            "error": ratio.map(|found| found.error),
            "ratio_of_fastest": ratio.map(|found| found.of_fastest),
        })
    };
    let note = format!("{} searches of {nodes} nodes by each program, by turns.", speeds.count());
    Report {
        title: "Workshop: a comparison of speed",
        conditions: note.clone(),
        head: vec!["program", "thousand nodes a second", "speed", "by the fastest searches"],
        rows: numbered().map(row).collect(),
        notes: vec![note],
        json: json!({
            "workshop": "speed",
            "nodes": nodes,
            "searches": speeds.count(),
            "programs": numbered().map(json).collect::<Vec<_>>(),
        }),
    }
}
