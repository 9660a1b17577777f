//! The picture of expert iteration: Elo and losses by round, from the lines that scripts/expert writes.

use std::path::PathBuf;

use rukh_lab::plot::{Chart, Series, Shape, svg};
use serde_json::Value as Json;

use crate::text::read_text;

/// Draw the curve of expert iteration: Elo, policy loss and value loss by round
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// One JSON object a line: the file rounds.jsonl of scripts/expert
    #[arg(value_name = "FILE")]
    rounds: PathBuf,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
A line: {\"round\": 2, \"elo\": 52.5, \"error\": 30.0, \"policy_loss\": 2.31, \"value_loss\": 0.61}. Elo is the difference to the round
before; the sum is drawn, with the 95% limits of the sum. What a round has not measured may be left out.

Examples:
  rukh draw rounds data/expert/rounds.jsonl --out rounds.svg";

/// What is known of a round.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Round {
    number: f64,
    elo: Option<f64>,
    error: Option<f64>,
    policy_loss: Option<f64>,
    value_loss: Option<f64>,
}

/// The picture.
pub(super) fn draw(args: &Args) -> Result<String, String> {
    let text = read_text(&args.rounds)?;
    let mut rounds = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let read = serde_json::from_str(line).ok().and_then(|json| round(&json));
        rounds.push(read.ok_or_else(|| {
            format!(
                "{}, line {number}: a JSON object with the number of a round is expected",
                args.rounds.display()
            )
        })?);
    }
    let charts = charts(&rounds);
    if charts.is_empty() {
        return Err(format!("{} has no round with a number to draw", args.rounds.display()));
    }
    Ok(svg(&charts, charts.len()))
}

fn round(json: &Json) -> Option<Round> {
    let number = |name: &str| json[name].as_f64().filter(|number| number.is_finite());
    Some(Round {
        number: number("round")?,
        elo: number("elo"),
        error: number("error"),
        policy_loss: number("policy_loss"),
        value_loss: number("value_loss"),
    })
}

/// A chart for everything that was measured.
fn charts(rounds: &[Round]) -> Vec<Chart> {
    let (mut sum, mut variance) = (0.0, 0.0);
    let mut limits: [Vec<(f64, f64)>; 3] = Default::default();
    for &Round { number, elo, error, .. } in rounds {
        let Some(elo) = elo else { continue };
        if limits[0].is_empty() {
            limits.iter_mut().for_each(|points| points.push((number - 1.0, 0.0)));
        }
        sum += elo;
        variance += error.unwrap_or(0.0).powi(2);
        let width = f64::sqrt(variance);
        for (points, value) in limits.iter_mut().zip([sum, sum - width, sum + width]) {
            points.push((number, value));
        }
    }
    let names = ["Elo", "lower limit", "upper limit"];
    let series = names.into_iter().zip(limits).map(|(name, points)| Series { name: name.to_owned(), points });
    let elo = Chart {
        title: "Elo by round, each against the one before".to_owned(),
        shape: Shape::Line,
        series: series.collect(),
    };
    let loss = |title: &str, loss: fn(&Round) -> Option<f64>| {
        let points = rounds.iter().filter_map(|round| Some((round.number, loss(round)?)));
        Chart::of(title, Shape::Line, points.collect())
    };
    let policy = loss("policy loss of the validation set by round", |round| round.policy_loss);
    let value = loss("value loss of the validation set by round", |round| round.value_loss);
    let has_points = |chart: &Chart| chart.series.iter().any(|series| !series.points.is_empty());
    [elo, policy, value].into_iter().filter(has_points).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<Round> {
        round(&serde_json::from_str(line).expect("it is JSON"))
    }

    #[test]
    fn the_lines_of_the_loop_are_read_and_added_up() {
        let lines = [
            r#"{"round": 1, "elo": 30.0, "error": 3.0, "policy_loss": 2.5}"#,
            r#"{"round": 2, "elo": null, "policy_loss": 2.25}"#,
            r#"{"round": 3, "elo": 12.0, "error": 4.0, "seconds": 7}"#,
        ];
        let rounds: Vec<Round> = lines.iter().map(|line| read(line).expect("it is a round")).collect();
        let charts = charts(&rounds);
        assert_eq!(charts.len(), 2, "no value loss was measured");
        assert_eq!(charts[0].series[0].points, [(0.0, 0.0), (1.0, 30.0), (3.0, 42.0)]);
        assert_eq!(charts[0].series[1].points, [(0.0, 0.0), (1.0, 27.0), (3.0, 37.0)]);
        assert_eq!(charts[1].series[0].points, [(1.0, 2.5), (2.0, 2.25)]);
        assert_eq!(read(r#"{"elo": 3}"#), None);
    }
}
