//! What an option can change: the engine's settings, the session's preferences, the log.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rukh_chess::notation::{CastlingNotation, Quoted};
use rukh_engine::api::{Algorithm, Settings};
use rukh_engine::strength::Strength;
use rukh_engine::tablebase::Tablebase;
use rukh_eval::{Evaluation, Network, PolicyNetwork};
use rukh_knowledge::Syzygy;
use rukh_knowledge::polyglot::Book;

use crate::engine_handle::EngineHandle;
use crate::hooks::{LoadLeafNetwork, LoadedLeafNetwork};
use crate::output::Output;

/// The default of [`Preferences::book_depth`].
pub(super) const BOOK_DEPTH: i32 = 12;
/// The default of [`Preferences::book_variety`].
pub(super) const BOOK_VARIETY: i32 = 50;
/// The default of [`Preferences::elo`]: a club player.
pub(super) const ELO: u32 = 1500;

/// The backends of a leaf network, the default first.
pub(super) const BACKENDS: &[&str] = &["cpu", "cuda"];

/// The options kept in the session rather than in the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Preferences {
    /// The spelling of castling moves.
    pub castling: CastlingNotation,
    /// Whether WDL is reported.
    pub shows_wdl: bool,
    /// Whether a tree search reports the table of its root moves.
    pub shows_root: bool,
    /// Whether the GUI may let the engine ponder. The GUI decides when, so this has no effect here.
    pub may_ponder: bool,
    /// Whether this is analysis; contempt is not applied then.
    pub is_analysis: bool,
    /// The opponent as received: title, rating, human or computer, name. It does not affect play.
    pub opponent: String,
    /// The contempt for games, in internal units; kept while analysis does not apply it.
    pub contempt: i32,
    /// The network; kept while the classical evaluation is in use.
    pub network: Arc<Network>,
    /// Whether the classical evaluation is in use.
    pub is_classical: bool,
    /// Whether the strength is limited to [`Self::elo`].
    pub limits_elo: bool,
    /// The rating for limited strength.
    pub elo: u32,
    /// The skill level, used where the rating is not.
    pub level: u32,
    /// The random seed of limited strength; a new one for each game.
    pub seed: u64,
    /// The opening book.
    pub book: Arc<Book>,
    /// Whether the engine plays from the book.
    pub uses_book: bool,
    /// The last move number at which the book is used.
    pub book_depth: u32,
    /// How often moves other than the heaviest are chosen: from 0 (never) to 100 (in proportion to their weights).
    pub book_variety: u32,
    /// The file of the leaf network; empty for none.
    pub leaf_network: String,
    /// The backend of the leaf network.
    pub backend: &'static str,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            castling: CastlingNotation::default(),
            shows_wdl: false,
            shows_root: false,
            may_ponder: false,
            is_analysis: false,
            opponent: String::new(),
            contempt: 0,
            network: Network::built_in(),
            is_classical: false,
            limits_elo: false,
            elo: ELO,
            level: Strength::MAX_LEVEL,
            seed: 0,
            book: Book::built_in(),
            uses_book: false,
            book_depth: BOOK_DEPTH as u32,
            book_variety: BOOK_VARIETY as u32,
            leaf_network: String::new(),
            backend: BACKENDS[0],
        }
    }
}

impl Preferences {
    /// The limited strength; `None` for full strength.
    pub(crate) fn strength(&self) -> Option<Strength> {
        let strength =
            if self.limits_elo { Strength::of_elo(self.elo) } else { Strength::of_level(self.level) };
        Some(strength.seeded(self.seed)).filter(|strength| !strength.is_full())
    }
}

/// What an option can change.
pub struct OptionTarget<'a> {
    /// The engine.
    pub(crate) engine: &'a mut dyn EngineHandle,
    /// The session's preferences.
    pub(crate) preferences: &'a mut Preferences,
    /// The output, for the log file.
    pub(crate) output: &'a Output,
    /// Sends a message to the GUI, now or later.
    pub(crate) message: MessageSender,
    /// Loads a leaf network.
    pub(crate) load_leaf_network: LoadLeafNetwork,
}

/// Sends a message to the GUI.
pub(crate) type MessageSender = Arc<dyn Fn(&str) + Send + Sync>;

impl OptionTarget<'_> {
    pub(super) fn adjust(&mut self, change: impl FnOnce(&mut Settings)) -> Result<(), String> {
        let mut settings = self.engine.settings();
        change(&mut settings);
        self.engine.set(settings);
        Ok(())
    }

    /// Reports that fewer threads are in use than are set.
    pub(super) fn report_thread_shortage(&self) {
        if let Some(sentence) = self.engine.thread_shortage() {
            (self.message)(&sentence);
        }
    }

    /// Chooses the search. If there is no memory for it, the old one stays, and a message says so.
    pub(super) fn choose_search(&mut self, algorithm: Algorithm) {
        let mut settings = self.engine.settings();
        settings.algorithm = algorithm;
        self.engine.set(settings);
        if self.engine.settings().algorithm != algorithm {
            (self.message)(&format!("there is no memory for the search {algorithm}; the old one stays"));
        }
    }

    pub(super) fn adjust_contempt(&mut self) {
        let contempt = if self.preferences.is_analysis { 0 } else { self.preferences.contempt };
        let mut settings = self.engine.settings();
        settings.contempt = contempt;
        self.engine.set(settings);
    }

    pub(super) fn adjust_evaluation(&mut self) {
        let Preferences { network, is_classical, .. } = &*self.preferences;
        let evaluation =
            if *is_classical { Evaluation::Classical } else { Evaluation::Network(network.clone()) };
        // Setting the same evaluation again must not clear the engine's state.
        if *self.engine.evaluation() != evaluation {
            self.engine.set_evaluation(evaluation);
        }
    }

    pub(super) fn adjust_strength(&mut self) {
        let strength = self.preferences.strength();
        let mut settings = self.engine.settings();
        settings.strength = strength;
        self.engine.set(settings);
    }

    /// Loads a network file; with an empty path, the built-in network.
    pub(super) fn load_network(&mut self, path: &str) -> Result<(), String> {
        self.preferences.network = match path {
            "" => Network::built_in(),
            path => {
                let loaded = Network::load(Path::new(path));
                Arc::new(loaded.map_err(|error| format!("the network is unchanged: {error}"))?)
            }
        };
        self.adjust_evaluation();
        Ok(())
    }

    /// Loads a policy network; with an empty path, the built-in one.
    pub(super) fn load_policy(&mut self, path: &str) -> Result<(), String> {
        let policy = match path {
            "" => PolicyNetwork::built_in(),
            path => {
                let loaded = PolicyNetwork::load(Path::new(path));
                Some(Arc::new(loaded.map_err(|error| format!("the policy network is unchanged: {error}"))?))
            }
        };
        self.engine.set_policy(policy);
        Ok(())
    }

    /// Loads a leaf network for a backend; with an empty path, the evaluation and the policy network are used again.
    #[cfg_attr(
        not(feature = "leaf-network"),
        expect(dead_code, reason = "without the feature there is no option")
    )]
    pub(super) fn set_leaf_network(&mut self, path: &str, backend: &'static str) -> Result<(), String> {
        let network = match path {
            "" => None,
            path => {
                let loaded = (self.load_leaf_network)(Path::new(path), backend);
                let LoadedLeafNetwork { network, notice } =
                    loaded.map_err(|error| format!("the leaf network is unchanged: {error}"))?;
                notice.iter().for_each(|sentence| (self.message)(sentence));
                Some(network)
            }
        };
        // Without a file a backend changes nothing yet.
        if network.is_some() || !self.preferences.leaf_network.is_empty() {
            self.engine.set_leaf_network(network);
        }
        path.clone_into(&mut self.preferences.leaf_network);
        self.preferences.backend = backend;
        Ok(())
    }

    /// Loads a book file; with an empty path, the built-in book.
    pub(super) fn load_book(&mut self, path: &str) -> Result<(), String> {
        self.preferences.book = match path {
            "" => Book::built_in(),
            path => {
                let refusal = |error: &dyn std::fmt::Display| {
                    format!("the book is unchanged: {} cannot be loaded: {error}", Quoted::new(path))
                };
                let bytes = fs::read(path).map_err(|error| refusal(&error))?;
                Arc::new(Book::read(&bytes).map_err(|error| refusal(&error))?)
            }
        };
        Ok(())
    }

    /// Opens the tablebases in these folders; with an empty path, closes them.
    pub(super) fn open_tablebases(&mut self, path: &str) -> Result<(), String> {
        if path.is_empty() {
            self.engine.set_tablebase(None);
            return Ok(());
        }
        let message = self.message.clone();
        let tablebases = Syzygy::open(path, move |sentence| message(sentence))
            .map_err(|error| format!("the tablebases are unchanged: {error}"))?;
        let (count, pieces) = (tablebases.count(), tablebases.max_pieces());
        self.engine.set_tablebase(Some(Arc::new(tablebases)));
        (self.message)(&format!("{count} tablebases with up to {pieces} pieces"));
        Ok(())
    }

    pub(super) fn log_to(&self, path: &str) -> Result<(), String> {
        let named = (!path.is_empty()).then(|| Path::new(path));
        self.output
            .log_to(named)
            .map_err(|error| format!("the log {} cannot be opened: {error}", Quoted::new(path)))
    }
}
