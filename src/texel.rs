//! `rukh texel`: Texel tuning of the classical evaluation.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use rukh_lab::plot::{Chart, Series, Shape, svg};
use rukh_lab::texel::{Dataset, Epoch, Prepared, Tuner, TunerSettings, Weights, chance};
use serde_json::json;

use crate::finish::{Failure, Finish};
use crate::games::Games;
use crate::interrupt;
use crate::output::{NewFile, eprint_line, print_line};
use crate::text::{read_text, share};

/// Tune the classical evaluation by game results (Texel tuning)
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Games of `rukh selfplay` (.vf), or positions with results, one per line (.epd, .txt)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write the best weights to this file, after each epoch that improves them
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Start from these weights instead of those of this build
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Maximum number of positions
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    positions: usize,

    /// Use every Nth quiet position of a game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,

    /// Put every Nth game or line into the validation set
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..))]
    validate_every: u32,

    /// Weight of the search scores in the target, from 0 (results only) to 1 (scores only)
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    score_share: f64,

    /// Maximum number of epochs
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,

    /// Stop after so many epochs without improvement on the validation set
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    patience: u32,

    /// Learning rate: the largest change of a weight per step, in internal units
    #[arg(long, default_value_t = 0.5, value_parser = rate)]
    rate: f64,

    /// Number of batches per epoch
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..))]
    batches: u32,

    /// Number of threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Write a plot of the errors (SVG)
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Print a JSON object for each epoch, and one with the weights at the end
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
The weights are written as Rust source: paste them into crates/eval/src/hce/weights.rs, or continue from them with --from.
Ctrl-C ends the tuning with the best weights so far.

Examples:
  rukh texel games.vf --out weights.txt --threads 2 --svg errors.svg
  rukh texel quiet.epd --from weights.txt --out better.txt --rate 0.2";

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| *rate > 0.0 && *rate <= 100.0);
    rate.ok_or_else(|| format!("{text:?} is not a learning rate between 0 and 100 internal units"))
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    let is_over = interrupt::flag();
    let weights = match &args.from {
        Some(path) => {
            Weights::read(&read_text(path)?).map_err(|error| format!("{}: {error}", path.display()))?
        }
        None => Weights::of_play(),
    };
    for path in args.out.iter().chain(&args.svg) {
        // A path that cannot be written is refused before the work.
        NewFile::create(path)?;
    }
    let mut data = Dataset::new(args.positions, args.validate_every as usize);
    for path in &args.files {
        read(&mut data, path, args, &is_over)?;
    }
    if is_over.load(Ordering::Relaxed) {
        eprint_line("interrupted before the first epoch");
        return Ok(ExitCode::SUCCESS);
    }
    let mut tuner = tuner(data, args, weights)?;
    say(args, &format!("initial validation error: {:.6}", tuner.best().1))?;
    let mut epochs = Vec::new();
    while !tuner.is_over() && epochs.len() < args.epochs as usize && !is_over.load(Ordering::Relaxed) {
        let epoch = tuner.epoch();
        epochs.push(epoch);
        tell(args, &epoch)?;
        if epoch.is_best
            && let Some(path) = &args.out
        {
            NewFile::replace(path, &tuner.best().0.source())?;
        }
        if let Some(path) = &args.svg {
            NewFile::replace(path, &picture(&epochs))?;
        }
    }
    conclude(args, &tuner, epochs.iter().any(|epoch| epoch.is_best))?;
    Ok(ExitCode::SUCCESS)
}

fn conclude(args: &Args, tuner: &Tuner, is_better: bool) -> Result<(), Failure> {
    let (weights, error) = tuner.best();
    if args.json {
        return print_line(
            &json!({ "error": error, "is_better": is_better, "weights": weights.source() }).to_string(),
        );
    }
    print_line(&format!("final validation error: {error:.6}"))?;
    match &args.out {
        _ if !is_better => print_line("no improvement was found"),
        Some(path) => print_line(&format!("the weights are in {}", path.display())),
        None => print_line(&weights.source()),
    }
}

/// Games that are processed together.
const GAMES_AT_ONCE: usize = 2_000;

/// Reads a file until its end, until the dataset is full, or until an interrupt.
fn read(data: &mut Dataset, path: &Path, args: &Args, is_over: &AtomicBool) -> Result<(), String> {
    if path.extension().is_none_or(|extension| extension != "vf") {
        for (number, line) in (1..).zip(read_text(path)?.lines()) {
            if !line.trim().is_empty() && !data.is_full() {
                let position = line.parse();
                data.add_position(
                    position.map_err(|error| format!("{}: line {number}: {error}", path.display()))?,
                );
            }
        }
        return Ok(());
    }
    let mut games = Games::open(path)?;
    let mut some = Vec::new();
    let mut is_last = false;
    while !is_last && !data.is_full() && !is_over.load(Ordering::Relaxed) {
        let found = games.next()?;
        is_last = found.is_none();
        some.extend(found.map(|found| found.game));
        if is_last || some.len() == GAMES_AT_ONCE {
            data.add_games(&some, args.every as usize, usize::from(args.threads));
            some.clear();
        }
    }
    Ok(())
}

fn tuner(data: Dataset, args: &Args, weights: Weights) -> Result<Tuner, Failure> {
    let threads = usize::from(args.threads);
    let Some(prepared) = data.prepare(&weights, args.score_share, threads) else {
        return Err("there are too few positions for a training set and a validation set".to_owned().into());
    };
    let Prepared { training, validation, scale } = prepared;
    let (trained, validated, win) = (training.len(), validation.len(), 100.0 * chance(100.0, scale));
    say(
        args,
        &format!(
            "{trained} training positions, {validated} validation positions; 100 internal units are {win:.1}% (K = {scale:.6})"
        ),
    )?;
    let settings = TunerSettings {
        rate: args.rate,
        batches: args.batches as usize,
        patience: args.patience as usize,
        threads,
    };
    Ok(Tuner::new(training, validation, weights, scale, settings))
}

fn say(args: &Args, line: &str) -> Result<(), Failure> {
    if args.json { Ok(()) } else { print_line(line) }
}

fn tell(args: &Args, epoch: &Epoch) -> Result<(), Failure> {
    let Epoch { number, training, validation, is_best } = *epoch;
    if args.json {
        let line =
            json!({ "epoch": number, "training": training, "validation": validation, "is_best": is_best });
        return print_line(&line.to_string());
    }
    let star = if is_best { " *" } else { "" };
    print_line(&format!("epoch {number:>4}: training {training:.6}, validation {validation:.6}{star}"))
}

fn picture(epochs: &[Epoch]) -> String {
    let series = |name: &str, error: fn(&Epoch) -> f64| Series {
        name: name.to_owned(),
        points: epochs.iter().map(|epoch| (epoch.number as f64, error(epoch))).collect(),
    };
    let series =
        vec![series("training", |epoch| epoch.training), series("validation", |epoch| epoch.validation)];
    svg(&[Chart { title: "mean squared error by epoch".to_owned(), shape: Shape::Line, series }], 1)
}
