//! The tunables of the evaluation.

/// The number 1 in the fixed point of tunables that end in `_weight`.
pub(crate) const ONE: i32 = 1024;

tunables! {
    /// Network: factor on its output when only pawns are left beside the kings, in 1024ths.
    network_pawns_weight = 820 in 512..=1280 step 32;
    /// Network: factor on its output with all pieces on the board, in 1024ths.
    network_pieces_weight = 1170 in 768..=1536 step 32;
}
