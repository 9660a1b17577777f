//! Savings of a technique: a sample of the nodes at which it was used is searched again, with it and without it.
//!
//! Both searches start with an empty transposition table and empty histories, so they differ by the technique alone. A
//! transposition table cut-off depends on what was searched before: there the nodes of the recorded search are compared.

use rukh_chess::game::Game;
use rukh_eval::{Evaluation, Score};

use super::sample::{Sample, SampledNode};
use super::stop::StopHandle;
use crate::api::ResourceError;
use crate::searchers::{InnerNode, NodeSearch};
use crate::technique::{Technique, TechniqueOverrides};
use crate::threads::spawn_search;
use crate::transposition::TranspositionTable;

/// The transposition table of a node search, in MiB.
const HASH: usize = 1;
/// The most nodes of a node search.
const MAX_NODES: u64 = 100_000;

/// What a technique saves at a sample of the nodes at which it was used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Savings {
    /// Nodes of the recorded search at which the technique was used.
    pub uses: u64,
    /// Nodes of the sample.
    pub sampled: u64,
    /// Nodes searched below the sample with the technique.
    pub with: u64,
    /// Nodes searched below the sample without it.
    pub without: u64,
    /// Nodes of the sample whose result is on another side of the window without the technique.
    pub changed: u64,
    /// Searches that reached their node limit; with any, `without` is a lower bound.
    pub limited: u64,
}

/// Searches the nodes of a sample below the current position of `game` again, with `overrides` and with `technique` switched
/// once more. `None` if it was stopped.
pub(super) fn measure(
    sample: &Sample,
    technique: Technique,
    overrides: TechniqueOverrides,
    evaluation: &Evaluation,
    game: &Game,
    stop: &StopHandle,
) -> Result<Option<Savings>, ResourceError> {
    let table = TranspositionTable::new(HASH, 1)?;
    let work = || {
        let search = NodeSearch::new(evaluation, table, game, MAX_NODES);
        Measurement { search, technique, overrides }.measure(sample, stop)
    };
    std::thread::scope(|scope| Ok(spawn_search(scope, work)?.join().expect("a search does not panic")))
}

/// A measurement of one technique.
struct Measurement<'g> {
    search: NodeSearch<'g>,
    technique: Technique,
    overrides: TechniqueOverrides,
}

impl Measurement<'_> {
    fn measure(mut self, sample: &Sample, stop: &StopHandle) -> Option<Savings> {
        let mut savings = Savings { uses: sample.uses, ..Savings::default() };
        for SampledNode { node, nodes } in &sample.nodes {
            if stop.is_stopped() {
                return None;
            }
            let (with, result) = self.search.search(node, self.overrides);
            let (without, other) = self.search.search(node, self.overrides.switched(self.technique));
            savings.sampled += 1;
            savings.with += if self.technique == Technique::TableCutoff { *nodes } else { with };
            savings.without += without;
            match (result, other) {
                (Some(result), Some(other)) => {
                    savings.changed += u64::from(side(node, result) != side(node, other));
                }
                _ => savings.limited += 1,
            }
        }
        Some(savings)
    }
}

/// Below, inside or above the window.
fn side(node: &InnerNode, score: Score) -> (bool, bool) {
    (score <= node.alpha, score >= node.beta)
}

#[cfg(test)]
mod tests {
    use rukh_chess::Position;

    use super::super::{SearchTree, TreeLimits, record_tree};
    use super::*;
    use crate::api::{Limits, Request};

    const MIDDLEGAME: &str = "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 4 8";

    fn recorded() -> (SearchTree, Game) {
        let game = Game::new(MIDDLEGAME.parse::<Position>().expect("valid FEN"));
        let limits = Limits { depth: Some(8), ..Limits::default() };
        let request = Request { game: game.clone(), limits };
        let bounds = TreeLimits { max_nodes: 0, ..TreeLimits::default() };
        let (overrides, stop) = (TechniqueOverrides::default(), StopHandle::default());
        let tree = record_tree(overrides, &Evaluation::Classical, request, 4, bounds, &stop);
        (tree.expect("a few mebibytes are available"), game)
    }

    #[test]
    fn pruning_saves_nodes_and_a_measurement_repeats() {
        let (tree, game) = recorded();
        let measure = |technique| {
            let overrides = TechniqueOverrides::default();
            let stop = StopHandle::default();
            tree.measure_savings(technique, overrides, &Evaluation::Classical, &game, &stop)
                .expect("a mebibyte is available")
                .expect("the technique is used")
        };
        for technique in [Technique::NullMove, Technique::ReverseFutility, Technique::LateMoveReductions] {
            let savings = measure(technique);
            assert!(savings.sampled > 0 && savings.sampled <= savings.uses, "{technique}: {savings:?}");
            assert_eq!(savings, measure(technique), "{technique}");
        }
        // A node that is decided without a search is the cheapest there is.
        let futility = measure(Technique::ReverseFutility);
        assert!(futility.without > 2 * futility.with, "{futility:?}");
        // The node itself counts; a cut-off needs no more.
        let cutoff = measure(Technique::TableCutoff);
        assert_eq!(cutoff.with, cutoff.sampled);
    }

    #[test]
    fn every_decision_by_a_technique_is_a_use() {
        let (tree, _) = recorded();
        let uses = tree.uses().collect::<std::collections::BTreeMap<_, _>>();
        for (reason, count) in &tree.totals.decided {
            let Some(technique) = reason.technique() else { continue };
            // Searches of the position of their parent are decided too, and cannot be searched again.
            let least = if technique == Technique::TableCutoff { 1 } else { count / 2 };
            assert!(uses[&technique] >= least, "{technique}: {uses:?}");
        }
        assert!(!uses.contains_key(&Technique::Countermove), "it is off");
    }

    #[test]
    fn a_stopped_measurement_has_no_result() {
        let (tree, game) = recorded();
        let stop = StopHandle::default();
        stop.stop();
        let overrides = TechniqueOverrides::default();
        let savings =
            tree.measure_savings(Technique::NullMove, overrides, &Evaluation::Classical, &game, &stop);
        assert_eq!(savings.expect("a mebibyte is available"), None);
        let unused =
            tree.measure_savings(Technique::Countermove, overrides, &Evaluation::Classical, &game, &stop);
        assert_eq!(unused.expect("no memory is needed"), None);
    }
}
