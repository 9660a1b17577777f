//! Leaf evaluation by a network with two heads, in batches: value and policy come together.
//!
//! It knows nothing of where the network runs.

use std::sync::Arc;

use rukh_eval::Score;

use super::leaf::{Leaf, LeafEvaluator};
use super::value::ValueModel;
use super::wdl::WinDrawLoss;
use crate::leaf_network::{LeafNetwork, NetworkInput, NetworkOutput};
use crate::params;
use crate::search::Job;
use crate::strength::Handicap;

/// Evaluates leaves by a network.
pub(super) struct NetworkEvaluator {
    network: Arc<dyn LeafNetwork>,
    handicap: Option<Handicap>,
    model: ValueModel,
}

impl NetworkEvaluator {
    pub(super) fn new(network: Arc<dyn LeafNetwork>) -> Self {
        Self { network, handicap: None, model: ValueModel::new(Score::DRAW, 1) }
    }

    /// Limited strength: the error of the handicap is added to the score of this WDL.
    fn with_error(&self, leaf: &Leaf, wdl: WinDrawLoss) -> WinDrawLoss {
        match &self.handicap {
            None => wdl,
            Some(handicap) => {
                let score = self.model.score(wdl.value()).value() + handicap.error(&leaf.position);
                self.model.wdl(Score::new(score))
            }
        }
    }
}

/// The WDL of an output. One that is no number, as after an overflow of 16-bit floats, is a draw.
fn wdl_of(output: &NetworkOutput) -> WinDrawLoss {
    let [win, draw, loss] = output.wdl;
    let is_valid = output.wdl.iter().all(|share| share.is_finite() && *share >= 0.0);
    if is_valid { WinDrawLoss { win, draw, loss } } else { WinDrawLoss::DRAW }
}

impl LeafEvaluator for NetworkEvaluator {
    fn begin(&mut self, job: &Job, _index: usize) {
        self.handicap = job.shared.handicap;
        self.model = ValueModel::new(Score::DRAW, job.request.game.position().fullmove_number());
    }

    fn value_model(&self) -> ValueModel {
        self.model
    }

    fn batch_size(&self) -> usize {
        self.network.batch_size().min(params::mcts_batch_max() as usize)
    }

    fn has_joint_policy(&self) -> bool {
        true
    }

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        if leaves.is_empty() {
            return;
        }
        let inputs = leaves.iter().map(|Leaf { position, moves, .. }| NetworkInput { position, moves });
        let inputs: Vec<_> = inputs.collect();
        let outputs = self.network.evaluate(&inputs);
        assert_eq!(outputs.len(), leaves.len(), "the network gives an output for each position");
        for (leaf, output) in leaves.iter_mut().zip(outputs) {
            leaf.wdl = self.with_error(leaf, wdl_of(&output));
            leaf.logits.clear();
            leaf.logits
                .extend(output.logits.iter().map(|logit| if logit.is_finite() { *logit } else { 0.0 }));
            leaf.logits.resize(leaf.moves.len(), 0.0);
        }
    }
}
