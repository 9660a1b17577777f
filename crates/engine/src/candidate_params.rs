//! Tunables of candidates: the parameters of techniques that are off until games decide them.
//!
//! The tunables of a technique that is kept move to `params.rs`.

rukh_eval::tunables! {
    /// Reduced-search bonus: share of the history bonus, in 1024ths.
    reduced_bonus_weight = 512 in 100..=2048 step 80;
    /// Fading malus: number of quiet moves that get the whole malus.
    fading_malus_moves = 4 in 1..=12 step 1;
    /// Fading malus: factor on the malus with each further move, in 1024ths.
    fading_malus_weight = 940 in 600..=1024 step 24;
    /// Far continuation history: share of the bonus, in 1024ths.
    far_continuation_weight = 512 in 100..=1536 step 80;
    /// Prior capture bonus: share of the history bonus, in 1024ths.
    prior_capture_weight = 640 in 100..=1536 step 80;
    /// Conditional fail-low bonus: share of the fail-low bonus without any condition, in 1024ths.
    conditional_base_weight = 512 in 0..=1536 step 80;
    /// Conditional fail-low bonus: added at depth 6 or more, in 1024ths.
    conditional_depth_weight = 400 in 0..=1536 step 80;
    /// Conditional fail-low bonus: added for the ninth move of a node or a later one, in 1024ths.
    conditional_late_weight = 800 in 0..=1536 step 80;
    /// Conditional fail-low bonus: added where the score is below an evaluation by the margin, for each side, in 1024ths.
    conditional_eval_weight = 600 in 0..=1536 step 80;
    /// Conditional fail-low bonus: that margin, in internal units.
    conditional_eval_margin = 50 in 10..=200 step 10;
    /// Low-ply history: weight at the root in move ordering, in 1024ths; at ply n it is divided by n + 1.
    low_ply_weight = 4096 in 512..=10240 step 400;

    /// Cut-node reduction: reduction added, in 1024ths of a ply.
    cut_node_extra_weight = 1024 in 0..=3072 step 128;
    /// Reduction without a hash move: reduction added, in 1024ths of a ply.
    no_move_weight = 900 in 0..=2048 step 96;
    /// Window reduction: taken off in a window as wide as that of the root, in 1024ths of a ply.
    window_weight = 750 in 0..=2048 step 96;
    /// Correction reduction: taken off for each internal unit of correction, in 1024ths of a ply.
    correction_unit_weight = 12 in 0..=64 step 3;
    /// Correction reduction: the most that is taken off, in 1024ths of a ply.
    correction_most_weight = 1024 in 256..=2048 step 96;
    /// Shallower re-search: internal units above the best score below which it is shallower.
    shallower_margin = 6 in 1..=40 step 3;

    /// Null move reduction: reduction added, in 1024ths of a ply.
    null_extra_weight = 1024 in 0..=3072 step 128;
    /// ProbCut depth: internal units of evaluation above beta for one more ply of reduction.
    probcut_depth_margin = 150 in 50..=500 step 20;

    /// Continuation correction: weight beside the other tables, in 1024ths.
    continuation_correction_weight = 1024 in 128..=3072 step 128;

    /// Triple extension: internal units by which all other moves must fail low.
    singular_triple_margin = 90 in 30..=250 step 12;

    /// Exchange history: capture history that changes the SEE margin by one internal unit.
    exchange_history_divisor = 32 in 8..=128 step 6;
    /// History futility: history that changes the futility margin by one internal unit.
    history_futility_divisor = 100 in 30..=800 step 16;

    /// Aspiration score width: the score squared, in internal units, divided by this is added to the half width.
    aspiration_score_divisor = 5000 in 1000..=20000 step 800;
    /// Table cut-off by node type: depth above which every entry cuts off.
    table_node_type_max_depth = 5 in 2..=12 step 1;
    /// Optimism: limit in internal units.
    optimism_max = 24 in 4..=100 step 4;
    /// Optimism: average score at which half of the limit is reached, in internal units.
    optimism_scale = 45 in 10..=200 step 8;

    /// Time by move number: factor on the share before the first move, in 1024ths.
    time_number_base_weight = 500 in 100..=1024 step 40;
    /// Time by move number: factor added with the square root of the move number, in 1024ths.
    time_number_weight = 118 in 0..=300 step 12;
    /// Time trend: internal units below the score of the last search that double the soft limit.
    time_trend_margin = 160 in 40..=500 step 16;
    /// Time trend: least factor, in 1024ths.
    time_trend_min_weight = 850 in 512..=1024 step 24;
    /// Time trend: greatest factor, in 1024ths.
    time_trend_max_weight = 1536 in 1024..=2560 step 64;
    /// Time by best-move changes: factor without changes, in 1024ths.
    time_changes_base_weight = 950 in 640..=1024 step 24;
    /// Time by best-move changes: factor added for each change, which counts half after each iteration, in 1024ths.
    time_changes_weight = 300 in 50..=1024 step 32;
}
