//! Perft divide: one count for each root move, on several threads.

use alloc::vec::Vec;
use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use super::count::{perft, perft_with};
use super::table::PerftTable;
use crate::position::Position;
use crate::types::Move;

/// The parameters of a perft divide.
#[derive(Clone, Copy)]
pub struct Division<'a> {
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// A table of known counts, shared by all threads.
    pub table: Option<&'a PerftTable>,
    /// Receives the number of finished parts and the number of all parts: at the start, and from the thread that finished one.
    pub on_progress: &'a (dyn Fn(usize, usize) + Sync),
}

/// A part of the work: a position two plies deep, and its root move.
struct Part {
    root_move: usize,
    position: Position,
    depth: u32,
}

impl Division<'_> {
    /// The number of move sequences of length `depth` for each legal root move, at most `u64::MAX`.
    pub fn run(&self, position: &Position, depth: u32) -> Vec<(Move, u64)> {
        let Some(below_root) = depth.checked_sub(1) else { return Vec::new() };
        let moves = position.legal_moves();
        let parts = parts(position, &moves, below_root);
        let counts = moves.iter().map(|_| AtomicU64::new(0)).collect::<Vec<_>>();
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        (self.on_progress)(0, parts.len());
        let work = || {
            while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
                let nodes = match self.table {
                    Some(table) => perft_with(&part.position, part.depth, table),
                    None => perft(&part.position, part.depth),
                };
                let add = |count: u64| Some(count.saturating_add(nodes));
                let _ = counts[part.root_move].fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
                (self.on_progress)(done.fetch_add(1, Ordering::Relaxed) + 1, parts.len());
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.threads.get().min(parts.len()) {
                // Without another thread the count is slower, but correct.
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
        moves.iter().copied().zip(counts.into_iter().map(AtomicU64::into_inner)).collect()
    }
}

/// The parts two plies deep: enough to keep all threads busy to the end.
fn parts(position: &Position, moves: &[Move], below_root: u32) -> Vec<Part> {
    let mut parts = Vec::new();
    for (root_move, &mv) in moves.iter().enumerate() {
        let child = position.after(mv);
        match below_root.checked_sub(1) {
            None => parts.push(Part { root_move, position: child, depth: 0 }),
            Some(depth) => {
                let replies = child.legal_moves();
                parts.extend(replies.iter().map(|&reply| Part {
                    root_move,
                    position: child.after(reply),
                    depth,
                }));
            }
        }
    }
    parts
}
