//! The list of all options.

use std::sync::LazyLock;
use std::time::Duration;

use rukh_chess::notation::CastlingNotation;
use rukh_engine::Engine;
use rukh_engine::api::Algorithm;
use rukh_engine::params::{Tunable, tunables};
use rukh_engine::strength::Strength;
use rukh_engine::technique::TechniqueOverrides;

use super::declaration::{Declaration, OptionKind, Setter};
use super::target::{BOOK_DEPTH, BOOK_VARIETY, ELO, OptionTarget};

/// 32 TiB in mebibytes: more than any machine has, and below 2^31.
const MAX_HASH: i32 = 32 << 20;

/// All options except the tunables.
static OPTIONS: [Declaration; 29] = [
    engine_spin(
        "Hash",
        "Size of the transposition table or, with Search mcts or uct, of the tree, in mebibytes.",
        Engine::DEFAULT_HASH as i32,
        1,
        MAX_HASH,
        |target, mebibytes| target.engine.resize_hash(mebibytes as usize).map_err(|error| error.to_string()),
    ),
    engine_spin("Threads", "Search threads (Lazy SMP).", 1, 1, 1024, |target, threads| {
        target.adjust(|settings| settings.threads = threads as usize)?;
        target.report_thread_shortage();
        Ok(())
    }),
    engine_spin(
        "MultiPV",
        "Number of best lines that are searched and reported.",
        1,
        1,
        256,
        |target, lines| target.adjust(|settings| settings.multipv = lines as usize),
    ),
    Declaration {
        alias: Some("MoveOverhead"),
        ..engine_spin(
            "Move Overhead",
            "Milliseconds kept back for each move, for the transmission to the GUI or server.",
            10,
            0,
            5000,
            |target, ms| target.adjust(|settings| settings.move_overhead = Duration::from_millis(ms as u64)),
        )
    },
    engine_spin(
        "Contempt",
        "Internal score units by which a draw is worse than equal for the engine.",
        0,
        -200,
        200,
        |target, units| {
            target.preferences.contempt = units;
            target.adjust_contempt();
            Ok(())
        },
    ),
    Declaration {
        name: "Search",
        meaning: "The search: alpha-beta, Monte Carlo tree search with the evaluation (mcts), or with random playouts (uct).",
        alias: None,
        kind: OptionKind::Combo {
            values: &["alphabeta", "mcts", "uct"],
            apply: |target, index| target.choose_search(Algorithm::ALL[index]),
        },
        needs_idle_engine: true,
    },
    check(
        "Verbose Root",
        "A tree search reports the table of its root moves: visits, prior, value, WDL and proven bounds.",
        |target, is_on| target.preferences.shows_root = is_on,
    ),
    check("Ponder", "Listed so that GUIs ponder; the GUI decides when.", |target, is_on| {
        target.preferences.may_ponder = is_on;
    }),
    check("UCI_Chess960", "Castling moves are written as the king taking its rook.", |target, is_on| {
        target.preferences.castling =
            if is_on { CastlingNotation::RookSquare } else { CastlingNotation::KingTarget };
    }),
    check(
        "UCI_ShowWDL",
        "Reports win, draw and loss probabilities in thousandths with each score.",
        |target, is_on| target.preferences.shows_wdl = is_on,
    ),
    Declaration {
        needs_idle_engine: true,
        ..check(
            "UCI_AnalyseMode",
            "The game is analysed, not played: contempt is ignored.",
            |target, is_on| {
                target.preferences.is_analysis = is_on;
                target.adjust_contempt();
            },
        )
    },
    // Accepted because GUIs send it. It does not affect play.
    Declaration {
        name: "UCI_Opponent",
        meaning: "Title, rating, kind and name of the opponent; accepted and not used.",
        alias: None,
        kind: OptionKind::String {
            apply: |target, opponent| {
                opponent.clone_into(&mut target.preferences.opponent);
                Ok(())
            },
        },
        needs_idle_engine: false,
    },
    Declaration {
        name: "Clear Hash",
        meaning: "Clears the transposition table and everything learnt from searches.",
        alias: None,
        kind: OptionKind::Button { apply: |target| target.engine.clear() },
        needs_idle_engine: true,
    },
    Declaration {
        name: "Evaluation",
        meaning: "The evaluation: the network or the classical one; a change clears the engine.",
        alias: None,
        kind: OptionKind::Combo {
            values: &["network", "classical"],
            apply: |target, index| {
                target.preferences.is_classical = index == 1;
                target.adjust_evaluation();
            },
        },
        needs_idle_engine: true,
    },
    Declaration {
        name: "EvalFile",
        meaning: "A network file to use instead of the embedded network; empty for the embedded one.",
        alias: None,
        kind: OptionKind::String { apply: |target, path| target.load_network(path) },
        needs_idle_engine: true,
    },
    Declaration {
        name: "PolicyFile",
        meaning: "A policy network for Search mcts instead of the embedded one; empty for the embedded one.",
        alias: None,
        kind: OptionKind::String { apply: |target, path| target.load_policy(path) },
        needs_idle_engine: true,
    },
    Declaration {
        needs_idle_engine: true,
        ..check("UCI_LimitStrength", "Limits the strength to the rating of UCI_Elo.", |target, is_on| {
            target.preferences.limits_elo = is_on;
            target.adjust_strength();
        })
    },
    engine_spin(
        "UCI_Elo",
        "The rating to play at if UCI_LimitStrength is on; 3200 is full strength.",
        ELO as i32,
        Strength::MIN_ELO as i32,
        Strength::MAX_ELO as i32,
        |target, elo| {
            target.preferences.elo = elo as u32;
            target.adjust_strength();
            Ok(())
        },
    ),
    engine_spin(
        "Skill Level",
        "The strength in equal steps of rating, used if UCI_LimitStrength is off; 20 is full strength.",
        Strength::MAX_LEVEL as i32,
        0,
        Strength::MAX_LEVEL as i32,
        |target, level| {
            target.preferences.level = level as u32;
            target.adjust_strength();
            Ok(())
        },
    ),
    check("OwnBook", "Plays moves from the opening book.", |target, is_on| {
        target.preferences.uses_book = is_on;
    }),
    Declaration {
        name: "BookFile",
        meaning: "A Polyglot book to use instead of the embedded book; empty for the embedded one.",
        alias: None,
        kind: OptionKind::String { apply: |target, path| target.load_book(path) },
        needs_idle_engine: false,
    },
    Declaration {
        needs_idle_engine: false,
        ..engine_spin(
            "BookDepth",
            "Moves of each side for which the book is used.",
            BOOK_DEPTH,
            1,
            200,
            |target, moves| {
                target.preferences.book_depth = moves as u32;
                Ok(())
            },
        )
    },
    Declaration {
        needs_idle_engine: false,
        ..engine_spin(
            "BookVariety",
            "How often other book moves than the heaviest are played: 0 never, 100 in proportion to their weights.",
            BOOK_VARIETY,
            0,
            100,
            |target, variety| {
                target.preferences.book_variety = variety as u32;
                Ok(())
            },
        )
    },
    Declaration {
        name: "SyzygyPath",
        meaning: "Folders of Syzygy tablebases, separated as in PATH; empty closes them.",
        alias: None,
        kind: OptionKind::String { apply: |target, path| target.open_tablebases(path) },
        needs_idle_engine: true,
    },
    engine_spin(
        "SyzygyProbeDepth",
        "Least depth at which positions with the most pieces are probed.",
        1,
        1,
        100,
        |target, depth| target.adjust(|settings| settings.tablebase.depth = depth as u32),
    ),
    engine_spin(
        "SyzygyProbeLimit",
        "Positions with more pieces are not probed.",
        7,
        0,
        7,
        |target, pieces| target.adjust(|settings| settings.tablebase.pieces = pieces as u32),
    ),
    Declaration {
        name: "Syzygy50MoveRule",
        meaning: "Tablebase results count the fifty-move rule.",
        alias: None,
        kind: OptionKind::Check {
            default: true,
            apply: |target, counts| {
                let mut settings = target.engine.settings();
                settings.tablebase.counts_fifty = counts;
                target.engine.set(settings);
            },
        },
        needs_idle_engine: true,
    },
    Declaration {
        name: "Techniques",
        meaning: "Names of search techniques, with commas between them, that are switched against their default.",
        alias: None,
        kind: OptionKind::String {
            apply: |target, names| {
                let overrides = names.parse::<TechniqueOverrides>().map_err(|error| error.to_string())?;
                target.adjust(|settings| settings.overrides = overrides)
            },
        },
        needs_idle_engine: true,
    },
    Declaration {
        name: "Debug Log File",
        meaning: "A file to which all input and output is appended; empty for none.",
        alias: None,
        kind: OptionKind::String { apply: |target, path| target.log_to(path) },
        needs_idle_engine: false,
    },
];

const fn engine_spin(
    name: &'static str,
    meaning: &'static str,
    default: i32,
    min: i32,
    max: i32,
    apply: fn(&mut OptionTarget<'_>, i32) -> Result<(), String>,
) -> Declaration {
    Declaration {
        name,
        meaning,
        alias: None,
        kind: OptionKind::Spin { default, min, max, apply: Setter::Session(apply) },
        needs_idle_engine: true,
    }
}

/// The options of a leaf network, where the program can have one.
#[cfg(not(feature = "leaf-network"))]
static LEAF_OPTIONS: [Declaration; 0] = [];
#[cfg(feature = "leaf-network")]
static LEAF_OPTIONS: [Declaration; 2] = [
    Declaration {
        name: "LeafNetwork",
        meaning: "A large network with two heads that evaluates the leaves of Search mcts; empty for none.",
        alias: None,
        kind: OptionKind::String {
            apply: |target, path| target.set_leaf_network(path, target.preferences.backend),
        },
        needs_idle_engine: true,
    },
    Declaration {
        name: "Backend",
        meaning: "Where the leaf network runs: on the CPU or on an NVIDIA GPU.",
        alias: None,
        kind: OptionKind::Combo {
            values: super::target::BACKENDS,
            apply: |target, index| {
                let path = target.preferences.leaf_network.clone();
                if let Err(sentence) = target.set_leaf_network(&path, super::target::BACKENDS[index]) {
                    (target.message)(&sentence);
                }
            },
        },
        needs_idle_engine: true,
    },
];

/// The tunables that can be set: all of them with the feature `tune`, none without.
static TUNABLE_OPTIONS: LazyLock<Vec<Declaration>> = LazyLock::new(|| {
    let declare = |tunable: &Tunable| {
        let (default, min, max) = (tunable.value, tunable.min, tunable.max);
        let kind = OptionKind::Spin { default, min, max, apply: Setter::Global(tunable.set?) };
        let meaning = tunable.sentence;
        Some(Declaration { name: tunable.name, meaning, alias: None, kind, needs_idle_engine: true })
    };
    tunables().filter_map(declare).collect()
});

const fn check(
    name: &'static str,
    meaning: &'static str,
    apply: fn(&mut OptionTarget<'_>, bool),
) -> Declaration {
    Declaration {
        name,
        meaning,
        alias: None,
        kind: OptionKind::Check { default: false, apply },
        needs_idle_engine: false,
    }
}

impl Declaration {
    /// All options; with the feature `leaf-network` also those of a leaf network, with the feature `tune` also the tunables.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        OPTIONS.iter().chain(&LEAF_OPTIONS).chain(TUNABLE_OPTIONS.iter())
    }

    /// The option of this name or alias, ignoring case and repeated spaces.
    pub fn find(name: &str) -> Option<&'static Self> {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let matches = |known: &str| known.eq_ignore_ascii_case(&name);
        Self::all().find(|option| matches(option.name) || option.alias.is_some_and(matches))
    }
}
