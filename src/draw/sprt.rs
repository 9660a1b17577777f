//! The picture of a sequential test: the log-likelihood ratio over the pairs of games, with its bounds, from a state file.

use std::path::PathBuf;

use rukh_lab::arena::{Standings, read_journal};
use rukh_lab::plot::{Chart, Series, Shape, svg};
use rukh_lab::stats::Sprt;

use crate::arena::TestArgs;

/// Draw the log-likelihood ratio of a sequential test over its games
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The state file of a match, an SPRT or a workshop SPRT
    #[arg(value_name = "FILE")]
    state: PathBuf,

    #[command(flatten)]
    test: TestArgs,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
The state file has the games; the hypotheses are those of the command. Each encounter has a curve.

Examples:
  rukh sprt --engine cmd=./new --engine cmd=./old --nodes 5000 --openings book.epd --state test.state
  rukh draw sprt test.state --elo0 0 --elo1 5 --out test.svg";

/// The picture.
pub(super) fn draw(args: &Args) -> Result<String, String> {
    let sprt = args.test.sprt()?;
    let journal = read_journal(&args.state).map_err(|error| format!("{}: {error}", args.state.display()))?;
    if journal.results.is_empty() {
        return Err(format!("{} has no finished game", args.state.display()));
    }
    let mut standings = Standings::new(&journal.schedule, journal.names.len());
    let mut curves = vec![vec![(0.0, 0.0)]; journal.schedule.encounters().len()];
    for result in &journal.results {
        standings.add(result);
        let encounter = result.fixture.encounter;
        let pairs = standings.encounters()[encounter].pairs;
        let games = 2.0 * pairs.count() as f64;
        let curve = &mut curves[encounter];
        // A game that does not complete a pair adds nothing.
        if curve.last().is_some_and(|&(before, _)| games > before) {
            curve.push((games, sprt.hypotheses.log_likelihood_ratio(&pairs)));
        }
    }
    let name = |&(first, second): &(usize, usize)| {
        format!("{} against {}", journal.names[first], journal.names[second])
    };
    let names: Vec<String> = journal.schedule.encounters().iter().map(name).collect();
    Ok(svg(&[chart(&sprt, names, curves)], 1))
}

fn chart(sprt: &Sprt, names: Vec<String>, curves: Vec<Vec<(f64, f64)>>) -> Chart {
    let (lower, upper) = sprt.bounds();
    let end = curves.iter().flatten().map(|point| point.0).fold(0.0, f64::max);
    let bound = |name: &str, at: f64| Series { name: name.to_owned(), points: vec![(0.0, at), (end, at)] };
    let bounds = [bound("failed", lower), bound("passed", upper)];
    let curves = names.into_iter().zip(curves).map(|(name, points)| Series { name, points });
    let series = curves.chain(bounds).collect();
    let hypotheses = sprt.hypotheses;
    let title = format!("LLR by games, [{}, {}] Elo", hypotheses.elo0, hypotheses.elo1);
    Chart { title, shape: Shape::Line, series }
}

#[cfg(test)]
mod tests {
    use rukh_lab::stats::{Hypotheses, Model};

    use super::*;

    #[test]
    fn the_bounds_are_drawn_beside_the_curve() {
        let hypotheses = Hypotheses { model: Model::Normalised, elo0: 0.0, elo1: 5.0 };
        let sprt = Sprt { hypotheses, alpha: 0.05, beta: 0.05 };
        let chart = chart(&sprt, vec!["new against old".to_owned()], vec![vec![(0.0, 0.0), (40.0, 1.5)]]);
        let names: Vec<_> = chart.series.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(names, ["new against old", "failed", "passed"]);
        assert_eq!(chart.title, "LLR by games, [0, 5] Elo");
        let passed = &chart.series[2].points;
        assert!((passed[1].1 - 2.944).abs() < 0.001 && passed[1].0 == 40.0, "{passed:?}");
    }
}
