//! What an option can reach, and what is done there.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rukh_chess::notation::{CastlingNotation, Quoted};
use rukh_engine::api::Settings;
use rukh_engine::strength::Strength;
use rukh_engine::tablebase::Tablebase;
use rukh_eval::{Evaluation, Network};
use rukh_knowledge::Syzygy;
use rukh_knowledge::polyglot::Book;

use crate::backend::Backend;
use crate::output::Output;

/// What [`Preferences::book_depth`] is at the beginning.
pub(super) const BOOK_DEPTH: i32 = 12;
/// What [`Preferences::book_variety`] is at the beginning.
pub(super) const BOOK_VARIETY: i32 = 50;
/// What [`Preferences::elo`] is at the beginning: a player of a club.
pub(super) const ELO: u32 = 1500;
/// What is set for the session rather than for the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preferences {
    /// How castling is written.
    pub castling: CastlingNotation,
    /// Whether the chances to win, draw and lose are told.
    pub shows_wdl: bool,
    /// Whether the other program may let us think on its time. It decides when; there is nothing to do about
    /// it here.
    pub may_ponder: bool,
    /// Whether this is analysis, where both sides are equally dear and contempt has no place.
    pub is_analysis: bool,
    /// Who sits on the other side, as it was told: title, rating, human or computer, name. It changes nothing
    /// in play.
    pub opponent: String,
    /// The contempt for games, kept while analysis puts it aside.
    pub contempt: i32,
    /// The network, kept while positions are judged by the classical evaluation.
    pub network: Arc<Network>,
    /// Whether positions are judged by the classical evaluation.
    pub is_classical: bool,
    /// Whether the engine plays as strong as [`Self::elo`] says.
    pub limits_elo: bool,
    /// A rating.
    pub elo: u32,
    /// A level, which counts where no rating does.
    pub level: u32,
    /// What the errors of weak play depend on; another one for each game.
    pub seed: u64,
    /// A book of openings.
    pub book: Arc<Book>,
    /// Whether moves come from it.
    pub uses_book: bool,
    /// After this many moves of each side no more do.
    pub book_depth: u32,
    /// How often other moves than the heaviest are chosen: from 0, never, to 100, as often as they weigh.
    pub book_variety: u32,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            castling: CastlingNotation::default(),
            shows_wdl: false,
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
        }
    }
}

impl Preferences {
    /// How strong to play; none if nothing is held back.
    pub fn strength(&self) -> Option<Strength> {
        let strength =
            if self.limits_elo { Strength::of_elo(self.elo) } else { Strength::of_level(self.level) };
        Some(strength.seeded(self.seed)).filter(|strength| !strength.is_full())
    }
}

/// What an option can reach.
pub struct Target<'a> {
    /// The engine.
    pub engine: &'a mut dyn Backend,
    /// What the session keeps for itself.
    pub preferences: &'a mut Preferences,
    /// Where lines go, for the log.
    pub(crate) output: &'a Output,
    /// Says a sentence to the other program, now or later.
    pub(crate) remark: Remark,
}

/// Says a sentence to the other program.
pub(crate) type Remark = Arc<dyn Fn(&str) + Send + Sync>;

impl Target<'_> {
    pub(super) fn adjust(&mut self, change: impl FnOnce(&mut Settings)) -> Result<(), String> {
        let mut settings = self.engine.settings();
        change(&mut settings);
        self.engine.set(settings);
        Ok(())
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
        // Saying the same again must not make the engine forget.
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

    /// Loads the network of a file, or goes back to the one that is built in.
    pub(super) fn load_network(&mut self, path: &str) -> Result<(), String> {
        self.preferences.network = match path {
            "" => Network::built_in(),
            path => {
                let loaded = Network::load(Path::new(path));
                Arc::new(loaded.map_err(|error| format!("the network stays: {error}"))?)
            }
        };
        self.adjust_evaluation();
        Ok(())
    }

    /// Loads the book of a file, or goes back to the one that is built in.
    pub(super) fn load_book(&mut self, path: &str) -> Result<(), String> {
        self.preferences.book = match path {
            "" => Book::built_in(),
            path => {
                let stays = |error: &dyn std::fmt::Display| {
                    format!("the book stays: {} cannot be loaded: {error}", Quoted::new(path))
                };
                let bytes = fs::read(path).map_err(|error| stays(&error))?;
                Arc::new(Book::read(&bytes).map_err(|error| stays(&error))?)
            }
        };
        Ok(())
    }

    /// Opens the tables of these folders, or closes those that are open.
    pub(super) fn open_tables(&mut self, path: &str) -> Result<(), String> {
        if path.is_empty() {
            self.engine.set_tablebase(None);
            return Ok(());
        }
        let remark = self.remark.clone();
        let tables = Syzygy::open(path, move |sentence| remark(sentence))
            .map_err(|error| format!("the tables of endings stay: {error}"))?;
        let (count, pieces) = (tables.count(), tables.max_pieces());
        self.engine.set_tablebase(Some(Arc::new(tables)));
        (self.remark)(&format!("{count} tables of endings with up to {pieces} pieces"));
        Ok(())
    }

    pub(super) fn log_to(&self, path: &str) -> Result<(), String> {
        let named = (!path.is_empty()).then(|| Path::new(path));
        self.output
            .log_to(named)
            .map_err(|error| format!("the log {} cannot be opened: {error}", Quoted::new(path)))
    }
}
