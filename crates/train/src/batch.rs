//! Samples as tensors want them, made ahead of time on threads of their own.

use rukh_chess::random::SplitMix64;
use rukh_eval::nnue::arch::MAX_PIECES;

use crate::sample::{NO_RESULT, Sample};

/// Samples side by side.
#[derive(Clone, PartialEq, Debug)]
pub struct Batch {
    /// The inputs that are on: all perspectives of the sides to move, then all of the others.
    pub places: Vec<i32>,
    /// Which output judges each.
    pub outputs: Vec<i32>,
    /// What each is worth, as a chance to win.
    pub targets: Vec<f32>,
}

/// How scores and results become one number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    /// Centipawns that divide a score before it becomes a chance.
    pub scale: f32,
    /// The part of the result beside the score.
    pub result_share: f32,
}

impl Target {
    /// What a sample is worth to the side to move, from 0 to 1.
    pub fn of(&self, sample: &Sample) -> f32 {
        let chance = 1.0 / (1.0 + (-f32::from(sample.score) / self.scale).exp());
        if sample.result == NO_RESULT {
            return chance;
        }
        let result = f32::from(sample.result) / 2.0;
        self.result_share * result + (1.0 - self.result_share) * chance
    }
}

impl Batch {
    /// These samples.
    pub fn new<'s>(samples: impl Iterator<Item = &'s Sample> + Clone, target: Target) -> Self {
        let count = samples.clone().count();
        let mut places = vec![0; 2 * count * MAX_PIECES];
        let (own, theirs) = places.split_at_mut(count * MAX_PIECES);
        let rooms = own.chunks_mut(MAX_PIECES).zip(theirs.chunks_mut(MAX_PIECES));
        for (sample, (own, theirs)) in samples.clone().zip(rooms) {
            let places = sample.places();
            own.copy_from_slice(&places[0]);
            theirs.copy_from_slice(&places[1]);
        }
        Self {
            places,
            outputs: samples.clone().map(|sample| sample.output() as i32).collect(),
            targets: samples.map(|sample| target.of(sample)).collect(),
        }
    }

    /// How many samples there are.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }
}

/// A way through all samples in random order, again and again; where it is follows from the seed and the number of steps.
#[derive(Clone, Debug)]
pub struct Shuffle {
    order: Vec<u32>,
    at: usize,
    random: SplitMix64,
}

impl Shuffle {
    /// The way that depends on `seed`.
    pub fn new(seed: u64) -> Self {
        Self { order: Vec::new(), at: 0, random: SplitMix64::new(seed) }
    }

    /// The next places among `count`, of which there may be more than the last time.
    pub fn next(&mut self, wanted: usize, count: usize) -> Vec<u32> {
        let mut places = Vec::with_capacity(wanted);
        while places.len() < wanted && count > 0 {
            if self.at == self.order.len() {
                self.order = (0..count as u32).collect();
                self.random.shuffle(&mut self.order);
                self.at = 0;
            }
            let taken = (self.order.len() - self.at).min(wanted - places.len());
            places.extend_from_slice(&self.order[self.at..self.at + taken]);
            self.at += taken;
        }
        places
    }
}
