//! `rukh-train`: a network from games of self-play.

#![forbid(unsafe_code)]

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use rukh_eval::nnue::arch;
use rukh_eval::{Evaluation, Network};
use rukh_lab::plot::{Chart, Series, Shape, svg};
use rukh_train::batch::Target;
use rukh_train::data::{Data, Filter, Perturbed};
use rukh_train::export::{Agreement, quantise, restore};
use rukh_train::schedule::{Schedule, steps_in};
use rukh_train::trainer::{Settings, Trainer};

#[cfg(feature = "cuda")]
type Backend = rukh_train::gpu::Gpu;
#[cfg(not(feature = "cuda"))]
type Backend = burn::backend::Flex;

/// Train the network of Rukh from games of self-play
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Args {
    /// Games of `rukh selfplay`; files that still grow are read again as they do
    #[arg(required = true, value_name = "FILE")]
    data: Vec<PathBuf>,

    /// Where the network goes, after every part and in the end
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Keep everything here that is needed to go on, and go on from it
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Begin with the weights of this network, not with random weights
    #[arg(long, value_name = "FILE")]
    begin: Option<PathBuf>,

    /// Learn also from positions a move or two at random away from those that were played, so many for each
    #[arg(long, value_name = "N", default_value_t = 0)]
    perturbed: u64,

    /// Learn from perturbed alone, not from scores and results of games
    #[arg(long, requires = "perturbed")]
    strays_only: bool,

    /// The network that says what perturbed are worth [default: the classical evaluation]
    #[arg(long, value_name = "FILE", requires = "perturbed")]
    teacher: Option<PathBuf>,

    /// How long the teacher searches; 0 is not at all
    #[arg(long, value_name = "NODES", default_value_t = 0, requires = "perturbed")]
    teacher_nodes: u64,

    /// Draw the losses
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Steps in all
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    steps: u64,

    /// End after so many minutes, the reading counted in, with as many of the steps as they leave time for
    #[arg(long, value_name = "MINUTES")]
    minutes: Option<f64>,

    /// Steps between reports, checkpoints and looks for more data
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    part: u64,

    /// Positions for each step
    #[arg(long, default_value = "16384")]
    batch: NonZeroUsize,

    /// The greatest learning rate
    #[arg(long, default_value_t = 0.001)]
    rate: f64,

    /// The last learning rate
    #[arg(long, default_value_t = 0.000_005)]
    end_rate: f64,

    /// Steps in which the rate rises
    #[arg(long, default_value_t = 200)]
    warm_up: u64,

    /// The part of the result beside the score, from 0 to 1
    #[arg(long, default_value_t = 0.6, value_parser = share)]
    result_share: f32,

    /// Positions with greater scores are left out, in centipawns
    #[arg(long, default_value_t = 3_000)]
    max_score: i16,

    /// Moves of either side at the beginning of a game that are left out
    #[arg(long, default_value_t = 0)]
    skip_plies: usize,

    /// Wait until there are so many positions to learn from, while others still write them
    #[arg(long, value_name = "POSITIONS", default_value_t = 0)]
    wait_for: usize,

    /// What the first weights and the order depend on
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Threads that make batches
    #[arg(long, default_value = "2")]
    threads: NonZeroUsize,

    /// What is said of the training in the file of the network
    #[arg(long, default_value = "")]
    description: String,
}

const EXAMPLES: &str = "\
Examples:
  rukh selfplay --out games.vf --tree-samples samples.vf --tree-sample-depth 2 --positions 20000000 --threads 16 --nodes 200
  rukh-train games.vf --perturbed 6 --perturbed-only --steps 15000 --out begun.net --checkpoint begun.cp
  rukh-train games.vf samples.vf --begin begun.net --rate 0.0006 --steps 10000 --out first.net --svg loss.svg";

fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("{text:?} is no number from 0 to 1"))
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("rukh-train: {sentence}");
            ExitCode::from(2)
        }
    }
}

impl Args {
    fn perturbed(&self) -> Result<Option<Perturbed>, String> {
        let evaluation = match &self.teacher {
            None => Evaluation::Classical,
            Some(path) => Evaluation::Network(Arc::new(Network::load(path)?)),
        };
        let perturbed = Perturbed { count: self.perturbed, evaluation, nodes: self.teacher_nodes };
        Ok(Some(perturbed).filter(|perturbed| perturbed.count > 0))
    }
}

fn run(args: &Args) -> Result<(), String> {
    let begin = Instant::now();
    let filter = Filter {
        played: !args.strays_only,
        perturbed: args.perturbed()?,
        max_score: args.max_score,
        skip_plies: args.skip_plies,
        threads: args.threads.get(),
        ..Filter::default()
    };
    let mut data = Data::new(&args.data, filter);
    data.read_more()?;
    while data.training.len() < args.wait_for {
        thread::sleep(Duration::from_secs(1));
        data.read_more()?;
    }
    if data.training.is_empty() || data.validation.is_empty() {
        return Err("there are too few games to learn from and to keep some apart".to_owned());
    }
    println!(
        "{} games: {} positions to learn from, {} kept apart",
        data.games(),
        data.training.len(),
        data.validation.len()
    );
    let settings = Settings {
        batch: args.batch.get(),
        schedule: Schedule { peak: args.rate, end: args.end_rate, warm_up: args.warm_up, steps: args.steps },
        target: Target { scale: arch::SCALE as f32, result_share: args.result_share },
        seed: args.seed,
        threads: args.threads.get(),
    };
    let device = Default::default();
    let mut trainer = match args.checkpoint.as_deref().filter(|path| path.exists()) {
        Some(path) => Trainer::<Backend>::load(settings, device, path, data.training.len())
            .map_err(|error| format!("{}: {error}", path.display()))?,
        None => Trainer::<Backend>::new(settings, device),
    };
    if let Some(path) = args.begin.as_deref().filter(|_| trainer.step() == 0) {
        trainer.begin_with(restore(&Network::load(path)?));
    }
    let mut losses = Vec::new();
    while !trainer.is_over() {
        let (start, before) = (Instant::now(), trainer.step());
        let loss = trainer.run(&data.training, args.part);
        let seconds = start.elapsed().as_secs_f64();
        let validation = trainer.validate(&data.validation);
        losses.push((trainer.step(), loss, validation));
        println!(
            "step {:>7}: {loss:.6} where learnt, {validation:.6} kept apart, {:.2} million positions a second, {} to learn from",
            trainer.step(),
            (trainer.step() - before) as f64 * args.batch.get() as f64 / seconds / 1e6,
            data.training.len(),
        );
        keep(args, &trainer, &losses)?;
        data.read_more()?;
        // The first part says little of the speed: kernels are compiled in it.
        if let Some(minutes) = args.minutes.filter(|_| losses.len() > 1) {
            let left = 60.0 * minutes - begin.elapsed().as_secs_f64();
            let possible = steps_in(left, trainer.step() - before, start.elapsed().as_secs_f64());
            trainer.end_after(args.steps.min(trainer.step() + possible));
        }
    }
    let some = &data.validation[..data.validation.len().min(args.batch.get())];
    let agreement =
        Agreement::of(&trainer.weights(), some, &Default::default()).map_err(|error| error.to_string())?;
    println!("{agreement}");
    Ok(())
}

fn keep(args: &Args, trainer: &Trainer<Backend>, losses: &[(u64, f32, f32)]) -> Result<(), String> {
    let cannot = |path: &Path, error: std::io::Error| format!("cannot write {}: {error}", path.display());
    let network =
        quantise(&trainer.weights().to_numbers(), &args.description).map_err(|error| error.to_string())?;
    fs::write(&args.out, network.to_bytes()).map_err(|error| cannot(&args.out, error))?;
    if let Some(path) = &args.checkpoint {
        trainer.save(path).map_err(|error| cannot(path, error))?;
    }
    if let Some(path) = &args.svg {
        let series = |name: &str, loss: fn(&(u64, f32, f32)) -> f32| Series {
            name: name.to_owned(),
            points: losses.iter().map(|told| (told.0 as f64, f64::from(loss(told)))).collect(),
        };
        let series = vec![series("where learnt", |told| told.1), series("kept apart", |told| told.2)];
        let chart = Chart { title: "loss by step".to_owned(), shape: Shape::Line, series };
        fs::write(path, svg(&[chart], 1)).map_err(|error| cannot(path, error))?;
    }
    Ok(())
}
