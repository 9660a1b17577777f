//! The picture of a ladder: rungs, each measured against the one below, with the strength that adds up.

use std::path::PathBuf;

use rukh_lab::plot::{Chart, Series, Shape, svg};
use serde_json::Value as Json;

use crate::text::read_text;

/// Draw a ladder of strength: levels or versions, each measured against the one before
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// One JSON object a line: the output of `rukh levels --neighbours --json`, or objects with rung, elo and error
    #[arg(value_name = "FILE")]
    steps: PathBuf,

    /// The title
    #[arg(long, default_value = "Elo, each rung against the one before")]
    title: String,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
A rung is a number on the horizontal axis. Its Elo is the difference to the rung before it; the sum is drawn, with the 95% limits
of the sum. A line of other measurements: {\"rung\": 2, \"elo\": 52.5, \"error\": 30.0}

Examples:
  rukh levels --elo 800,1200,1600,2000 --neighbours --nodes 200000 --openings book.epd --json > levels.jsonl
  rukh draw ladder levels.jsonl --out levels.svg";

/// A rung with its difference to the one before.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Step {
    from: Option<f64>,
    rung: f64,
    elo: f64,
    error: f64,
}

/// The picture.
pub(super) fn draw(args: &Args) -> Result<String, String> {
    let text = read_text(&args.steps)?;
    let mut steps = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let read = serde_json::from_str(line).ok().and_then(|json| step(&json));
        steps.push(read.ok_or_else(|| {
            format!(
                "{}, line {number}: a JSON object with rung, elo and error is expected",
                args.steps.display()
            )
        })?);
    }
    if steps.is_empty() {
        return Err(format!("{} has no rung", args.steps.display()));
    }
    Ok(svg(&[chart(&args.title, &steps)], 1))
}

/// Reads a step: of a level, whose opponent is the next level, or of a rung.
fn step(json: &Json) -> Option<Step> {
    let (elo, error) = (json["elo"].as_f64()?, json["error"].as_f64()?);
    match (json["level"].as_f64(), json["own"].as_f64()) {
        // A level is measured against the next, so that its Elo is that of the lower one.
        (Some(level), Some(next)) => Some(Step { from: Some(level), rung: next, elo: -elo, error }),
        _ => Some(Step { from: None, rung: json["rung"].as_f64()?, elo, error }),
    }
}

fn chart(title: &str, steps: &[Step]) -> Chart {
    let start = steps[0].from.map(|level| (level, 0.0));
    let (mut sum, mut variance) = (0.0, 0.0_f64);
    let mut middle: Vec<(f64, f64)> = start.into_iter().collect();
    let (mut low, mut high) = (middle.clone(), middle.clone());
    for step in steps {
        sum += step.elo;
        // Errors of independent matches add up as squares.
        variance += step.error * step.error;
        middle.push((step.rung, sum));
        low.push((step.rung, sum - variance.sqrt()));
        high.push((step.rung, sum + variance.sqrt()));
    }
    let named = |name: &str, points| Series { name: name.to_owned(), points };
    let series = vec![named("measured", middle), named("lower limit", low), named("upper limit", high)];
    Chart { title: title.to_owned(), shape: Shape::Line, series }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn steps_add_up_and_their_errors_as_squares() {
        let steps = [
            json!({"level": 800, "own": 1200, "elo": -300.0, "error": 30.0}),
            json!({"level": 1200, "own": 1600, "elo": -200.0, "error": 40.0}),
        ];
        let steps: Vec<_> = steps.iter().map(|json| step(json).expect("it is a step")).collect();
        let chart = chart("t", &steps);
        assert_eq!(chart.series[0].points, [(800.0, 0.0), (1200.0, 300.0), (1600.0, 500.0)]);
        assert_eq!(chart.series[1].points[2], (1600.0, 450.0));
        assert_eq!(chart.series[2].points[2], (1600.0, 550.0));
        let rung = step(&json!({"rung": 2, "elo": 52.5, "error": 30.0}));
        assert_eq!(rung, Some(Step { from: None, rung: 2.0, elo: 52.5, error: 30.0 }));
        assert_eq!(step(&json!({"rung": 2, "elo": null, "error": 1.0})), None);
    }
}
