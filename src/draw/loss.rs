//! The picture of a training: the losses of the training set and of the validation set by step, from the trainer's log.

use std::path::PathBuf;

use rukh_lab::plot::{Chart, Series, Shape, svg};

use crate::text::read_text;

/// Draw the loss curves of a training from what rukh-train printed
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The output of rukh-train, saved as a file
    #[arg(value_name = "FILE")]
    log: PathBuf,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
The log is what rukh-train prints: a line for each part of a training, with both losses.

Examples:
  rukh draw loss train.log --out loss.svg
  rukh draw loss docs/guide/data/train.log > loss.svg";

/// The losses after a part of a training.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Losses {
    step: f64,
    training: f64,
    validation: f64,
}

/// The picture.
pub(super) fn draw(args: &Args) -> Result<String, String> {
    let text = read_text(&args.log)?;
    let parts: Vec<Losses> = text.lines().filter_map(losses).collect();
    if parts.is_empty() {
        return Err(format!(
            "{} has no losses; lines of rukh-train such as \"step 500: training loss 0.004, validation loss 0.004\" are expected",
            args.log.display()
        ));
    }
    let series = |name: &str, loss: fn(&Losses) -> f64| Series {
        name: name.to_owned(),
        points: parts.iter().map(|part| (part.step, loss(part))).collect(),
    };
    let series = vec![series("training", |part| part.training), series("validation", |part| part.validation)];
    Ok(svg(&[Chart { title: "loss by step".to_owned(), shape: Shape::Line, series }], 1))
}

/// The losses of a line of the log; `None` if it has none.
fn losses(line: &str) -> Option<Losses> {
    let (step, rest) = line.trim().strip_prefix("step")?.split_once(':')?;
    let value = |name: &str| {
        let text = rest.split(',').find_map(|part| part.trim().strip_prefix(name))?;
        text.trim().parse::<f64>().ok().filter(|loss| loss.is_finite())
    };
    Some(Losses {
        step: step.trim().parse().ok()?,
        training: value("training loss")?,
        validation: value("validation loss")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_the_trainer_are_read() {
        let line = "step    2000: training loss 0.004551, validation loss 0.004407, 3.77 million positions a second, 47 training positions";
        let expected = Losses { step: 2000.0, training: 0.004551, validation: 0.004407 };
        assert_eq!(losses(line), Some(expected));
        assert_eq!(losses("12 games: 5 training positions"), None);
        assert_eq!(losses("step 5: training loss nan, validation loss 1"), None);
    }
}
