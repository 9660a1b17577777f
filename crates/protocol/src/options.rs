//! Everything that can be set, each declared once: name, kind, range, and what setting it does.
//!
//! The list a protocol shows, the check of a value and the change itself are all made from the declaration.
//! How a protocol writes the list is unknown here.

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use rukh_chess::notation::{CastlingNotation, Quoted};
use rukh_engine::Engine;
use rukh_engine::api::Settings;
use rukh_engine::params::{TUNABLES, Tunable};
use rukh_engine::tablebase::Tablebase;
use rukh_engine::technique::Switched;
use rukh_eval::{Evaluation, Network};
use rukh_knowledge::Syzygy;
use rukh_knowledge::polyglot::Book;

use crate::backend::Backend;
use crate::output::Output;

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
    /// The contempt for games, kept while analysis puts it aside.
    pub contempt: i32,
    /// The network, kept while positions are judged by the classical evaluation.
    pub network: Arc<Network>,
    /// Whether positions are judged by the classical evaluation.
    pub is_classical: bool,
    /// A book of openings.
    pub book: Option<Arc<Book>>,
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
            contempt: 0,
            network: Network::built_in(),
            is_classical: false,
            book: None,
            uses_book: false,
            book_depth: BOOK_DEPTH as u32,
            book_variety: BOOK_VARIETY as u32,
        }
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

/// One thing that can be set.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// Its name. Case does not matter when it is looked up.
    pub name: &'static str,
    /// Another name that some programs use for it.
    pub alias: Option<&'static str>,
    /// What values it takes and what they do.
    pub kind: Kind,
    /// Whether the engine must be at rest. If it is not, the change is kept until its search has ended: a
    /// search is never stopped by an option, as the one who started it does not expect a move before its
    /// time.
    pub needs_rest: bool,
}

/// What values an option takes, and what is done with them.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A whole number in a range. All ranges fit in 32 bits, because other programs read them so.
    Spin {
        /// The value at the beginning.
        default: i32,
        /// The least.
        min: i32,
        /// The greatest.
        max: i32,
        /// Sets it, or says why that is not possible.
        apply: Setter,
    },
    /// Yes or no.
    Check {
        /// The value at the beginning.
        default: bool,
        /// Sets it.
        apply: fn(&mut Target<'_>, bool),
    },
    /// One of a few words.
    Choice {
        /// The words, of which the first is the value at the beginning.
        words: &'static [&'static str],
        /// Sets the word of this number.
        apply: fn(&mut Target<'_>, usize),
    },
    /// Any text; empty at the beginning.
    Text {
        /// Sets it, or says why that is not possible.
        apply: fn(&mut Target<'_>, &str) -> Result<(), String>,
    },
    /// Something to be done.
    Button {
        /// Does it.
        apply: fn(&mut Target<'_>),
    },
}

/// How a number is set.
#[derive(Clone, Copy, Debug)]
pub enum Setter {
    /// Somewhere in the session or its engine.
    There(fn(&mut Target<'_>, i32) -> Result<(), String>),
    /// For all engines: a tunable of the search.
    Everywhere(fn(i32)),
}

/// A value that has been found fit for its option.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Value {
    Number(i32),
    Truth(bool),
    Word(usize),
    Text(String),
    Nothing,
}

/// A change that may be made: the option exists and the value fits.
#[derive(Clone, Debug)]
pub struct Change {
    declaration: &'static Declaration,
    value: Value,
}

/// What [`Preferences::book_depth`] is at the beginning.
const BOOK_DEPTH: i32 = 12;
/// What [`Preferences::book_variety`] is at the beginning.
const BOOK_VARIETY: i32 = 50;
/// How UCI programs write a text that is empty.
const EMPTY: &str = "<empty>";
/// 32 TiB in mebibytes: more than any machine has, and less than 2^31.
const MAX_HASH: i32 = 32 << 20;

/// Every option of play.
static OPTIONS: [Declaration; 22] = [
    engine_spin("Hash", Engine::DEFAULT_HASH as i32, 1, MAX_HASH, |target, mebibytes| {
        target.engine.resize_hash(mebibytes as usize).map_err(|error| error.to_string())
    }),
    engine_spin("Threads", 1, 1, 1024, |target, threads| {
        target.adjust(|settings| settings.threads = threads as usize)
    }),
    engine_spin("MultiPV", 1, 1, 256, |target, lines| {
        target.adjust(|settings| settings.multipv = lines as usize)
    }),
    Declaration {
        alias: Some("MoveOverhead"),
        ..engine_spin("Move Overhead", 10, 0, 5000, |target, ms| {
            target.adjust(|settings| settings.move_overhead = Duration::from_millis(ms as u64))
        })
    },
    engine_spin("Contempt", 0, -200, 200, |target, centipawns| {
        target.preferences.contempt = centipawns;
        target.adjust_contempt();
        Ok(())
    }),
    check("Ponder", |target, is_on| target.preferences.may_ponder = is_on),
    check("UCI_Chess960", |target, is_on| {
        target.preferences.castling =
            if is_on { CastlingNotation::RookSquare } else { CastlingNotation::KingTarget };
    }),
    check("UCI_ShowWDL", |target, is_on| target.preferences.shows_wdl = is_on),
    Declaration {
        needs_rest: true,
        ..check("UCI_AnalyseMode", |target, is_on| {
            target.preferences.is_analysis = is_on;
            target.adjust_contempt();
        })
    },
    Declaration {
        name: "Clear Hash",
        alias: None,
        kind: Kind::Button { apply: |target| target.engine.clear() },
        needs_rest: true,
    },
    Declaration {
        name: "Evaluation",
        alias: None,
        kind: Kind::Choice {
            words: &["network", "classical"],
            apply: |target, word| {
                target.preferences.is_classical = word == 1;
                target.adjust_evaluation();
            },
        },
        needs_rest: true,
    },
    Declaration {
        name: "EvalFile",
        alias: None,
        kind: Kind::Text { apply: |target, path| target.load_network(path) },
        needs_rest: true,
    },
    check("OwnBook", |target, is_on| target.preferences.uses_book = is_on),
    Declaration {
        name: "BookFile",
        alias: None,
        kind: Kind::Text { apply: |target, path| target.load_book(path) },
        needs_rest: false,
    },
    Declaration {
        needs_rest: false,
        ..engine_spin("BookDepth", BOOK_DEPTH, 1, 200, |target, moves| {
            target.preferences.book_depth = moves as u32;
            Ok(())
        })
    },
    Declaration {
        needs_rest: false,
        ..engine_spin("BookVariety", BOOK_VARIETY, 0, 100, |target, variety| {
            target.preferences.book_variety = variety as u32;
            Ok(())
        })
    },
    Declaration {
        name: "SyzygyPath",
        alias: None,
        kind: Kind::Text { apply: |target, path| target.open_tables(path) },
        needs_rest: true,
    },
    engine_spin("SyzygyProbeDepth", 1, 1, 100, |target, depth| {
        target.adjust(|settings| settings.tablebase.depth = depth as u32)
    }),
    engine_spin("SyzygyProbeLimit", 7, 0, 7, |target, men| {
        target.adjust(|settings| settings.tablebase.men = men as u32)
    }),
    Declaration {
        name: "Syzygy50MoveRule",
        alias: None,
        kind: Kind::Check {
            default: true,
            apply: |target, counts| {
                let mut settings = target.engine.settings();
                settings.tablebase.counts_fifty = counts;
                target.engine.set(settings);
            },
        },
        needs_rest: true,
    },
    Declaration {
        name: "Techniques",
        alias: None,
        kind: Kind::Text {
            apply: |target, names| {
                let switched = names.parse::<Switched>().map_err(|error| error.to_string())?;
                target.adjust(|settings| settings.switched = switched)
            },
        },
        needs_rest: true,
    },
    Declaration {
        name: "Debug Log File",
        alias: None,
        kind: Kind::Text { apply: |target, path| target.log_to(path) },
        needs_rest: false,
    },
];

const fn engine_spin(
    name: &'static str,
    default: i32,
    min: i32,
    max: i32,
    apply: fn(&mut Target<'_>, i32) -> Result<(), String>,
) -> Declaration {
    Declaration {
        name,
        alias: None,
        kind: Kind::Spin { default, min, max, apply: Setter::There(apply) },
        needs_rest: true,
    }
}

/// Those tunables that can be set: all or none, as the engine was built.
static TUNABLE_OPTIONS: LazyLock<Vec<Declaration>> = LazyLock::new(|| {
    let declare = |tunable: &Tunable| {
        let (default, min, max) = (tunable.value, tunable.min, tunable.max);
        let kind = Kind::Spin { default, min, max, apply: Setter::Everywhere(tunable.set?) };
        Some(Declaration { name: tunable.name, alias: None, kind, needs_rest: true })
    };
    TUNABLES.iter().filter_map(declare).collect()
});

const fn check(name: &'static str, apply: fn(&mut Target<'_>, bool)) -> Declaration {
    Declaration { name, alias: None, kind: Kind::Check { default: false, apply }, needs_rest: false }
}

impl Target<'_> {
    fn adjust(&mut self, change: impl FnOnce(&mut Settings)) -> Result<(), String> {
        let mut settings = self.engine.settings();
        change(&mut settings);
        self.engine.set(settings);
        Ok(())
    }

    fn adjust_contempt(&mut self) {
        let contempt = if self.preferences.is_analysis { 0 } else { self.preferences.contempt };
        let mut settings = self.engine.settings();
        settings.contempt = contempt;
        self.engine.set(settings);
    }

    fn adjust_evaluation(&mut self) {
        let Preferences { network, is_classical, .. } = &*self.preferences;
        let evaluation =
            if *is_classical { Evaluation::Classical } else { Evaluation::Network(network.clone()) };
        // Saying the same again must not make the engine forget.
        if *self.engine.evaluation() != evaluation {
            self.engine.set_evaluation(evaluation);
        }
    }

    /// Loads the network of a file, or goes back to the one that is built in.
    fn load_network(&mut self, path: &str) -> Result<(), String> {
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

    /// Loads the book of a file, or puts it aside.
    fn load_book(&mut self, path: &str) -> Result<(), String> {
        self.preferences.book = match path {
            "" => None,
            path => {
                let stays = |error: &dyn std::fmt::Display| {
                    format!("the book stays: {} cannot be loaded: {error}", Quoted::new(path))
                };
                let bytes = fs::read(path).map_err(|error| stays(&error))?;
                Some(Arc::new(Book::read(&bytes).map_err(|error| stays(&error))?))
            }
        };
        Ok(())
    }

    /// Opens the tables of these folders, or closes those that are open.
    fn open_tables(&mut self, path: &str) -> Result<(), String> {
        if path.is_empty() {
            self.engine.set_tablebase(None);
            return Ok(());
        }
        let remark = self.remark.clone();
        let tables = Syzygy::open(path, move |sentence| remark(sentence))
            .map_err(|error| format!("the tables of endings stay: {error}"))?;
        let (count, men) = (tables.count(), tables.max_men());
        self.engine.set_tablebase(Some(Arc::new(tables)));
        (self.remark)(&format!("{count} tables of endings with up to {men} men"));
        Ok(())
    }

    fn log_to(&self, path: &str) -> Result<(), String> {
        let named = (!path.is_empty()).then(|| Path::new(path));
        self.output
            .log_to(named)
            .map_err(|error| format!("the log {} cannot be opened: {error}", Quoted::new(path)))
    }
}

impl Declaration {
    /// Every option: those of play and, in a build to tune with, the tunables.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        OPTIONS.iter().chain(TUNABLE_OPTIONS.iter())
    }

    /// The option of this name, whatever the case and the number of spaces.
    pub fn find(name: &str) -> Option<&'static Self> {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_meant = |known: &str| known.eq_ignore_ascii_case(&name);
        Self::all().find(|option| is_meant(option.name) || option.alias.is_some_and(is_meant))
    }

    fn read(&self, text: Option<&str>) -> Result<Value, String> {
        let name = self.name;
        let given = || text.ok_or_else(|| format!("{name} needs a value"));
        match self.kind {
            Kind::Spin { min, max, .. } => {
                let text = given()?;
                let number = text.parse().ok().filter(|number| (min..=max).contains(number));
                number.map(Value::Number).ok_or_else(|| {
                    format!("{name} takes a number from {min} to {max}, not {}", Quoted::new(text))
                })
            }
            Kind::Check { .. } => match given()? {
                text if text.eq_ignore_ascii_case("true") => Ok(Value::Truth(true)),
                text if text.eq_ignore_ascii_case("false") => Ok(Value::Truth(false)),
                text => Err(format!("{name} takes true or false, not {}", Quoted::new(text))),
            },
            Kind::Choice { words, .. } => {
                let text = given()?;
                let word = words.iter().position(|word| word.eq_ignore_ascii_case(text));
                word.map(Value::Word)
                    .ok_or_else(|| format!("{name} takes {}, not {}", words.join(" or "), Quoted::new(text)))
            }
            Kind::Text { .. } => {
                Ok(Value::Text(text.filter(|&text| text != EMPTY).unwrap_or_default().to_owned()))
            }
            Kind::Button { .. } => Ok(Value::Nothing),
        }
    }
}

impl Change {
    /// The change that is asked for, or a sentence that says what is wrong with it.
    pub fn read(name: &str, value: Option<&str>) -> Result<Self, String> {
        let declaration =
            Declaration::find(name).ok_or_else(|| format!("there is no option {}", Quoted::new(name)))?;
        Ok(Self { declaration, value: declaration.read(value)? })
    }

    /// What is changed.
    pub fn declaration(&self) -> &'static Declaration {
        self.declaration
    }

    /// Makes it. If that is not possible nothing changes, and the sentence says why.
    pub fn apply(&self, target: &mut Target<'_>) -> Result<(), String> {
        match (self.declaration.kind, &self.value) {
            (Kind::Spin { apply: Setter::There(apply), .. }, Value::Number(number)) => apply(target, *number),
            (Kind::Spin { apply: Setter::Everywhere(apply), .. }, Value::Number(number)) => {
                apply(*number);
                Ok(())
            }
            (Kind::Check { apply, .. }, Value::Truth(is_on)) => {
                apply(target, *is_on);
                Ok(())
            }
            (Kind::Choice { apply, .. }, Value::Word(word)) => {
                apply(target, *word);
                Ok(())
            }
            (Kind::Text { apply }, Value::Text(text)) => apply(target, text),
            (Kind::Button { apply }, _) => {
                apply(target);
                Ok(())
            }
            _ => unreachable!("a change is only made by reading a value for its option"),
        }
    }
}
