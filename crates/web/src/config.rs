//! Configuration: what the start-up flags allow. Nothing here comes from a browser.

use std::path::PathBuf;
use std::sync::Arc;

use rukh_engine::tablebase::Tablebase;
use rukh_eval::Evaluation;
use rukh_knowledge::polyglot::Book;

/// The configuration of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// Name and version of the engine, for the page.
    pub name: String,
    /// The most search threads of a session.
    pub threads: usize,
    /// The largest transposition table of a session, in MiB.
    pub hash: usize,
    /// The most sessions.
    pub sessions: usize,
    /// The evaluation of positions.
    pub evaluation: Evaluation,
    /// Tablebases, if there are any.
    pub tablebase: Option<Arc<dyn Tablebase>>,
    /// The opening book of the engine in games.
    pub book: Option<Arc<Book>>,
    /// The directory whose state files are shown.
    pub lab: Option<PathBuf>,
    /// The token of every request; `None` for a random one that the index page hands out.
    pub token: Option<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            name: concat!("Rukh ", env!("CARGO_PKG_VERSION")).to_owned(),
            threads: 1,
            hash: 64,
            sessions: 16,
            evaluation: Evaluation::default(),
            tablebase: None,
            book: None,
            lab: None,
            token: None,
        }
    }
}

impl Config {
    /// The most lines of an analysis.
    pub(crate) const MULTIPV: usize = 5;
    /// The most nodes of a recorded search.
    pub(crate) const TREE_NODES: u64 = 2_000_000;
    /// The most recorded nodes of a search tree.
    pub(crate) const RECORDED_NODES: usize = 50_000;
    /// The most games of a review.
    pub(crate) const REVIEW_GAMES: usize = 50;

    /// The evaluation of this name.
    pub(crate) fn evaluation_named(&self, name: &str) -> Result<Evaluation, String> {
        match name {
            "classical" => Ok(Evaluation::Classical),
            "network" => Ok(match &self.evaluation {
                Evaluation::Network(network) => Evaluation::Network(network.clone()),
                Evaluation::Classical => Evaluation::default(),
            }),
            other => Err(format!("there is no evaluation {other:?}; there are network and classical")),
        }
    }

    /// The name of the evaluation at start-up.
    pub(crate) fn evaluation_name(&self) -> &'static str {
        match self.evaluation {
            Evaluation::Network(_) => "network",
            Evaluation::Classical => "classical",
        }
    }
}
