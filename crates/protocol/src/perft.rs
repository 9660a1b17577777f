//! Perft with one count per root move (divide), which can be stopped.

use std::sync::atomic::{AtomicBool, Ordering};

use rukh_chess::Position;
use rukh_chess::notation::CastlingNotation;
use rukh_chess::perft::perft;

use crate::output::Output;

/// The greatest depth accepted; no machine finishes it.
pub(crate) const MAX_PERFT_DEPTH: u32 = 64;
/// Up to this depth the stop flag is not checked: the count takes milliseconds.
const UNCHECKED_DEPTH: u32 = 4;

/// Writes the number of leaf nodes at `depth` for each root move, then the total.
pub(crate) fn divide(
    position: &Position,
    depth: u32,
    castling: CastlingNotation,
    output: &Output,
    is_stopped: &AtomicBool,
) {
    let is_over = || is_stopped.load(Ordering::Relaxed) || output.is_closed();
    let mut total = u64::from(depth == 0);
    if let Some(below) = depth.checked_sub(1) {
        for &mv in &*position.legal_moves() {
            let nodes = count(&position.after(mv), below, &is_over);
            if is_over() {
                output.write("\nPerft was stopped.");
                return;
            }
            total = total.saturating_add(nodes);
            output.write(&format!("{}: {nodes}", position.uci(mv, castling)));
        }
    }
    output.write(&format!("\nNodes searched: {total}\n"));
}

/// The leaf nodes at `depth`; fewer after a stop.
fn count(position: &Position, depth: u32, is_over: &impl Fn() -> bool) -> u64 {
    if depth <= UNCHECKED_DEPTH {
        return perft(position, depth);
    }
    let mut nodes = 0u64;
    for &mv in &*position.legal_moves() {
        if is_over() {
            break;
        }
        nodes = nodes.saturating_add(count(&position.after(mv), depth - 1, is_over));
    }
    nodes
}
