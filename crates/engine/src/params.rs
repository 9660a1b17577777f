//! Tunables: every search parameter, declared once with description, value, range and SPSA step.
//!
//! A value is a constant. In builds with the feature `tune` it can be set at run time. [`tunables`] lists them for UCI
//! options, SPSA and the documentation.

use rukh_chess::types::ByPiece;
pub use rukh_eval::tunable::Tunable;

pub(crate) use crate::candidate_params::*;

/// SEE values from pawn to king. The king is never captured in an exchange, so its value does not matter.
macro_rules! exchange {
    () => {
        ByPiece([see_pawn(), see_knight(), see_bishop(), see_rook(), see_queen(), 0])
    };
}

/// Piece values of static exchange evaluation (SEE).
#[cfg(not(feature = "tune"))]
#[inline(always)]
pub const fn exchange_values() -> ByPiece<i32> {
    // A named constant, so that it is read in place instead of built for each call.
    const VALUES: ByPiece<i32> = exchange!();
    VALUES
}

/// Piece values of static exchange evaluation (SEE).
#[cfg(feature = "tune")]
#[inline]
pub fn exchange_values() -> ByPiece<i32> {
    exchange!()
}

/// One ply in the fixed point of reductions and extensions.
pub(crate) const PLY: i32 = 1024;
/// The number 1 in the fixed point of tunables that end in `_weight`.
pub(crate) const ONE: i32 = 1024;

/// A `_weight` as a fraction.
pub(crate) fn fraction(weight: i32) -> f64 {
    f64::from(weight) / f64::from(ONE)
}

/// All tunables: those of the evaluation, of the search, and of its candidates, in the order of their declaration.
pub fn tunables() -> impl Iterator<Item = &'static Tunable> {
    rukh_eval::params::TUNABLES.iter().chain(TUNABLES).chain(crate::candidate_params::TUNABLES)
}

/// The tunables that this build can set: all of them with the feature `tune`, none without it.
pub fn settable() -> impl Iterator<Item = &'static Tunable> {
    tunables().filter(|tunable| tunable.set.is_some())
}

rukh_eval::tunables! {
    /// SEE: value of a pawn.
    see_pawn = 89 in 60..=140 step 8;
    /// SEE: value of a knight.
    see_knight = 324 in 250..=450 step 20;
    /// SEE: value of a bishop.
    see_bishop = 340 in 250..=450 step 20;
    /// SEE: value of a rook.
    see_rook = 517 in 400..=700 step 25;
    /// SEE: value of a queen.
    see_queen = 954 in 800..=1300 step 40;

    /// Aspiration windows: half width of the window when the score does not change.
    aspiration_base = 10 in 4..=40 step 3;
    /// Aspiration windows: share of the score volatility added to the half width, in 1024ths.
    aspiration_volatility_weight = 519 in 0..=2048 step 100;
    /// Aspiration windows: iterations below this depth use the full window.
    aspiration_min_depth = 4 in 2..=8 step 1;
    /// Aspiration windows: failures in a row after which the full window is used.
    aspiration_max_failures = 5 in 2..=10 step 1;

    /// Razoring: margin below alpha at depth 0, in internal units.
    razor_base_margin = 239 in 100..=500 step 20;
    /// Razoring: margin added per depth squared, in internal units.
    razor_depth_margin = 175 in 50..=400 step 20;
    /// Razoring: maximum depth.
    razor_max_depth = 3 in 1..=6 step 1;

    /// Reverse futility pruning: margin above beta per ply of depth, in internal units.
    rfp_margin = 53 in 20..=200 step 8;
    /// Reverse futility pruning: margin taken off when improving, in internal units.
    rfp_improving_margin = 73 in 0..=200 step 8;
    /// Reverse futility pruning: maximum depth.
    rfp_max_depth = 9 in 4..=14 step 1;

    /// Null move pruning: minimum depth.
    null_min_depth = 4 in 2..=5 step 1;
    /// Null move pruning: base reduction, in 1024ths of a ply.
    null_base_weight = 3685 in 2048..=6144 step 256;
    /// Null move pruning: reduction per ply of depth, in 1024ths of a ply.
    null_depth_weight = 314 in 128..=512 step 32;
    /// Null move pruning: internal units of evaluation above beta for one more ply of reduction.
    null_eval_margin = 175 in 80..=400 step 20;
    /// Null move pruning: maximum reduction by the evaluation, in plies.
    null_eval_max = 2 in 1..=6 step 1;
    /// Null move pruning: internal units per ply of depth by which the static evaluation may be below beta.
    null_static_margin = 24 in 0..=60 step 4;
    /// Null move pruning: smaller reduction with a single piece besides pawns and king, in 1024ths of a ply.
    null_endgame_weight = 1014 in 0..=2048 step 128;
    /// Null move pruning: minimum depth at which a cut-off is verified by a search without null moves.
    null_verify_min_depth = 15 in 8..=24 step 2;

    /// ProbCut: minimum depth.
    probcut_min_depth = 6 in 3..=8 step 1;
    /// ProbCut: margin above beta that a capture must reach in the reduced search, in internal units.
    probcut_margin = 186 in 80..=400 step 16;
    /// ProbCut: reduction of that search, in plies.
    probcut_reduction = 5 in 2..=6 step 1;

    /// Hindsight reduction: internal units of evaluation that a reduced move must lose to be reduced by one more ply.
    hindsight_margin = 90 in 20..=300 step 12;

    /// Internal iterative reduction: minimum depth.
    iir_min_depth = 5 in 2..=8 step 1;

    /// Late move pruning: moves searched at every depth, added to the depth squared.
    lmp_base = 4 in 1..=8 step 1;
    /// Late move pruning: maximum depth.
    lmp_max_depth = 9 in 4..=14 step 1;

    /// Futility pruning: margin below alpha at depth 0 after reduction, in internal units.
    futility_base_margin = 92 in 30..=250 step 12;
    /// Futility pruning: margin added per ply of depth after reduction, in internal units.
    futility_depth_margin = 81 in 30..=200 step 10;
    /// Futility pruning: share of the margin in a pawn endgame, in 1024ths; it grows to the whole margin with the pieces.
    futility_endgame_weight = 786 in 256..=1024 step 64;
    /// Futility pruning: maximum depth after reduction.
    futility_max_depth = 8 in 4..=14 step 1;

    /// History pruning: a quiet move is pruned below minus this history per ply of depth after reduction plus one.
    history_pruning_margin = 2999 in 1000..=8000 step 400;
    /// History pruning: maximum depth after reduction.
    history_pruning_max_depth = 5 in 2..=8 step 1;

    /// SEE pruning: internal units a quiet move may lose per depth after reduction squared.
    see_quiet_margin = 23 in 8..=60 step 4;
    /// SEE pruning: internal units a capture may lose per ply of depth.
    see_noisy_margin = 98 in 40..=200 step 8;
    /// SEE pruning: maximum depth.
    see_pruning_max_depth = 9 in 4..=14 step 1;

    /// Move ordering: a capture is bad if it loses more by SEE than its ordering score divided by this.
    noisy_history_divisor = 32 in 12..=96 step 4;

    /// Singular extension: minimum depth.
    singular_min_depth = 5 in 3..=10 step 1;
    /// Singular extension: plies by which the transposition table entry may be shallower than the node.
    singular_depth_slack = 2 in 2..=5 step 1;
    /// Singular extension: margin below the transposition table score per ply of depth, in 64ths of an internal unit.
    singular_margin = 63 in 24..=160 step 8;
    /// Double extension: internal units by which all other moves must fail low.
    singular_double_margin = 26 in 5..=60 step 4;

    /// Check extension: extension of a check that does not lose material, in 1024ths of a ply.
    check_extension_weight = 1015 in 0..=1024 step 128;
    /// Recapture extension: extension of a recapture, in 1024ths of a ply.
    recapture_extension_weight = 521 in 0..=1024 step 128;
    /// Passed pawn extension: extension of a pawn move to the seventh rank, in 1024ths of a ply.
    passed_pawn_extension_weight = 580 in 0..=1024 step 128;

    /// Late move reductions: minimum depth.
    lmr_min_depth = 2 in 2..=4 step 1;
    /// Late move reductions: base of the formula, in 1024ths of a ply.
    lmr_base_weight = 571 in 0..=2048 step 64;
    /// Late move reductions: divisor of ln(depth) * ln(move number), in 1024ths.
    lmr_divisor_weight = 2462 in 1500..=4000 step 100;
    /// Late move reductions: added at an expected cut-node, in 1024ths of a ply.
    lmr_cut_node_weight = 781 in 0..=3072 step 128;
    /// Late move reductions: taken off if the position is or was in a principal variation, in 1024ths of a ply.
    lmr_pv_weight = 831 in 0..=3072 step 128;
    /// Late move reductions: added when not improving, in 1024ths of a ply.
    lmr_not_improving_weight = 670 in 0..=2048 step 96;
    /// Late move reductions: taken off for a move that gives check, in 1024ths of a ply.
    lmr_check_weight = 834 in 0..=2048 step 96;
    /// Late move reductions: added when the hash move is a capture or promotion, in 1024ths of a ply.
    lmr_noisy_table_move_weight = 284 in 0..=2048 step 96;
    /// Late move reductions: added when the next ply has had many cut-offs, in 1024ths of a ply.
    lmr_child_cutoffs_weight = 502 in 0..=2048 step 96;
    /// Late move reductions: share of the reduction for captures, promotions and checks, in 1024ths.
    lmr_tactical_weight = 558 in 128..=1024 step 64;
    /// Late move reductions: quiet history that changes the reduction by one ply.
    lmr_history_divisor = 8188 in 4000..=16000 step 600;
    /// Late move reductions: capture history that changes the reduction by one ply.
    lmr_noisy_history_divisor = 5917 in 3000..=16000 step 600;
    /// Late move reductions: internal units above alpha at which the re-search is one ply deeper.
    lmr_deeper_margin = 35 in 10..=120 step 8;

    /// Delta pruning: margin added to the evaluation and the captured piece, in internal units.
    delta_margin = 141 in 60..=400 step 16;
    /// Quiescence search: moves after which only recaptures, promotions and checks are searched.
    quiescence_moves = 3 in 1..=12 step 1;
    /// Quiescence search: plies after which only recaptures are searched.
    recapture_limit = 6 in 2..=16 step 1;

    /// Move ordering: bonus for moving a piece out of an attack by less valuable pieces; a malus for moving it into one.
    defensive_bonus = 5098 in 0..=16000 step 800;
    /// Move ordering: bonus for a quiet check that does not lose material.
    check_bonus = 8306 in 0..=20000 step 1000;
    /// Histories: bonus per ply of depth.
    history_bonus_factor = 196 in 50..=400 step 16;
    /// Histories: offset taken off the bonus.
    history_bonus_offset = 96 in 0..=300 step 20;
    /// Histories: maximum bonus.
    history_bonus_max = 1535 in 600..=3000 step 100;
    /// Histories: malus of moves searched before the cut-off move, in 1024ths of the bonus.
    history_malus_weight = 1424 in 400..=3000 step 100;
    /// Fail-low bonus: share of the history bonus for the previous quiet move, in 1024ths.
    fail_low_bonus_weight = 688 in 200..=1536 step 80;
    /// Evaluation bonus: history per internal unit of static evaluation gained.
    evaluation_bonus_factor = 7 in 1..=16 step 1;
    /// Evaluation bonus: maximum.
    evaluation_bonus_max = 558 in 200..=1500 step 80;
    /// Correction history: divisor of the sum of corrections, to give internal units.
    correction_divisor = 64 in 16..=256 step 8;
    /// Correction history: depth at which the bonus equals the difference between score and evaluation.
    correction_depth = 8 in 2..=24 step 1;
    /// Correction history: maximum bonus of one search.
    correction_bonus_max = 256 in 64..=512 step 24;

    /// Stability: scores are clamped to this, in internal units, since changes of a decided score mean little.
    stability_score_limit = 1000 in 300..=3000 step 100;
    /// Stability: weight of the earlier iterations in the running average of volatility; the last one has weight 1.
    volatility_memory = 3 in 1..=8 step 1;
    /// Stability: weight of the earlier iterations in the running average of the score; the last one has weight 1.
    average_score_memory = 2 in 1..=8 step 1;

    /// Lazy SMP: weight of the vote of the thread with the lowest score, for each ply of its depth.
    vote_base = 14 in 1..=100 step 4;

    /// Time: expected number of moves left, and the greatest number of moves to the time control that counts.
    time_expected_moves = 24 in 12..=60 step 2;
    /// Time: greatest share of the remaining time for one move, in 1024ths.
    time_hard_share_weight = 614 in 256..=921 step 32;
    /// Time: hard limit as a multiple of the soft limit, in 1024ths.
    time_hard_weight = 4608 in 1536..=8192 step 256;
    /// Time: share of the increment that is spent, in 1024ths.
    time_increment_weight = 768 in 256..=1024 step 40;
    /// Time: with less time left than this, in milliseconds, the share of the increment falls in proportion.
    time_increment_full = 400 in 50..=2000 step 50;
    /// Time: reserve against pauses of the machine, in milliseconds.
    time_reserve = 150 in 20..=500 step 20;
    /// Time: greatest share of the remaining time that is this reserve, in 1024ths.
    time_reserve_weight = 512 in 128..=768 step 40;
    /// Time: factor on the soft limit after an iteration that changed the best move, in 1024ths.
    time_unchanged_0_weight = 1946 in 1024..=3072 step 64;
    /// Time: factor on the soft limit after one iteration with the same best move, in 1024ths.
    time_unchanged_1_weight = 1331 in 768..=2048 step 48;
    /// Time: factor on the soft limit after two iterations with the same best move, in 1024ths.
    time_unchanged_2_weight = 1126 in 640..=1792 step 48;
    /// Time: factor on the soft limit after three iterations with the same best move, in 1024ths.
    time_unchanged_3_weight = 973 in 512..=1536 step 40;
    /// Time: factor on the soft limit after four iterations with the same best move, in 1024ths.
    time_unchanged_4_weight = 870 in 512..=1280 step 40;
    /// Time: factor on the soft limit after five or more iterations with the same best move, in 1024ths.
    time_unchanged_5_weight = 819 in 384..=1280 step 40;
    /// Time: score drop below the average, in internal units, that doubles the soft limit.
    time_drop_margin = 120 in 40..=400 step 12;
    /// Time: minimum factor by the score drop, in 1024ths.
    time_drop_min_weight = 819 in 512..=1024 step 32;
    /// Time: maximum factor by the score drop, in 1024ths.
    time_drop_max_weight = 1638 in 1024..=3072 step 64;
    /// Time: share of nodes on the best move at which the node-effort factor would be zero, in 1024ths.
    time_effort_base_weight = 1690 in 1100..=2560 step 64;
    /// Time: scale of the node-effort factor, in 1024ths.
    time_effort_weight = 1126 in 512..=2048 step 64;

    /// Capture history: share of the history bonus, in 1024ths.
    capture_bonus_weight = 915 in 400..=2048 step 100;

    /// UCT: exploration constant of UCB1, in 1024ths; the square root of two is that of the theory.
    uct_exploration_weight = 1448 in 256..=4096 step 128;
    /// PUCT: exploration constant, in 1024ths.
    mcts_exploration_weight = 1024 in 128..=4096 step 96;
    /// PUCT: exploration constant at the root, in 1024ths.
    mcts_root_exploration_weight = 1200 in 128..=4096 step 96;
    /// PUCT: visits after which the exploration constant has grown by ln 2 of itself.
    mcts_exploration_base = 6000 in 500..=40000 step 1000;
    /// PUCT: share of the exploration constant that is proportional to the spread of the values, in 1024ths.
    mcts_spread_weight = 870 in 0..=1024 step 64;
    /// PUCT: spread of the values at which the exploration constant is unchanged, in 1024ths.
    mcts_spread_scale_weight = 360 in 64..=1024 step 32;
    /// PUCT: visits after which half of the measured spread counts.
    mcts_spread_visits = 4 in 1..=64 step 2;
    /// First-play urgency: value taken off an unvisited move when the whole policy has been visited, in 1024ths.
    mcts_fpu_weight = 320 in 0..=1500 step 48;
    /// Policy temperature, in 1024ths: a greater one makes priors more equal.
    mcts_temperature_weight = 1024 in 256..=4096 step 96;
    /// Policy temperature at the root, in 1024ths.
    mcts_root_temperature_weight = 1300 in 256..=4096 step 96;
    /// Virtual loss: visits that an unfinished visit counts as lost, in 1024ths.
    mcts_virtual_loss_weight = 1024 in 256..=4096 step 128;
    /// Batches: greatest number of leaves that one thread gives to a leaf network at once.
    mcts_batch_max = 256 in 1..=1024 step 32;
    /// Batches: visits of the root for each further leaf of a batch; a large batch in a small tree visits bad moves.
    mcts_batch_visits = 16 in 1..=256 step 4;
    /// Progress: share of the win probability that grows with the score around that of the root, in 1024ths.
    mcts_progress_weight = 150 in 0..=512 step 16;
    /// Progress: least score around which it is counted, in internal units.
    mcts_progress_margin = 400 in 100..=1500 step 50;
    /// Progress: width of the range of scores in which it is counted, in internal units.
    mcts_progress_width = 150 in 30..=800 step 30;
    /// Leaf search: depth of the search of the root without a clock.
    mcts_root_depth = 12 in 1..=24 step 1;
    /// Leaf search: share of the soft time limit after which the search of the root is not deepened, in 1024ths.
    mcts_root_time_weight = 512 in 0..=1024 step 32;
    /// Leaf search: plies by which a leaf near the root is searched less deep than the search of the root saw it.
    mcts_leaf_reduction = 1 in 0..=24 step 1;
    /// Leaf search: least depth of a leaf as a share of the depth of the root, in 1024ths; 0 is the quiescence search alone.
    mcts_leaf_depth_weight = 614 in 0..=1024 step 48;
    /// Gumbel: root moves at the first stage of sequential halving.
    gumbel_moves = 16 in 2..=64 step 2;
    /// Gumbel: visits added to the most visited move in the weight of the values.
    gumbel_visit_offset = 50 in 1..=500 step 10;
    /// Gumbel: weight of the values against the priors, in 1024ths.
    gumbel_value_weight = 1024 in 64..=8192 step 128;
    /// Time in a tree search: factor on the soft limit while the most visited move has not the best value, in 1024ths.
    mcts_time_unsettled_weight = 1536 in 1024..=3072 step 64;
    /// Time: visits in this search after which their rate says whether the best move can still be overtaken.
    mcts_rate_visits = 64 in 16..=512 step 16;

    /// Prior of a move: logit of a check, in 1024ths.
    prior_check_weight = 700 in 0..=4096 step 96;
    /// Prior of a move: logit of a capture or promotion that wins or keeps material, in 1024ths.
    prior_good_capture_weight = 1600 in 0..=6144 step 128;
    /// Prior of a move: logit for each pawn of material that a capture wins, in 1024ths.
    prior_victim_weight = 200 in 0..=1024 step 24;
    /// Prior of a move: logit taken off a move that loses material by static exchange, in 1024ths.
    prior_losing_weight = 1700 in 0..=6144 step 128;
    /// Prior of a move: logit for each pawn of piece-square value that a move wins, in 1024ths.
    prior_square_weight = 1400 in 0..=6144 step 128;
    /// Prior of a move: logit of moving a piece that a lesser piece attacks, in 1024ths.
    prior_escape_weight = 900 in 0..=4096 step 96;
    /// Prior of a move: internal units of the static evaluation after the move that are one logit.
    prior_lookahead_scale = 90 in 20..=600 step 10;
    /// Prior of a move: logit of the move that the transposition table has, in 1024ths.
    prior_table_move_weight = 4500 in 0..=8192 step 160;
    /// Policy network: logit added to the move that the transposition table has, in 1024ths.
    policy_table_move_weight = 6000 in 0..=8192 step 160;
}
