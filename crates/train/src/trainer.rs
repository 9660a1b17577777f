//! The training loop: batches made ahead of time on threads, optimiser steps, and checkpoints to resume from.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::mpsc;
use std::thread;

use burn::tensor::Tensor;
use burn::tensor::backend::Backend;
use rukh_eval::checksum::fnv1a;
use rukh_eval::nnue::Architecture;
use rukh_lab::adam::Moments;
use rukh_lab::disk;

use crate::adam::Adam;
use crate::batch::{Batch, Shuffle, Target};
use crate::model::{Inputs, TrainingBackend, Weights};
use crate::parameters::{Numbers, Part, parts};
use crate::sample::Sample;
use crate::schedule::Schedule;

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
    pub target: Target,
    /// The seed of the initial weights and of the order of samples.
    pub seed: u64,
    /// Threads that make batches.
    pub threads: usize,
    /// Steps over which the weights are averaged: each step counts less by this share of one. The average is what is validated
    /// and written; with 1 it is the last weights.
    pub averaged_steps: u64,
    /// Quantisation-aware training: in so many last steps the weights are rounded before each step, and the gradients change
    /// the weights that are not rounded.
    pub rounded_steps: u64,
    /// The weight of the L1 penalty on the activations of the feature transformer.
    pub sparsity: f32,
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

/// A training in progress on the device of a backend.
pub struct Trainer<B: TrainingBackend> {
    settings: Settings,
    device: B::Device,
    /// The weights that the steps change.
    weights: Tensor<B, 1>,
    /// Their moving average.
    averaged: Tensor<B, 1>,
    adam: Adam<B>,
    shuffle: Shuffle,
    step: u64,
    losses: Vec<PartLoss>,
}

/// Each thread makes this many batches ahead.
const AHEAD: usize = 2;

impl<B: TrainingBackend> Trainer<B> {
    /// Starts from random weights.
    pub fn new(settings: Settings, device: B::Device) -> Self {
        let weights = Weights::random(settings.architecture, settings.seed, &device).to_vector();
        Self {
            settings,
            averaged: weights.clone(),
            weights,
            adam: Adam::new(settings.architecture, &device),
            shuffle: Shuffle::new(settings.seed),
            step: 0,
            losses: Vec::new(),
            device,
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
    pub fn weights(&self) -> Weights<B> {
        Weights::from_vector(self.settings.architecture, &self.averaged)
    }

    /// Does so many steps, or as many as are left, over `samples`. Returns the mean loss.
    pub fn run(&mut self, samples: &[Sample], steps: u64) -> f32 {
        let steps = steps.min(self.settings.schedule.steps - self.step);
        let Settings { architecture, batch: size, target, threads, .. } = self.settings;
        let threads = threads.max(1);
        let orders: Vec<Vec<u32>> = (0..steps).map(|_| self.shuffle.next(size, samples.len())).collect();
        let mut sum: Option<Tensor<B, 1>> = None;
        thread::scope(|scope| {
            let makers: Vec<_> = (0..threads)
                .map(|thread| {
                    let (sender, made) = mpsc::sync_channel(AHEAD);
                    let (orders, architecture) = (&orders, &architecture);
                    scope.spawn(move || {
                        for order in orders.iter().skip(thread).step_by(threads) {
                            let chosen = order.iter().map(|&at| &samples[at as usize]);
                            if sender.send(Batch::new(chosen, target, architecture)).is_err() {
                                return;
                            }
                        }
                    });
                    made
                })
                .collect();
            for at in 0..steps as usize {
                let batch = makers[at % threads].recv().expect("a batch is made for every step");
                let loss = self.learn(batch);
                sum = Some(match sum.take() {
                    Some(sum) => sum + loss,
                    None => loss,
                });
            }
        });
        sum.map_or(0.0, |sum| number(sum) / steps as f32)
    }

    fn learn(&mut self, batch: Batch) -> Tensor<B, 1> {
        let Settings { architecture, schedule, averaged_steps, rounded_steps, sparsity, .. } = self.settings;
        let inputs = Inputs::new(batch, &self.device).with_sparsity(sparsity);
        let weights = Weights::from_vector(architecture, &self.weights);
        let is_rounded = self.step + rounded_steps >= schedule.steps;
        let (loss, gradients) = B::gradients(&if is_rounded { weights.rounded() } else { weights }, &inputs);
        self.weights = self.adam.step(self.weights.clone(), gradients.to_vector(), schedule.rate(self.step));
        self.step += 1;
        // At first the average is that of all steps, so that the first weights are soon forgotten.
        let share = 1.0 / self.step.min(averaged_steps).max(1) as f32;
        self.averaged = self.averaged.clone() * (1.0 - share) + self.weights.clone() * share;
        loss
    }

    /// The mean loss on a validation set.
    pub fn validate(&self, samples: &[Sample]) -> f32 {
        let weights = self.weights();
        let loss = |samples: &[Sample]| {
            let batch = Batch::new(samples.iter(), self.settings.target, &self.settings.architecture);
            number(weights.loss(&Inputs::new(batch, &self.device))) * samples.len() as f32
        };
        // A GPU compiles kernels for every size of a batch, so the rest that does not fill one is left out.
        let size = self.settings.batch.min(samples.len()).max(1);
        let chunks = samples.chunks_exact(size);
        let count = chunks.len() * size;
        chunks.map(loss).sum::<f32>() / count.max(1) as f32
    }

    /// Writes a checkpoint: everything that is needed to resume, and a checksum.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let (steps, moments) = self.adam.to_numbers();
        let mut bytes = MAGIC.to_vec();
        for word in [self.settings.architecture.hash(), self.step, steps, self.losses.len() as u64] {
            bytes.extend(word.to_le_bytes());
        }
        for loss in &self.losses {
            bytes.extend(loss.step.to_le_bytes());
            bytes.extend([loss.training, loss.validation].iter().flat_map(|number| number.to_le_bytes()));
        }
        let weights = Weights::from_vector(self.settings.architecture, &self.weights);
        let vectors = [weights.to_numbers(), self.weights().to_numbers(), moments.first, moments.second];
        for numbers in vectors.iter().flatten() {
            numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        }
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        disk::replace(path, &bytes)
    }

    /// Replaces the weights.
    pub fn start_from(&mut self, numbers: Numbers) {
        self.weights = Weights::from_numbers(self.settings.architecture, numbers, &self.device).to_vector();
        self.averaged = self.weights.clone();
    }

    /// Resumes from a checkpoint of [`Self::save`]; `samples` is how many there were.
    pub fn load(settings: Settings, device: B::Device, path: &Path, samples: usize) -> io::Result<Self> {
        let bytes = fs::read(path)?;
        let is_damaged = || io::Error::other("the checkpoint is damaged");
        let mut rest = bytes.strip_prefix(MAGIC).ok_or_else(|| io::Error::other("it is no checkpoint"))?;
        if words::<1>(&mut rest) != Some([settings.architecture.hash()]) {
            return Err(io::Error::other("it is a checkpoint of another architecture"));
        }
        let (body, sum) = bytes.split_last_chunk().ok_or_else(is_damaged)?;
        let [step, steps, parts_done] = words(&mut rest).ok_or_else(is_damaged)?;
        let parts = parts(&settings.architecture);
        let weights: usize = parts.iter().map(Part::len).sum();
        let len = (4 * weights as u64 * 4 + 8).checked_add(parts_done.saturating_mul(LOSS_BYTES));
        if Some(rest.len() as u64) != len || u64::from_le_bytes(*sum) != fnv1a(body) {
            return Err(is_damaged());
        }
        let losses = (0..parts_done).map(|_| read_loss(&mut rest)).collect::<Option<_>>();
        let losses = losses.ok_or_else(is_damaged)?;
        let mut numbers = || -> Numbers {
            let part = |part: &Part| {
                let (taken, left) = rest.split_at(4 * part.len());
                rest = left;
                let number = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().expect("it has four bytes"));
                taken.chunks(4).map(number).collect()
            };
            parts.iter().map(part).collect()
        };
        let (weights, averaged, first, second) = (numbers(), numbers(), numbers(), numbers());
        let vector = |numbers| Weights::from_numbers(settings.architecture, numbers, &device).to_vector();
        let mut shuffle = Shuffle::new(settings.seed);
        (0..step).for_each(|_| drop(shuffle.next(settings.batch, samples)));
        Ok(Self {
            settings,
            weights: vector(weights),
            averaged: vector(averaged),
            adam: Adam::from_numbers(settings.architecture, steps, Moments { first, second }, &device),
            shuffle,
            step,
            losses,
            device,
        })
    }
}

const MAGIC: &[u8; 8] = b"RUKH cp4";
/// The bytes of a [`PartLoss`] in a checkpoint.
const LOSS_BYTES: u64 = 16;

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

/// The one number of a tensor.
fn number<B: Backend>(tensor: Tensor<B, 1>) -> f32 {
    tensor.into_data().iter::<f32>().next().unwrap_or(0.0)
}
