//! The training loop: optimiser steps on random batches, and checkpoints to resume from.

use std::fs;
use std::io;
use std::path::Path;

use rukh_eval::checksum::fnv1a;
use rukh_eval::nnue::Architecture;
use rukh_lab::adam::{Adam, AdamW, Moments};
use rukh_lab::disk;

use crate::batch::Shuffle;
use crate::model::{Model, Objective};
use crate::parameters::{self, Numbers, Part, parts, rounded};
use crate::sample::Sample;
use crate::schedule::Schedule;

/// The rule of the optimiser.
const RULE: AdamW = AdamW { first_decay: 0.9, second_decay: 0.999, epsilon: 1e-8, weight_decay: 0.01 };

/// How to train.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The architecture of the network.
    pub architecture: Architecture,
    /// Samples for each step.
    pub batch: usize,
    /// The learning rate.
    pub schedule: Schedule,
    /// What is learnt.
    pub objective: Objective,
    /// The seed of the initial weights and of the order of samples.
    pub seed: u64,
    /// Threads that a step is divided among.
    pub threads: usize,
    /// Steps over which the weights are averaged: each step counts less by this share of one. The average is what is validated
    /// and written; with 1 it is the last weights.
    pub averaged_steps: u64,
    /// Quantisation-aware training: in so many last steps the weights are rounded before each step, and the gradients change
    /// the weights that are not rounded.
    pub rounded_steps: u64,
}

/// The losses of a part of the steps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PartLoss {
    /// The last step of the part.
    pub step: u64,
    /// The mean loss of its steps.
    pub training: f32,
    /// The loss on the validation set after it.
    pub validation: f32,
}

/// A training in progress. All parameters are one list, in the order of their [parts](Part).
#[derive(Clone, Debug)]
pub struct Trainer {
    settings: Settings,
    /// The weights that the steps change.
    weights: Vec<f64>,
    /// Their moving average.
    averaged: Vec<f64>,
    adam: Adam,
    shuffle: Shuffle,
    step: u64,
    losses: Vec<PartLoss>,
}

impl Trainer {
    /// Starts from random weights.
    pub fn new(settings: Settings) -> Self {
        let weights = joined(&parameters::random(&settings.architecture, settings.seed));
        Self {
            settings,
            averaged: weights.clone(),
            adam: Adam::new(RULE, weights.len()),
            weights,
            shuffle: Shuffle::new(settings.seed),
            step: 0,
            losses: Vec::new(),
        }
    }

    /// Steps done.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Whether all steps are done.
    pub fn is_over(&self) -> bool {
        self.step >= self.settings.schedule.steps
    }

    /// The losses of all parts, also of those before a checkpoint.
    pub fn losses(&self) -> &[PartLoss] {
        &self.losses
    }

    /// Ends a part whose mean loss was `training`: the loss on the validation set is added to its own.
    pub fn end_part(&mut self, training: f32, validation: &[Sample]) -> PartLoss {
        let loss = PartLoss { step: self.step, training, validation: self.validate(validation) };
        self.losses.push(loss);
        loss
    }

    /// Changes the total number of steps; the learning rate falls faster or slower from here on.
    pub fn end_after(&mut self, steps: u64) {
        self.settings.schedule.steps = steps.max(self.step);
    }

    /// The averaged weights.
    pub fn weights(&self) -> Numbers {
        self.divided(&self.averaged)
    }

    /// Replaces the weights.
    pub fn start_from(&mut self, numbers: &Numbers) {
        self.weights = joined(numbers);
        self.averaged = self.weights.clone();
    }

    /// Does so many steps, or as many as are left, over `samples`. Returns the mean loss.
    pub fn run(&mut self, samples: &[Sample], steps: u64) -> f32 {
        let steps = steps.min(self.settings.schedule.steps - self.step);
        let mut sum = 0.0;
        for _ in 0..steps {
            let order = self.shuffle.next(self.settings.batch, samples.len());
            let batch: Vec<&Sample> = order.iter().map(|&at| &samples[at as usize]).collect();
            sum += self.learn(&batch);
        }
        (sum / steps.max(1) as f64) as f32
    }

    /// One step. Returns the loss before it.
    fn learn(&mut self, batch: &[&Sample]) -> f64 {
        let Settings { architecture, schedule, averaged_steps, rounded_steps, .. } = self.settings;
        let mut numbers = self.divided(&self.weights);
        if self.step + rounded_steps >= schedule.steps {
            numbers = rounded(&architecture, &numbers);
        }
        let model = Model::new(architecture, &numbers);
        let (loss, gradients) = model.gradients(batch, self.settings.objective, self.settings.threads);
        let gradients = gradients.iter().flatten().map(|gradient| f64::from(*gradient));
        self.adam.step(schedule.rate(self.step), self.weights.iter_mut(), gradients);
        self.step += 1;
        let mut weights = self.weights.iter_mut();
        for part in parts(&architecture) {
            let max = f64::from(part.max);
            weights.by_ref().take(part.len()).for_each(|weight| *weight = weight.clamp(-max, max));
        }
        // At first the average is that of all steps, so that the first weights are soon forgotten.
        let share = 1.0 / self.step.min(averaged_steps).max(1) as f64;
        let averaged = self.averaged.iter_mut().zip(&self.weights);
        averaged.for_each(|(mean, weight)| *mean = *mean * (1.0 - share) + weight * share);
        loss
    }

    /// The mean loss on a validation set.
    pub fn validate(&self, samples: &[Sample]) -> f32 {
        let model = Model::new(self.settings.architecture, &self.weights());
        let samples: Vec<&Sample> = samples.iter().collect();
        model.loss(&samples, self.settings.objective.target, self.settings.threads) as f32
    }

    /// Parameters part by part.
    fn divided(&self, parameters: &[f64]) -> Numbers {
        let mut rest = parameters.iter().map(|number| *number as f32);
        let part = |part: &Part| rest.by_ref().take(part.len()).collect();
        parts(&self.settings.architecture).iter().map(part).collect()
    }

    /// Writes a checkpoint: everything that is needed to resume, and a checksum.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let mut bytes = MAGIC.to_vec();
        for word in [self.settings.architecture.hash(), self.step, self.losses.len() as u64] {
            bytes.extend(word.to_le_bytes());
        }
        for loss in &self.losses {
            bytes.extend(loss.step.to_le_bytes());
            bytes.extend([loss.training, loss.validation].iter().flat_map(|number| number.to_le_bytes()));
        }
        let moments = self.adam.moments().iter().flat_map(|moments| [moments.first, moments.second]);
        for number in self.weights.iter().chain(&self.averaged).copied().chain(moments) {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        disk::replace(path, &bytes)
    }

    /// Resumes from a checkpoint of [`Self::save`]; `samples` is how many there were.
    pub fn load(settings: Settings, path: &Path, samples: usize) -> io::Result<Self> {
        let bytes = fs::read(path)?;
        let is_damaged = || io::Error::other("the checkpoint is damaged");
        let mut rest = bytes.strip_prefix(MAGIC).ok_or_else(|| io::Error::other("it is no checkpoint"))?;
        if words::<1>(&mut rest) != Some([settings.architecture.hash()]) {
            return Err(io::Error::other("it is a checkpoint of another architecture"));
        }
        let (body, sum) = bytes.split_last_chunk().ok_or_else(is_damaged)?;
        let [step, parts_done] = words(&mut rest).ok_or_else(is_damaged)?;
        let count: usize = parts(&settings.architecture).iter().map(Part::len).sum();
        let len = (4 * count as u64 * 8 + 8).checked_add(parts_done.saturating_mul(LOSS_BYTES));
        if Some(rest.len() as u64) != len || u64::from_le_bytes(*sum) != fnv1a(body) {
            return Err(is_damaged());
        }
        let losses = (0..parts_done).map(|_| read_loss(&mut rest)).collect::<Option<_>>();
        let losses = losses.ok_or_else(is_damaged)?;
        let (numbers, _) = rest.as_chunks();
        let numbers: Vec<f64> = numbers.iter().map(|number| f64::from_le_bytes(*number)).collect();
        let moments = numbers[2 * count..4 * count].as_chunks().0;
        let moments = moments.iter().map(|&[first, second]| Moments { first, second }).collect();
        let mut shuffle = Shuffle::new(settings.seed);
        (0..step).for_each(|_| drop(shuffle.next(settings.batch, samples)));
        Ok(Self {
            settings,
            weights: numbers[..count].to_vec(),
            averaged: numbers[count..2 * count].to_vec(),
            adam: Adam::resume(RULE, step, moments),
            shuffle,
            step,
            losses,
        })
    }
}

const MAGIC: &[u8; 8] = b"RUKH cp5";
/// The bytes of a [`PartLoss`] in a checkpoint.
const LOSS_BYTES: u64 = 16;

/// All parameters in one list.
fn joined(numbers: &Numbers) -> Vec<f64> {
    numbers.iter().flatten().map(|number| f64::from(*number)).collect()
}

/// The next words of a checkpoint.
fn words<const COUNT: usize>(bytes: &mut &[u8]) -> Option<[u64; COUNT]> {
    let mut words = [0; COUNT];
    for word in &mut words {
        let (taken, rest) = bytes.split_first_chunk()?;
        (*word, *bytes) = (u64::from_le_bytes(*taken), rest);
    }
    Some(words)
}

fn read_loss(bytes: &mut &[u8]) -> Option<PartLoss> {
    let [step, losses] = words(bytes)?;
    let number = |bits: u64| f32::from_bits(bits as u32);
    Some(PartLoss { step, training: number(losses), validation: number(losses >> 32) })
}
