//! Configuration: what the start-up flags allow. Nothing here comes from a browser.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rukh_engine::tablebase::Tablebase;
use rukh_knowledge::polyglot::Book;

use crate::evaluations::Evaluations;

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
    /// The evaluations that a page can choose.
    pub evaluations: Evaluations,
    /// Tablebases, if there are any.
    pub tablebase: Option<Arc<dyn Tablebase>>,
    /// The opening book of the engine in games.
    pub book: Option<Arc<Book>>,
    /// The directory whose state files are shown.
    pub lab: Option<PathBuf>,
    /// How long the server waits for a slow client: for the head of a request, for its body, and for room in its answer.
    pub patience: Duration,
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
            evaluations: Evaluations::default(),
            tablebase: None,
            book: None,
            lab: None,
            patience: Duration::from_secs(30),
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
}
