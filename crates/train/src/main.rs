//! `rukh-train`: trains the network from games of self-play.

#![forbid(unsafe_code)]

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use rukh_eval::nnue::{Current, NetworkKind};
use rukh_eval::{Evaluation, Network};
use rukh_train::batch::Target;
use rukh_train::data::{Data, Filter, Perturbed};
use rukh_train::export::{QuantisationError, restore};
use rukh_train::model::Objective;
use rukh_train::run::{self, Plan, Progress};
use rukh_train::schedule::Schedule;
use rukh_train::trainer::{PartLoss, Settings};

/// Train the network of Rukh from games of self-play
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Args {
    /// Games of `rukh selfplay`; files that are still growing are read again as they grow
    #[arg(required = true, value_name = "FILE")]
    data: Vec<PathBuf>,

    /// Where to write the network, after every part and at the end
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Write a checkpoint here after every part, and resume from it
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Start from the weights of this network instead of random weights
    #[arg(long, value_name = "FILE")]
    begin: Option<PathBuf>,

    /// Add so many perturbed positions for each position of a game: one or two random moves away from it
    #[arg(long, value_name = "N", default_value_t = 0)]
    perturbed: u64,

    /// Train on perturbed positions alone, without the positions of the games
    #[arg(long, requires = "perturbed")]
    perturbed_only: bool,

    /// The network that labels perturbed positions [default: the classical evaluation]
    #[arg(long, value_name = "FILE", requires = "perturbed")]
    label_network: Option<PathBuf>,

    /// Label perturbed positions by a search of so many nodes; 0 is the static evaluation
    #[arg(long, value_name = "NODES", default_value_t = 0, requires = "perturbed")]
    label_nodes: u64,

    /// Draw the losses as an SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Steps in all
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    steps: u64,

    /// End after so many minutes, reading included, with as many of the steps as fit
    #[arg(long, value_name = "MINUTES")]
    minutes: Option<f64>,

    /// Steps of a part: between reports, checkpoints and reading of new data
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    part: u64,

    /// Positions for each step
    #[arg(long, default_value = "16384")]
    batch: NonZeroUsize,

    /// The greatest learning rate
    #[arg(long, default_value_t = 0.001)]
    rate: f64,

    /// The learning rate of the last step
    #[arg(long, default_value_t = 0.000_005)]
    end_rate: f64,

    /// Steps of the warm-up, in which the learning rate rises
    #[arg(long, default_value_t = 200)]
    warm_up: u64,

    /// The weight of the result beside the score, from 0 to 1
    #[arg(long, default_value_t = 0.6, value_parser = share)]
    result_share: f32,

    /// Leave out positions with greater scores, in internal units
    #[arg(long, default_value_t = 3_000)]
    max_score: i16,

    /// Leave out so many plies at the start of a game
    #[arg(long, default_value_t = 0)]
    skip_plies: usize,

    /// Wait until the files have so many positions to train on
    #[arg(long, value_name = "POSITIONS", default_value_t = 0)]
    wait_for: usize,

    /// The seed of the initial weights and of the order of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Threads [default: as many as the machine has processors]
    #[arg(long)]
    threads: Option<NonZeroUsize>,

    /// Average the weights over about so many steps; the average is what is written
    #[arg(long, value_name = "STEPS", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    average: u64,

    /// Round the weights in so many last steps as the quantised network will have them (quantisation-aware training)
    #[arg(long, value_name = "STEPS", default_value_t = 0)]
    round: u64,

    /// Add so many times the mean activation of the feature transformer to the loss (L1 penalty), so that more of them are zero
    #[arg(long, value_name = "WEIGHT", default_value_t = 0.0, value_parser = share)]
    sparsity: f32,

    /// A description of the training, for the network file
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
    share.ok_or_else(|| format!("{text:?} is not a number from 0 to 1"))
}

fn main() -> ExitCode {
    match train(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("rukh-train: {sentence}");
            ExitCode::from(2)
        }
    }
}

impl Args {
    fn perturbed(&self) -> Result<Option<Perturbed>, String> {
        let evaluation = match &self.label_network {
            None => Evaluation::Classical,
            Some(path) => Evaluation::Network(Arc::new(Network::load(path)?)),
        };
        let perturbed = Perturbed { count: self.perturbed, evaluation, nodes: self.label_nodes };
        Ok(Some(perturbed).filter(|perturbed| perturbed.count > 0))
    }
}

fn train(args: &Args) -> Result<(), String> {
    let begin = Instant::now();
    let threads = args.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let filter = Filter {
        played: !args.perturbed_only,
        perturbed: args.perturbed()?,
        max_score: args.max_score,
        skip_plies: args.skip_plies,
        threads,
        ..Filter::default()
    };
    let mut data = Data::new(&args.data, filter);
    data.read_more()?;
    while data.training.len() < args.wait_for {
        thread::sleep(Duration::from_secs(1));
        data.read_more()?;
    }
    if data.training.is_empty() || data.validation.is_empty() {
        return Err("there are too few games for a training set and a validation set".to_owned());
    }
    println!(
        "{} games: {} training positions, {} validation positions",
        data.games(),
        data.training.len(),
        data.validation.len()
    );
    let settings = Settings {
        architecture: Current::ARCHITECTURE,
        batch: args.batch.get(),
        schedule: Schedule { peak: args.rate, end: args.end_rate, warm_up: args.warm_up, steps: args.steps },
        objective: Objective {
            target: Target { scale: Current::ARCHITECTURE.scale as f32, result_share: args.result_share },
            sparsity: args.sparsity,
        },
        seed: args.seed,
        threads,
        averaged_steps: args.average,
        rounded_steps: args.round,
    };
    let plan = Plan {
        out: args.out.clone(),
        checkpoint: args.checkpoint.clone(),
        svg: args.svg.clone(),
        begin: args.begin.as_deref().map(|path| Network::load(path).map(|net| restore(&net))).transpose()?,
        part: args.part,
        deadline: args.minutes.map(|minutes| run::deadline(begin, minutes)),
        description: args.description.clone(),
    };
    let trainer = run::run::<Current>(&plan, settings, &mut data, report)?;
    let some = &data.validation[..data.validation.len().min(args.batch.get())];
    let error = QuantisationError::of::<Current>(&trainer.weights(), some, threads);
    println!("{}", error.map_err(|error| error.to_string())?);
    Ok(())
}

fn report(Progress { loss: PartLoss { step, training, validation }, speed, samples }: Progress) {
    println!(
        "step {step:>7}: training loss {training:.6}, validation loss {validation:.6}, {:.2} million positions a second, {samples} training positions",
        speed / 1e6,
    );
}
