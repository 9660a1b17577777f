//! Every tunable of the search, declared once.
//!
//! A line gives name, value, range and step. The value is a constant, but for builds with the feature `tune`, in which it
//! can be set; the list is for whoever tunes or documents.

use std::fmt;

use rukh_chess::types::ByPiece;

#[cfg(feature = "tune")]
use std::sync::atomic::Ordering;

/// From pawn to king, which is never lost: an exchange that ends with it taken is not legal.
macro_rules! exchange {
    () => {
        ByPiece([see_pawn(), see_knight(), see_bishop(), see_rook(), see_queen(), 0])
    };
}

/// What the pieces are worth in exchanges.
#[cfg(not(feature = "tune"))]
#[inline(always)]
pub const fn exchange_values() -> ByPiece<i32> {
    // A constant of its own: read in place, not made anew for each exchange.
    const VALUES: ByPiece<i32> = exchange!();
    VALUES
}

/// What the pieces are worth in exchanges.
#[cfg(feature = "tune")]
#[inline]
pub fn exchange_values() -> ByPiece<i32> {
    exchange!()
}

/// One ply in the fixed point of reductions and extensions.
pub const PLY: i32 = 1024;
/// The number 1 in the fixed point of tunables that end in `_weight`.
pub const ONE: i32 = 1024;

/// A `_weight` as a number.
pub(crate) fn fraction(weight: i32) -> f64 {
    f64::from(weight) / f64::from(ONE)
}

/// A tunable as tuners and documents see it.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub sentence: &'static str,
    /// Its value.
    pub value: i32,
    /// The least sensible value.
    pub min: i32,
    /// The greatest sensible value.
    pub max: i32,
    /// How far a tuner moves it for a game.
    pub step: i32,
    /// Sets it for all engines of the process; none where it is a constant. What has been computed from it follows when an
    /// engine is told to forget what it has learnt.
    pub set: Option<fn(i32)>,
}

/// As tuners read it: name, kind, value, least, greatest, step in the end, learning rate in the end.
impl fmt::Display for Tunable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const RATE: f64 = 0.002;
        let Self { name, value, min, max, step, .. } = self;
        write!(f, "{name}, int, {value}, {min}, {max}, {step}, {RATE}")
    }
}

/// The tunables that this build can set: all of them with the feature `tune`, none without it.
pub fn settable() -> impl Iterator<Item = &'static Tunable> {
    TUNABLES.iter().filter(|tunable| tunable.set.is_some())
}

/// Declares tunables: a function for each, and the list of all.
macro_rules! tunables {
    ($($(#[doc = $sentence:literal])+ $name:ident = $value:literal in $min:literal..=$max:literal step $step:literal;)+) => {
        $(
            $(#[doc = $sentence])+
            #[cfg(not(feature = "tune"))]
            #[inline]
            pub const fn $name() -> i32 {
                const { assert!($min <= $value && $value <= $max) };
                $value
            }

            $(#[doc = $sentence])+
            #[cfg(feature = "tune")]
            #[inline]
            pub fn $name() -> i32 {
                live::$name.load(Ordering::Relaxed)
            }
        )+

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        mod live {
            use std::sync::atomic::AtomicI32;
            $(pub(super) static $name: AtomicI32 = AtomicI32::new($value);)+
        }

        /// All tunables, in the order of their declaration.
        pub const TUNABLES: &[Tunable] = &[$(Tunable {
            name: stringify!($name),
            sentence: concat!($($sentence),+),
            value: $value,
            min: $min,
            max: $max,
            step: $step,
            #[cfg(not(feature = "tune"))]
            set: None,
            #[cfg(feature = "tune")]
            set: Some(|value| live::$name.store(value, Ordering::Relaxed)),
        }),+];
    };
}

tunables! {
    /// Worth of a pawn in exchanges.
    see_pawn = 100 in 60..=140 step 8;
    /// Worth of a knight in exchanges.
    see_knight = 325 in 250..=450 step 20;
    /// Worth of a bishop in exchanges.
    see_bishop = 335 in 250..=450 step 20;
    /// Worth of a rook in exchanges.
    see_rook = 500 in 400..=700 step 25;
    /// Worth of a queen in exchanges.
    see_queen = 975 in 800..=1300 step 40;

    /// Aspiration: half the window around the last score when scores are calm.
    aspiration_base = 10 in 4..=40 step 3;
    /// Aspiration: part of the volatility that is added to the window, in 1024ths.
    aspiration_volatility_weight = 512 in 0..=2048 step 100;
    /// Aspiration: iterations below this depth search the full window.
    aspiration_min_depth = 4 in 2..=8 step 1;
    /// Aspiration: failures in a row after which the window opens fully.
    aspiration_max_failures = 5 in 2..=10 step 1;

    /// Razoring: centipawns below alpha at which a quiescence search must agree.
    razor_base_margin = 240 in 100..=500 step 20;
    /// Razoring: centipawns more for each ply left, times the ply.
    razor_depth_margin = 180 in 50..=400 step 20;
    /// Razoring: greatest depth.
    razor_max_depth = 3 in 1..=6 step 1;

    /// Reverse futility: centipawns demanded above beta per ply left.
    rfp_margin = 66 in 20..=200 step 8;
    /// Reverse futility: centipawns less when improving.
    rfp_improving_margin = 70 in 0..=200 step 8;
    /// Reverse futility: greatest depth.
    rfp_max_depth = 8 in 4..=14 step 1;

    /// Null move: least depth.
    null_min_depth = 3 in 2..=5 step 1;
    /// Null move: plies taken off at least, in 1024ths.
    null_base_weight = 3584 in 2048..=6144 step 256;
    /// Null move: plies taken off for each ply left, in 1024ths.
    null_depth_weight = 300 in 128..=512 step 32;
    /// Null move: centipawns above beta for which one more ply is taken off.
    null_eval_margin = 180 in 80..=400 step 20;
    /// Null move: greatest number of plies taken off for the margin above beta.
    null_eval_max = 3 in 1..=6 step 1;
    /// Null move: centipawns for each ply left by which the static evaluation may be below beta.
    null_static_margin = 24 in 0..=60 step 4;
    /// Null move: plies given back when no more than one piece beside pawns is left, in 1024ths.
    null_endgame_weight = 1024 in 0..=2048 step 128;
    /// Null move: depth from which a cut-off is verified by a search without null moves.
    null_verify_min_depth = 14 in 8..=24 step 2;

    /// Probcut: least depth.
    probcut_min_depth = 5 in 3..=8 step 1;
    /// Probcut: centipawns above beta that a capture must reach in a shallower search.
    probcut_margin = 190 in 80..=400 step 16;
    /// Probcut: plies by which that search is shallower.
    probcut_reduction = 4 in 2..=6 step 1;

    /// Hindsight: centipawns that a reduced move must have lost by the evaluation for one more ply to be taken off.
    hindsight_margin = 90 in 20..=300 step 12;

    /// Internal iterative reduction: least depth.
    iir_min_depth = 4 in 2..=8 step 1;

    /// Late move pruning: moves looked at whatever the depth.
    lmp_base = 4 in 1..=8 step 1;
    /// Late move pruning: greatest depth.
    lmp_max_depth = 9 in 4..=14 step 1;

    /// Futility: centipawns below alpha that a quiet move may still make up for.
    futility_base_margin = 90 in 30..=250 step 12;
    /// Futility: centipawns more for each ply left after reduction.
    futility_depth_margin = 85 in 30..=200 step 10;
    /// Futility: part of the margin kept in a bare endgame, in 1024ths; it grows to all of it with the pieces.
    futility_endgame_weight = 768 in 256..=1024 step 64;
    /// Futility: greatest depth.
    futility_max_depth = 8 in 4..=14 step 1;

    /// History pruning: history below which a quiet move is left out, for each ply left after reduction and one more.
    history_pruning_margin = 3100 in 1000..=8000 step 400;
    /// History pruning: greatest depth.
    history_pruning_max_depth = 5 in 2..=8 step 1;

    /// Exchange pruning: centipawns a quiet move may lose, times the depth after reduction squared.
    see_quiet_margin = 25 in 8..=60 step 4;
    /// Exchange pruning: centipawns a capture may lose for each ply left.
    see_noisy_margin = 95 in 40..=200 step 8;
    /// Exchange pruning: greatest depth.
    see_pruning_max_depth = 9 in 4..=14 step 1;

    /// Singular extension: least depth.
    singular_min_depth = 7 in 5..=10 step 1;
    /// Singular extension: how many plies shallower the table entry may be.
    singular_depth_slack = 3 in 2..=5 step 1;
    /// Singular extension: centipawns below the table score for each ply left, in 64ths.
    singular_margin = 64 in 24..=160 step 8;
    /// Double extension: centipawns by which all other moves fail.
    singular_double_margin = 26 in 5..=60 step 4;

    /// Check extension: how much a good check is searched deeper, in 1024ths of a ply.
    check_extension_weight = 1024 in 0..=1024 step 128;
    /// Recapture extension: how much a recapture is searched deeper, in 1024ths of a ply.
    recapture_extension_weight = 512 in 0..=1024 step 128;
    /// Passed pawn extension: how much a pawn's step to the seventh rank is searched deeper, in 1024ths of a ply.
    passed_pawn_extension_weight = 512 in 0..=1024 step 128;

    /// Late move reductions: least depth.
    lmr_min_depth = 2 in 2..=4 step 1;
    /// Late move reductions: constant part of the formula, in 1024ths.
    lmr_base_weight = 520 in 0..=2048 step 64;
    /// Late move reductions: what ln(depth) ln(number) is divided by, in 1024ths.
    lmr_divisor_weight = 2500 in 1500..=4000 step 100;
    /// Late move reductions: more at an expected cut-node, in 1024ths.
    lmr_cut_node_weight = 800 in 0..=3072 step 128;
    /// Late move reductions: less where the position was in a principal variation, in 1024ths.
    lmr_pv_weight = 800 in 0..=3072 step 128;
    /// Late move reductions: more when not improving, in 1024ths.
    lmr_not_improving_weight = 600 in 0..=2048 step 96;
    /// Late move reductions: less for a move that gives check, in 1024ths.
    lmr_check_weight = 900 in 0..=2048 step 96;
    /// Late move reductions: more when the table move is a capture, in 1024ths.
    lmr_noisy_table_move_weight = 250 in 0..=2048 step 96;
    /// Late move reductions: more when the next ply has had many cut-offs, in 1024ths.
    lmr_child_cutoffs_weight = 500 in 0..=2048 step 96;
    /// Late move reductions: part of the reduction that captures, promotions and checks get, in 1024ths.
    lmr_tactical_weight = 512 in 128..=1024 step 64;
    /// Late move reductions: history that is worth one ply.
    lmr_history_divisor = 8200 in 4000..=16000 step 600;
    /// Late move reductions: capture history that is worth one ply.
    lmr_noisy_history_divisor = 6500 in 3000..=16000 step 600;
    /// After a reduced search beat alpha: centipawns above alpha for one ply more.
    lmr_deeper_margin = 28 in 10..=120 step 8;

    /// Quiescence: centipawns a capture may bring beyond its victim before alpha is out of reach.
    delta_margin = 135 in 60..=400 step 16;
    /// Quiescence: moves after which only recaptures, promotions and checks are looked at.
    quiescence_moves = 3 in 1..=12 step 1;
    /// Quiescence: plies after which only recaptures are looked at.
    recapture_limit = 6 in 2..=16 step 1;

    /// Ordering: history that it is worth to move a piece away from pieces worth less.
    defensive_bonus = 6000 in 0..=16000 step 800;
    /// Ordering: history that it is worth to give check without loss.
    check_bonus = 8000 in 0..=20000 step 1000;
    /// Histories: bonus for each ply left.
    history_bonus_factor = 175 in 50..=400 step 16;
    /// Histories: taken off the bonus.
    history_bonus_offset = 80 in 0..=300 step 20;
    /// Histories: greatest bonus.
    history_bonus_max = 1500 in 600..=3000 step 100;
    /// Histories: part of the bonus that is taken off what was tried in vain, in 1024ths.
    history_malus_weight = 1350 in 400..=3000 step 100;
    /// Fail low bonus: part of the bonus it gives, in 1024ths.
    fail_low_bonus_weight = 640 in 200..=1536 step 80;
    /// Evaluation bonus: history for each centipawn.
    evaluation_bonus_factor = 7 in 1..=16 step 1;
    /// Evaluation bonus: the greatest.
    evaluation_bonus_max = 600 in 200..=1500 step 80;
    /// Correction history: what the sum of all corrections is divided by to give centipawns.
    correction_divisor = 64 in 16..=256 step 8;
    /// Correction history: the depth of a search whose whole difference to the evaluation is learnt.
    correction_depth = 8 in 2..=24 step 1;
    /// Correction history: greatest bonus of one search.
    correction_bonus_max = 256 in 64..=512 step 24;

    /// Stability: scores beyond this are clamped, in centipawns: how far a decided score moves means nothing.
    stability_score_limit = 1000 in 300..=3000 step 100;
    /// Stability: how much the earlier iterations count in the volatility, against 1 for the last.
    volatility_memory = 3 in 1..=8 step 1;
    /// Stability: how much the earlier iterations count in the average score, against 1 for the last.
    average_score_memory = 2 in 1..=8 step 1;

    /// Time: moves that a game is expected to last when no time control is named.
    time_expected_moves = 24 in 12..=60 step 2;
    /// Time: greatest part of the time left that one move may take, in 1024ths.
    time_hard_share_weight = 614 in 256..=921 step 32;
    /// Time: the hard limit over the soft limit, in 1024ths.
    time_hard_weight = 4608 in 1536..=8192 step 256;
    /// Time: part of the increment that is spent, in 1024ths.
    time_increment_weight = 768 in 256..=1024 step 40;
    /// Time: with less than this on the clock, in milliseconds, the increment is spent in proportion.
    time_increment_full = 400 in 50..=2000 step 50;
    /// Time: factor on the soft limit after an iteration that changed the best move, in 1024ths.
    time_unchanged_0_weight = 1946 in 1024..=3072 step 64;
    /// Time: the same after one iteration with the same best move.
    time_unchanged_1_weight = 1331 in 768..=2048 step 48;
    /// Time: the same after two iterations.
    time_unchanged_2_weight = 1126 in 640..=1792 step 48;
    /// Time: the same after three iterations.
    time_unchanged_3_weight = 973 in 512..=1536 step 40;
    /// Time: the same after four iterations.
    time_unchanged_4_weight = 870 in 512..=1280 step 40;
    /// Time: the same after five iterations and more.
    time_unchanged_5_weight = 819 in 384..=1280 step 40;
    /// Time: centipawns below the average score that double the soft limit.
    time_drop_margin = 120 in 40..=400 step 12;
    /// Time: least factor by the score, in 1024ths.
    time_drop_min_weight = 819 in 512..=1024 step 32;
    /// Time: greatest factor by the score, in 1024ths.
    time_drop_max_weight = 1638 in 1024..=3072 step 64;
    /// Time: the share of nodes in the best move that would leave no time at all, in 1024ths.
    time_effort_base_weight = 1690 in 1100..=2560 step 64;
    /// Time: factor on that share, in 1024ths.
    time_effort_weight = 1126 in 512..=2048 step 64;

    /// Capture history: part of the bonus it takes, in 1024ths; with its smaller range it forgets faster.
    capture_bonus_weight = 1024 in 400..=2048 step 100;
}
