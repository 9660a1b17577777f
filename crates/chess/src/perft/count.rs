//! Perft on one thread, by every way of generating moves.

use alloc::vec;

use crate::movegen::{All, MoveCount, MoveList, MoveStore, Noisy, Quiet, generate};
use crate::position::Position;
use crate::types::{Black, Color, Move, Side, White};

/// A table of the counts known so far. `()` is no table.
pub(super) trait KnownCounts {
    /// The count of a position at a depth, if it is stored.
    fn probe(&self, key: u64, depth: u32) -> Option<u64>;

    /// Stores the count of a position at a depth.
    fn store(&self, key: u64, depth: u32, count: u64);
}

impl KnownCounts for () {
    #[inline]
    fn probe(&self, _key: u64, _depth: u32) -> Option<u64> {
        None
    }

    #[inline]
    fn store(&self, _key: u64, _depth: u32, _count: u64) {}
}

/// The number of move sequences of length `depth`, at most `u64::MAX`.
///
/// The moves of the last ply are counted without being listed or made (bulk counting).
pub fn perft(position: &Position, depth: u32) -> u64 {
    perft_with(position, depth, &())
}

/// [`perft`] with a table of known counts.
pub(super) fn perft_with(position: &Position, depth: u32, table: &impl KnownCounts) -> u64 {
    match (depth, position.side_to_move()) {
        (0, _) => 1,
        (_, Color::White) => count::<White>(position, depth, table),
        (_, Color::Black) => count::<Black>(position, depth, table),
    }
}

// ANCHOR: count
fn count<Us: Side>(position: &Position, depth: u32, table: &impl KnownCounts) -> u64 {
    if depth == 1 {
        let mut count = MoveCount(0);
        generate::<Us, All>(position, &mut count);
        return count.0;
    }
    if let Some(known) = table.probe(position.key(), depth) {
        return known;
    }
    let mut moves = MoveList::new();
    generate::<Us, All>(position, &mut moves);
    let mut nodes = 0_u64;
    for &mv in &moves {
        let mut child = position.clone();
        child.make_as::<Us>(mv, &mut ());
        nodes = count::<Us::Them>(&child, depth - 1, table).saturating_add(nodes);
    }
    table.store(position.key(), depth, nodes);
    nodes
}
// ANCHOR_END: count

/// [`perft`] with the moves of the last ply written into a list, as a search uses the generator.
pub fn perft_listing(position: &Position, depth: u32) -> u64 {
    let mut lists = vec![MoveList::new(); depth as usize];
    perft_by(position, &mut lists, &mut |position, list| position.generate::<All>(list))
}

/// [`perft_listing`] with noisy and quiet moves generated in stages.
pub fn perft_staged(position: &Position, depth: u32) -> u64 {
    let mut lists = vec![MoveList::new(); depth as usize];
    perft_by(position, &mut lists, &mut |position, list| {
        position.generate::<Noisy>(list);
        position.generate::<Quiet>(list);
    })
}

/// [`perft_listing`] by the legality test of every 16-bit move: slow, and an independent check of the generator. Castling
/// and en-passant captures use the same code in both.
pub fn perft_testing(position: &Position, depth: u32) -> u64 {
    let mut lists = vec![MoveList::new(); depth as usize];
    perft_by(position, &mut lists, &mut |position, list| {
        for mv in (0..=u16::MAX).filter_map(Move::from_bits).filter(|&mv| position.is_legal(mv)) {
            list.push(mv);
        }
    })
}

/// Counts with one list for each ply. `fill` generates the moves.
fn perft_by(
    position: &Position,
    lists: &mut [MoveList],
    fill: &mut impl FnMut(&Position, &mut MoveList),
) -> u64 {
    let Some((list, rest)) = lists.split_first_mut() else { return 1 };
    list.clear();
    fill(position, list);
    if rest.is_empty() {
        return list.len() as u64;
    }
    list.iter().fold(0, |nodes: u64, &mv| nodes.saturating_add(perft_by(&position.after(mv), rest, fill)))
}
