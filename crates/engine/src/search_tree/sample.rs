//! Node samples: for each technique a uniform sample of the nodes at which it was used (reservoir sampling).
//!
//! The sample does not depend on which nodes are recorded. The same search gives the same sample.

use std::collections::BTreeMap;

use rukh_chess::random::SplitMix64;

use crate::searchers::InnerNode;
use crate::technique::Technique;

/// Nodes of a sample.
const SIZE: usize = 24;
/// The seed of the random choice.
const SEED: u64 = 29;

/// A node at which a technique was used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SampledNode {
    pub(super) node: InnerNode,
    /// Nodes of its subtree in the search.
    pub(super) nodes: u64,
}

/// The nodes of one technique.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Sample {
    /// Nodes at which it was used.
    pub(super) uses: u64,
    /// Some of them, each as likely as any other.
    pub(super) nodes: Vec<SampledNode>,
}

/// The samples of a search.
pub(super) type Samples = BTreeMap<Technique, Sample>;

/// Chooses the samples of a running search.
pub(super) struct Sampler {
    samples: Samples,
    random: SplitMix64,
}

impl Sampler {
    pub(super) fn new() -> Self {
        Self { samples: Samples::new(), random: SplitMix64::new(SEED) }
    }

    /// The samples.
    pub(super) fn finish(self) -> Samples {
        self.samples
    }

    /// Counts a use of the technique; `node` makes the node if it is chosen for the sample.
    pub(super) fn offer(&mut self, technique: Technique, node: impl FnOnce() -> SampledNode) {
        let sample = self.samples.entry(technique).or_default();
        sample.uses += 1;
        if sample.nodes.len() < SIZE {
            sample.nodes.push(node());
            return;
        }
        let place = self.random.below(sample.uses) as usize;
        if let Some(chosen) = sample.nodes.get_mut(place) {
            *chosen = node();
        }
    }
}
