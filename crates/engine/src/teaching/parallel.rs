//! Parallel alpha-beta in its two textbook forms: all moves at once, and young brothers wait.
//!
//! The engine uses neither; it searches with Lazy SMP. Values are those of alpha-beta on one thread, which the tests check.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rukh_chess::Position;
use rukh_eval::{Material, Score};

use super::searches::{Counted, Order, alpha_beta, leaf};

/// The value of a position and the leaves that were evaluated for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Split {
    /// The value for the side to move.
    pub value: Score,
    /// Evaluated leaves of all threads.
    pub leaves: u64,
}

const ORDER: Order = Order::CapturesFirst;

/// Searches the root moves on several threads at once, each with an open window: no thread waits for another.
pub fn all_at_once(position: &Position, depth: u32, threads: usize) -> Split {
    let open = |_: Score| (Score::MIN, Score::MAX);
    let whole = split(position, 0, depth, threads, Score::MIN, open, 0);
    whole.unwrap_or_else(|| sequential(position, 0, depth, (Score::MIN, Score::MAX)))
}

// ANCHOR: young_brothers
/// Young brothers wait: the first move of a node is searched alone; then its window is known, and the others are searched on
/// several threads. The nodes of the first line are split like this, all others are searched on one thread.
pub fn young_brothers_wait(
    position: &Position,
    ply: usize,
    depth: u32,
    (alpha, beta): (Score, Score),
    threads: usize,
) -> Split {
    let first = ORDER.moves(position).first().copied().filter(|_| depth > 1);
    let Some(first) = first else { return sequential(position, ply, depth, (alpha, beta)) };
    let eldest = young_brothers_wait(&position.after(first), ply + 1, depth - 1, (-beta, -alpha), threads);
    let best = -eldest.value;
    if best >= beta {
        return Split { value: best, ..eldest };
    }
    // A brother searches with what all have found so far.
    let window = |found: Score| (alpha.max(found), beta);
    let young = split(position, ply, depth, threads, best, window, 1);
    young.map_or(Split { value: best, ..eldest }, |young| Split {
        leaves: young.leaves + eldest.leaves,
        ..young
    })
}
// ANCHOR_END: young_brothers

/// Searches the moves of a node from `skip` on by several threads, which take them in turn. `window` gives the window from the
/// best score so far. `None` if there is no such move.
fn split(
    position: &Position,
    ply: usize,
    depth: u32,
    threads: usize,
    best: Score,
    window: impl Fn(Score) -> (Score, Score) + Sync,
    skip: usize,
) -> Option<Split> {
    let moves = ORDER.moves(position);
    if depth == 0 || moves.len() <= skip {
        return None;
    }
    let next = AtomicUsize::new(skip);
    let found = Mutex::new(Split { value: best, leaves: 0 });
    let work = || {
        while let Some(&mv) = moves.get(next.fetch_add(1, Ordering::Relaxed)) {
            let so_far = found.lock().expect("no thread panics").value;
            let (alpha, beta) = window(so_far);
            if alpha >= beta {
                return;
            }
            let child = sequential(&position.after(mv), ply + 1, depth - 1, (-beta, -alpha));
            let mut found = found.lock().expect("no thread panics");
            found.value = found.value.max(-child.value);
            found.leaves += child.leaves;
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    Some(found.into_inner().expect("no thread panics"))
}

/// Alpha-beta on one thread.
fn sequential(position: &Position, ply: usize, depth: u32, window: (Score, Score)) -> Split {
    let mut counted = Counted::<Material>::default();
    let value = match leaf(position, ply, depth, &mut counted) {
        Some(value) => value,
        None => alpha_beta(position, ply, depth, window, ORDER, &mut counted),
    };
    Split { value, leaves: counted.count }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: (Score, Score) = (Score::MIN, Score::MAX);

    #[test]
    fn values_are_those_of_one_thread() {
        for (fen, depth) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3),
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
            ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", 3),
            ("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", 3),
        ] {
            let position: Position = fen.parse().expect("the positions are valid");
            let one = sequential(&position, 0, depth, OPEN);
            for threads in [1, 2, 4] {
                assert_eq!(all_at_once(&position, depth, threads).value, one.value, "{fen}");
                assert_eq!(young_brothers_wait(&position, 0, depth, OPEN, threads).value, one.value, "{fen}");
            }
            assert_eq!(young_brothers_wait(&position, 0, depth, OPEN, 1), one, "{fen}: the same leaves");
            assert!(all_at_once(&position, depth, 1).leaves >= one.leaves, "{fen}");
        }
    }

    #[test]
    fn who_does_not_wait_searches_more() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let position: Position = fen.parse().expect("the position is valid");
        let (one, all) = (sequential(&position, 0, 3, OPEN), all_at_once(&position, 3, 2));
        assert!(2 * all.leaves > 3 * one.leaves, "{all:?} against {one:?}");
    }
}
