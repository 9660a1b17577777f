//! `rukh texel`: the weights of the classical evaluation from results of games.

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

/// Tune the classical evaluation by the results of games
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Games of `rukh selfplay` (.vf), or lines of positions with results (.epd, .txt)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Where the weights go whenever they are better than before
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Begin with these weights instead of those of play
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Take at most so many positions
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    positions: usize,

    /// Of the quiet positions of a game take one in so many
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,

    /// Of so many games, or lines, one is kept apart to see when to stop
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..))]
    validate_every: u32,

    /// The part that the scores of the searches have beside the results, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    score_share: f64,

    /// Passes over the positions at most
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,

    /// Passes without progress after which it ends
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    patience: u32,

    /// How far a weight goes in one step at most, in centipawns
    #[arg(long, default_value_t = 0.5, value_parser = rate)]
    rate: f64,

    /// Steps for each pass
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..))]
    batches: u32,

    /// Threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Draw the errors
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Print a JSON object for each pass, and one with the weights in the end
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
The weights are written as the source declares them: paste them into crates/eval/src/hce/weights.rs, or begin with them
again by --from. An interrupt ends the tuning with the best weights so far.

Examples:
  rukh texel games.vf --out weights.txt --threads 2 --svg errors.svg
  rukh texel quiet.epd --from weights.txt --out better.txt --rate 0.2";

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| *rate > 0.0 && *rate <= 100.0);
    rate.ok_or_else(|| format!("{text:?} is no step between 0 and 100 centipawns"))
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Finish {
    let is_over = interrupt::flag();
    let weights = match &args.from {
        Some(path) => {
            Weights::read(&read_text(path)?).map_err(|error| format!("{}: {error}", path.display()))?
        }
        None => Weights::of_play(),
    };
    for path in args.out.iter().chain(&args.svg) {
        // What cannot be written is better known now.
        NewFile::create(path)?;
    }
    let mut data = Dataset::new(args.positions, args.validate_every as usize);
    for path in &args.files {
        read(&mut data, path, args, &is_over)?;
    }
    if is_over.load(Ordering::Relaxed) {
        eprint_line("broken off before anything was learnt");
        return Ok(ExitCode::SUCCESS);
    }
    let mut tuner = tuner(data, args, weights)?;
    say(args, &format!("error before: {:.6}", tuner.best().1))?;
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
    print_line(&format!("error now: {error:.6}"))?;
    match &args.out {
        _ if !is_better => print_line("nothing better was found"),
        Some(path) => print_line(&format!("the weights are in {}", path.display())),
        None => print_line(&weights.source()),
    }
}

/// Games whose positions are looked at together.
const GAMES_AT_ONCE: usize = 2_000;

/// Reads a file of games, or of lines, until it ends, there is enough, or it is broken off.
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
        return Err("there are too few positions to learn from and to keep some apart".to_owned().into());
    };
    let Prepared { training, validation, scale } = prepared;
    let (learnt, apart, chance) = (training.len(), validation.len(), 100.0 * chance(100.0, scale));
    say(
        args,
        &format!(
            "{learnt} positions to learn from, {apart} kept apart; 100 centipawns are {chance:.1}% (K = {scale:.6})"
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
    print_line(&format!("pass {number:>4}: {training:.6} where learnt, {validation:.6} kept apart{star}"))
}

fn picture(epochs: &[Epoch]) -> String {
    let series = |name: &str, error: fn(&Epoch) -> f64| Series {
        name: name.to_owned(),
        points: epochs.iter().map(|epoch| (epoch.number as f64, error(epoch))).collect(),
    };
    let series =
        vec![series("where learnt", |epoch| epoch.training), series("kept apart", |epoch| epoch.validation)];
    svg(&[Chart { title: "mean squared error by pass".to_owned(), shape: Shape::Line, series }], 1)
}
