//! Training run: parts of steps, after each of which the network, the plot and the checkpoint are written.
//!
//! The checkpoint is written last: whatever fails before it, the part is trained again from the one before, with the same
//! result. It knows files and progress, not how a step is computed.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rukh_eval::nnue::NetworkKind;
use rukh_lab::disk;
use rukh_lab::plot::{Chart, Series, Shape, svg};

use crate::data::Data;
use crate::export::quantise;
use crate::parameters::Numbers;
use crate::schedule::steps_in;
use crate::trainer::{PartLoss, Settings, Trainer};

/// What is written, and how often.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The network.
    pub out: PathBuf,
    /// The checkpoint, from which the run is resumed if it is there.
    pub checkpoint: Option<PathBuf>,
    /// A plot of the losses.
    pub svg: Option<PathBuf>,
    /// The weights to start from; random ones without them. A checkpoint has its own.
    pub begin: Option<Numbers>,
    /// Steps of a part.
    pub part: u64,
    /// The end of the run, with as many steps as fit.
    pub deadline: Option<Instant>,
    /// The description of the network.
    pub description: String,
}

/// A part that has ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Its losses.
    pub loss: PartLoss,
    /// Positions that were trained on in a second.
    pub speed: f64,
    /// The size of the training set.
    pub samples: usize,
}

/// Trains a network of the kind `K` to the end of its schedule, or resumes that, and returns its trainer.
pub fn run<K: NetworkKind>(
    plan: &Plan,
    settings: Settings,
    data: &mut Data,
    mut on_part: impl FnMut(Progress),
) -> Result<Trainer, String> {
    let mut trainer = match plan.checkpoint.as_deref().filter(|path| path.exists()) {
        Some(path) => Trainer::load(settings, path, data.training.len())
            .map_err(|error| format!("{}: {error}", path.display()))?,
        None => Trainer::new(settings),
    };
    if let Some(numbers) = plan.begin.as_ref().filter(|_| trainer.step() == 0) {
        trainer.start_from(numbers);
    }
    while !trainer.is_over() {
        let (start, before) = (Instant::now(), trainer.step());
        let mean = trainer.run(&data.training, plan.part);
        let time = start.elapsed();
        let loss = trainer.end_part(mean, &data.validation);
        let (steps, samples) = (trainer.step() - before, data.training.len());
        let speed = steps as f64 * settings.batch as f64 / time.as_secs_f64();
        on_part(Progress { loss, speed, samples });
        save::<K>(plan, &trainer)?;
        data.read_more()?;
        if let Some(deadline) = plan.deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            let possible = steps_in(left.as_secs_f64(), steps, start.elapsed().as_secs_f64());
            trainer.end_after(settings.schedule.steps.min(trainer.step() + possible));
        }
    }
    Ok(trainer)
}

/// The end of a run of so many minutes that began at `start`.
pub fn deadline(start: Instant, minutes: f64) -> Instant {
    const LONG: Duration = Duration::from_secs(1 << 30);
    let time = Duration::try_from_secs_f64((60.0 * minutes).max(0.0)).map_or(LONG, |time| time.min(LONG));
    start + time
}

fn save<K: NetworkKind>(plan: &Plan, trainer: &Trainer) -> Result<(), String> {
    let cannot = |path: &Path, error: io::Error| format!("cannot write {}: {error}", path.display());
    let network = quantise::<K>(&trainer.weights(), &plan.description).map_err(|error| error.to_string())?;
    disk::replace(&plan.out, &network.to_bytes()).map_err(|error| cannot(&plan.out, error))?;
    if let Some(path) = &plan.svg {
        let chart = plot(trainer.losses());
        disk::replace(path, svg(&[chart], 1).as_bytes()).map_err(|error| cannot(path, error))?;
    }
    if let Some(path) = &plan.checkpoint {
        trainer.save(path).map_err(|error| cannot(path, error))?;
    }
    Ok(())
}

fn plot(losses: &[PartLoss]) -> Chart {
    let series = |name: &str, loss: fn(&PartLoss) -> f32| Series {
        name: name.to_owned(),
        points: losses.iter().map(|part| (part.step as f64, f64::from(loss(part)))).collect(),
    };
    let series = vec![series("training", |part| part.training), series("validation", |part| part.validation)];
    Chart { title: "loss by step".to_owned(), shape: Shape::Line, series }
}
