//! What a rescoring follows from.

use rukh_eval::Evaluation;

use super::source::GamesFile;
use crate::labels::{Manifest, Source};

/// How positions are taken from games and labelled.
#[derive(Clone, PartialEq, Debug)]
pub struct Rescore {
    /// What positions are evaluated by.
    pub evaluation: Evaluation,
    /// Nodes of each search, after which no other iteration starts.
    pub nodes: u64,
    /// The seed of all random choices.
    pub seed: u64,
    /// Quiet played positions of each game, in the mean: one from each equal part of the game.
    pub played: f64,
    /// Perturbed positions of each game, in the mean: one or two random moves away from a played one.
    pub perturbed: f64,
    /// Positions from the search tree of a played position of each game, in the mean.
    pub tree: f64,
}

impl Default for Rescore {
    fn default() -> Self {
        Self {
            evaluation: Evaluation::default(),
            nodes: 5_000,
            seed: 1,
            played: 2.0,
            perturbed: 1.0,
            tree: 1.0,
        }
    }
}

impl Rescore {
    /// What a file of such labels says about itself.
    pub fn manifest(&self, sources: &[GamesFile]) -> Manifest {
        let source = |file: &GamesFile| Source { name: file.name(), first_game: file.first_game() };
        Manifest {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            network: self.evaluation.fingerprint(),
            nodes: self.nodes,
            seed: self.seed,
            played: self.played,
            perturbed: self.perturbed,
            tree: self.tree,
            sources: sources.iter().map(source).collect(),
        }
    }

    /// How many games make a block of labels: it takes some seconds to search, so that an interruption costs little.
    pub(super) fn games_per_block(&self) -> u64 {
        const MOST: u64 = 64;
        const NODES: u64 = MOST * 5_000;
        (NODES / self.nodes.max(1)).clamp(1, MOST)
    }
}
