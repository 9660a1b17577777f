//! The loop: batches made ahead of time, steps down the slope, checkpoints from which it goes on.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::mpsc;
use std::thread;

use burn::tensor::Tensor;
use burn::tensor::backend::Backend;

use crate::adam::Adam;
use crate::batch::{Batch, Shuffle, Target};
use crate::model::{Inputs, Learn, SHAPES, Weights};
use crate::sample::Sample;
use crate::schedule::Schedule;

/// How to train.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Samples for each step.
    pub batch: usize,
    /// How fast it learns.
    pub schedule: Schedule,
    /// What is learnt.
    pub target: Target,
    /// What the first weights and the order depend on.
    pub seed: u64,
    /// Threads that make batches.
    pub threads: usize,
}

/// A training under way on the device of a backend.
pub struct Trainer<B: Learn> {
    settings: Settings,
    device: B::Device,
    weights: Tensor<B, 1>,
    adam: Adam<B>,
    shuffle: Shuffle,
    step: u64,
}

/// A batch that was asked for is made this many batches ahead by each thread.
const AHEAD: usize = 2;

impl<B: Learn> Trainer<B> {
    /// Begins from nothing.
    pub fn new(settings: Settings, device: B::Device) -> Self {
        Self {
            settings,
            weights: Weights::random(settings.seed, &device).to_row(),
            adam: Adam::new(&device),
            shuffle: Shuffle::new(settings.seed),
            step: 0,
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

    /// Lets the training end after so many steps in all, the rate falling faster or slower from here on.
    pub fn end_after(&mut self, steps: u64) {
        self.settings.schedule.steps = steps.max(self.step);
    }

    /// The weights as they are.
    pub fn weights(&self) -> Weights<B> {
        Weights::from_row(&self.weights)
    }

    /// So many steps, or as many as are left, over `samples`; the mean loss.
    pub fn run(&mut self, samples: &[Sample], steps: u64) -> f32 {
        let steps = steps.min(self.settings.schedule.steps - self.step);
        let (size, target, threads) =
            (self.settings.batch, self.settings.target, self.settings.threads.max(1));
        let orders: Vec<Vec<u32>> = (0..steps).map(|_| self.shuffle.next(size, samples.len())).collect();
        let mut sum: Option<Tensor<B, 1>> = None;
        thread::scope(|scope| {
            let makers: Vec<_> = (0..threads)
                .map(|thread| {
                    let (sender, made) = mpsc::sync_channel(AHEAD);
                    let orders = &orders;
                    scope.spawn(move || {
                        for order in orders.iter().skip(thread).step_by(threads) {
                            let batch = Batch::new(order.iter().map(|&at| &samples[at as usize]), target);
                            if sender.send(batch).is_err() {
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
        let inputs = Inputs::new(batch, &self.device);
        let (loss, slopes) = B::slope(&self.weights(), &inputs);
        let rate = self.settings.schedule.rate(self.step);
        self.weights = self.adam.step(self.weights.clone(), slopes.to_row(), rate);
        self.step += 1;
        loss
    }

    /// The mean loss on samples that were not learnt.
    pub fn validate(&self, samples: &[Sample]) -> f32 {
        let weights = self.weights();
        let loss = |samples: &[Sample]| {
            let batch = Batch::new(samples.iter(), self.settings.target);
            number(weights.loss(&Inputs::new(batch, &self.device))) * samples.len() as f32
        };
        // On a GPU every other size of a batch would have kernels of its own: a rest is left out.
        let size = self.settings.batch.min(samples.len()).max(1);
        let chunks = samples.chunks_exact(size);
        let count = chunks.len() * size;
        chunks.map(loss).sum::<f32>() / count.max(1) as f32
    }

    /// Writes everything that is needed to go on.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let (steps, first, second) = self.adam.to_numbers();
        let mut bytes = Vec::new();
        bytes.write_all(MAGIC)?;
        bytes.write_all(&self.step.to_le_bytes())?;
        bytes.write_all(&steps.to_le_bytes())?;
        for numbers in [self.weights().to_numbers(), first, second].iter().flatten() {
            numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        }
        let temporary = path.with_extension("part");
        fs::write(&temporary, bytes)?;
        fs::rename(temporary, path)
    }

    /// Takes these weights for its own.
    pub fn begin_with(&mut self, numbers: [Vec<f32>; 4]) {
        self.weights = Weights::from_numbers(numbers, &self.device).to_row();
    }

    /// Goes on from what [`Self::save`] wrote; `samples` are as many as there were.
    pub fn load(settings: Settings, device: B::Device, path: &Path, samples: usize) -> io::Result<Self> {
        let bytes = fs::read(path)?;
        let mut from = bytes.as_slice();
        let mut magic = [0; MAGIC.len()];
        from.read_exact(&mut magic)?;
        let weights: usize = SHAPES.iter().map(|[rows, columns]| rows * columns).sum();
        if magic != *MAGIC || from.len() != 16 + 3 * 4 * weights {
            return Err(io::Error::other("it is no checkpoint of this network"));
        }
        let mut word = || {
            let mut word = [0; 8];
            from.read_exact(&mut word).map(|()| u64::from_le_bytes(word))
        };
        let (step, steps) = (word()?, word()?);
        let mut numbers = || {
            SHAPES.map(|[rows, columns]| {
                let (taken, rest) = from.split_at(4 * rows * columns);
                from = rest;
                taken
                    .chunks(4)
                    .map(|bytes| f32::from_le_bytes(bytes.try_into().expect("four bytes")))
                    .collect()
            })
        };
        let (weights, first, second) = (numbers(), numbers(), numbers());
        let mut shuffle = Shuffle::new(settings.seed);
        (0..step).for_each(|_| drop(shuffle.next(settings.batch, samples)));
        Ok(Self {
            settings,
            weights: Weights::from_numbers(weights, &device).to_row(),
            adam: Adam::from_numbers(steps, first, second, &device),
            shuffle,
            step,
            device,
        })
    }
}

const MAGIC: &[u8; 8] = b"RUKH cp1";

/// The one number of a tensor.
fn number<B: Backend>(tensor: Tensor<B, 1>) -> f32 {
    tensor.into_data().iter::<f32>().next().unwrap_or(0.0)
}
