//! The settings of self-play with visit distributions, and their manifest.

use std::sync::Arc;

use rukh_engine::api::{Algorithm, LeafNetwork, NoThread};
use rukh_engine::technique::{Technique, TechniqueOverrides};
use rukh_engine::{Dirichlet, RootPolicy, SyncSearcher};
use rukh_eval::PolicyNetwork;
use serde_json::json;

use super::game::Resignation;
use super::manifest::VisitManifest;
use crate::arena::{Adjudication, Book};
use crate::selfplay::{HASH, SelfPlay};

/// The settings.
#[derive(Clone, Debug)]
pub struct VisitPlay {
    /// Openings, seed, evaluation, and as nodes the leaves that are evaluated for a move. Its adjudication is not used.
    pub games: SelfPlay,
    /// The policy network; `None` for the handcrafted prior.
    pub policy: Option<Arc<PolicyNetwork>>,
    /// A network with two heads that evaluates the leaves in place of the evaluation and the policy network, and its
    /// fingerprint.
    pub leaf_network: Option<(Arc<dyn LeafNetwork>, String)>,
    /// How the root is searched: by PUCT for visits, by Gumbel and sequential halving for the improved policy.
    pub root: RootPolicy,
    /// The factor on the Gumbel noise.
    pub gumbel_scale: f64,
    /// Dirichlet noise on the priors of a PUCT root.
    pub dirichlet: Dirichlet,
    /// The temperature by which the first moves of a game are drawn from the policy target; 0 plays the greatest part.
    pub temperature: f64,
    /// The number of plies after the opening that are drawn so.
    pub temperature_plies: u32,
    /// When a side resigns; `None` for never.
    pub resignation: Option<Resignation>,
    /// The share of games in which nobody resigns, so that false resignations can be counted.
    pub play_on_share: f64,
    /// After so many plies a game is drawn.
    pub max_plies: u32,
}

impl Default for VisitPlay {
    fn default() -> Self {
        let games = SelfPlay {
            algorithm: Algorithm::Mcts,
            nodes: 128,
            adjudication: Adjudication::default(),
            ..SelfPlay::default()
        };
        Self {
            games,
            policy: PolicyNetwork::built_in(),
            leaf_network: None,
            root: RootPolicy::Improved,
            gumbel_scale: 1.0,
            dirichlet: Dirichlet { alpha: 0.3, share: 0.25 },
            temperature: 1.0,
            temperature_plies: 12,
            resignation: Some(Resignation { below: 0.03, moves: 3 }),
            play_on_share: 0.1,
            max_plies: 400,
        }
    }
}

impl VisitPlay {
    /// A searcher: leaves are evaluated by the networks alone, and every search begins with an empty tree, so that a target has
    /// exactly its number of leaves.
    pub(super) fn searcher(&self) -> SyncSearcher {
        let always = [Technique::LeafSearch, Technique::TreeReuse];
        // The logits of the improved policy are those of the network.
        let gumbel = [Technique::GumbelRoot, Technique::PolicyTemperature];
        let gumbel = gumbel.into_iter().filter(|_| self.root == RootPolicy::Improved);
        let overrides = TechniqueOverrides::these(always.into_iter().chain(gumbel));
        let searcher = SyncSearcher::with_algorithm(Algorithm::Mcts, overrides, &self.games.evaluation, HASH);
        let mut searcher = searcher.expect("a machine that plays chess has a few mebibytes");
        searcher.set_policy(self.policy.clone());
        searcher.set_leaf_network(self.leaf_network.as_ref().map(|(network, _)| network.clone()));
        searcher
    }

    /// Whether openings can be found.
    pub fn has_openings(&self) -> Result<bool, NoThread> {
        self.games.has_openings_with(|| self.searcher())
    }

    /// What a file of such games says about itself: everything that its games follow from.
    pub fn manifest(&self) -> VisitManifest {
        let SelfPlay { seed, evaluation, nodes, random_plies, book, chess960, max_opening_score, .. } =
            &self.games;
        let policy = self.policy.as_ref().map(|policy| format!("{:016x}", policy.fingerprint()));
        VisitManifest::new(json!({
            "program": env!("CARGO_PKG_VERSION"),
            "value network": evaluation.fingerprint(),
            "policy network": policy,
            "leaf network": self.leaf_network.as_ref().map(|(_, fingerprint)| fingerprint),
            "seed": seed,
            "evaluations": nodes,
            "root": match self.root { RootPolicy::Improved => "gumbel", RootPolicy::Visits => "puct" },
            "Gumbel scale": self.gumbel_scale,
            "Dirichlet alpha": self.dirichlet.alpha,
            "Dirichlet share": self.dirichlet.share,
            "temperature": self.temperature,
            "temperature plies": self.temperature_plies,
            "resign below": self.resignation.map(|rule| rule.below),
            "resign moves": self.resignation.map(|rule| rule.moves),
            "play-on share": self.play_on_share,
            "greatest number of plies": self.max_plies,
            "random plies": [random_plies.start(), random_plies.end()],
            "openings": book.as_ref().map(Book::fingerprint),
            "Chess960 share": chess960,
            "greatest score of an opening": max_opening_score.value(),
        }))
    }
}
