//! Tunables of candidates: the parameters of techniques that are off until games decide them.
//!
//! The tunables of a technique that is kept move to `params.rs`.

rukh_eval::tunables! {
    /// Fading malus: number of quiet moves that get the whole malus.
    fading_malus_moves = 4 in 1..=12 step 1;
    /// Fading malus: factor on the malus with each further move, in 1024ths.
    fading_malus_weight = 940 in 600..=1024 step 24;
    /// Prior capture bonus: share of the history bonus, in 1024ths.
    prior_capture_weight = 640 in 100..=1536 step 80;

    /// Null move reduction: reduction added, in 1024ths of a ply.
    null_extra_weight = 1024 in 0..=3072 step 128;
    /// ProbCut depth: internal units of evaluation above beta for one more ply of reduction.
    probcut_depth_margin = 150 in 50..=500 step 20;
    /// History futility: history that changes the futility margin by one internal unit.
    history_futility_divisor = 100 in 30..=800 step 16;

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
    /// Time by best-move changes: weight of the changes of the iterations before, in 1024ths.
    time_changes_decay_weight = 512 in 128..=960 step 32;
}
