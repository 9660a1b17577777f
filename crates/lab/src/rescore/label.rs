//! The labels of one game, by a search on the calling thread.

use rukh_chess::random::SplitMix64;
use rukh_chess::{Move, Position};
use rukh_engine::SyncSearcher;
use rukh_engine::api::{Limits, Request};
use rukh_engine::technique::TechniqueOverrides;
use rukh_eval::Score;

use super::select::{can_be_labelled, random_of};
use super::settings::Rescore;
use crate::labelled::{LabelledPosition, SampleKind};
use crate::labels::LabelRecord;
use crate::packed::PackedGame;

/// The hard node limit of a search, as a multiple of the soft one.
const HARD_FACTOR: u64 = 2;
/// The second best move is searched with this part of the nodes.
const SECOND_PART: u64 = 4;
/// A root that is not labelled itself is searched with at most so many nodes: enough to have a tree to draw from.
const ROOT_NODES: u64 = 20_000;

/// A search on one thread with its transposition table.
pub(super) struct Labeller {
    search: SyncSearcher,
    nodes: u64,
}

impl Rescore {
    pub(super) fn labeller(&self) -> Labeller {
        let mebibytes = table_mebibytes(self.nodes);
        let search = SyncSearcher::new(TechniqueOverrides::default(), &self.evaluation, mebibytes);
        Labeller {
            search: search.expect("a machine that plays chess has a few mebibytes"),
            nodes: self.nodes,
        }
    }

    /// The labels of the game with this number of this source.
    pub(super) fn label(
        &self,
        game: &PackedGame,
        source: usize,
        number: u64,
        labeller: &mut Labeller,
    ) -> Vec<LabelRecord> {
        let mut random = random_of(self.seed, source, number);
        let selection = self.select(game, &mut random);
        labeller.search.clear();
        let mut labels = Vec::new();
        let mut tree = Vec::new();
        if let Some(root) = &selection.other_root {
            labeller.find(&root.position, self.nodes.min(ROOT_NODES), Vec::new());
            tree.extend(labeller.draw(root, selection.roots.len(), &mut random));
        }
        for (at, sample) in selection.played.into_iter().enumerate() {
            let best = labeller.find(&sample.position, self.nodes, Vec::new());
            // The next search makes the entries of this one old: its tree is drawn from now.
            let wanted = selection.roots.iter().filter(|&&root| root == at).count();
            tree.extend(labeller.draw(&sample, wanted, &mut random));
            labels.push(labeller.finish(sample, best, SampleKind::Played));
        }
        for (samples, kind) in [(selection.perturbed, SampleKind::Perturbed), (tree, SampleKind::Tree)] {
            for sample in samples {
                let best = labeller.find(&sample.position, self.nodes, Vec::new());
                labels.push(labeller.finish(sample, best, kind));
            }
        }
        labels
    }
}

/// The size of a transposition table for searches of so many nodes.
pub(crate) fn table_mebibytes(nodes: u64) -> usize {
    /// Nodes that a mebibyte of the table serves.
    const NODES_PER_MEBIBYTE: u64 = 4_096;
    // A larger table takes longer to clear.
    nodes.div_ceil(NODES_PER_MEBIBYTE).next_power_of_two().clamp(2, 64) as usize
}

impl Labeller {
    /// The best of some moves, of all if none is named, and its score.
    fn find(&mut self, position: &Position, nodes: u64, search_moves: Vec<Move>) -> (Move, Score) {
        let hard = HARD_FACTOR * nodes;
        let limits = Limits { soft_nodes: Some(nodes), nodes: Some(hard), search_moves, ..Limits::default() };
        let found = self.search.search(Request::from_position(position.clone(), limits));
        found.best.zip(found.score).expect("where the game is not over there is a move")
    }

    /// The label of a position whose best move is known: the other moves are searched, too.
    fn finish(&mut self, sample: LabelledPosition, best: (Move, Score), kind: SampleKind) -> LabelRecord {
        let position = sample.position;
        let others: Vec<Move> = position.legal_moves().iter().copied().filter(|&mv| mv != best.0).collect();
        let nodes = (self.nodes / SECOND_PART).max(1);
        let second = (!others.is_empty()).then(|| self.find(&position, nodes, others));
        LabelRecord::new(position, best, second, kind, sample.outcome)
    }

    /// Random positions, all different, of those that the last search visited, which started from `root`.
    fn draw(&self, root: &LabelledPosition, count: usize, random: &mut SplitMix64) -> Vec<LabelledPosition> {
        if count == 0 {
            return Vec::new();
        }
        let mut visited = self.search.visited_positions(&root.position);
        visited.retain(can_be_labelled);
        let label = |position: &Position| LabelledPosition {
            outcome: root.outcome,
            kind: Some(SampleKind::Tree),
            ..position.clone().into()
        };
        random.partial_shuffle(&mut visited, count).iter().map(label).collect()
    }
}
