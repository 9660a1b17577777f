//! The accumulator: the output of the feature transformer, updated incrementally along a line of moves.
//!
//! A move changes two to four features. The changes are recorded when a move is made and applied lazily, when a position
//! is evaluated: most are not. A king move that changes the perspective needs a refresh, which starts from the refresh
//! cache ("Finny table"): the last accumulator of that perspective, and the pieces it was made from. It knows nothing of
//! the layers above.

use rukh_chess::position::ChangeObserver;
use rukh_chess::types::{ByColor, ByPiece};
use rukh_chess::{Bitboard, Color, Piece, Position, Square};

use super::description::NetworkKind;
use super::features::{MAX_PIECES, Perspective, PlacedPiece};
use super::network::QuantisedNetwork;
use super::simd::Row;
use crate::score::MAX_PLY;

/// Pieces that a move places and removes: two each at most, when castling.
#[derive(Clone, Copy, Debug, Default)]
struct Changes {
    placed: [Option<PlacedPiece>; 2],
    removed: [Option<PlacedPiece>; 2],
}

/// The accumulators of both sides after a move.
#[derive(Clone, Debug)]
struct Level<R> {
    rows: ByColor<R>,
    /// Whether the accumulator of a side is up to date.
    is_ready: ByColor<bool>,
    perspectives: ByColor<Perspective>,
    changes: Changes,
}

/// The levels of a line of moves, and the refresh cache.
#[derive(Clone, Debug)]
pub(super) struct Accumulator<K: NetworkKind> {
    levels: Box<[Level<K::Row>]>,
    height: usize,
    /// For each side an entry for each of its perspectives.
    cache: ByColor<Box<[RefreshEntry<K::Row>]>>,
}

/// An accumulator, and the pieces that it was made from.
#[derive(Clone, Debug)]
struct RefreshEntry<R> {
    row: R,
    pieces: ByColor<ByPiece<Bitboard>>,
}

impl<K: NetworkKind> Accumulator<K> {
    pub(super) fn new(network: &QuantisedNetwork<K>) -> Self {
        let empty = RefreshEntry { row: *network.bias(), pieces: ByColor::default() };
        let perspectives = Perspective::count(K::ARCHITECTURE.inputs.buckets());
        let cache = || vec![empty.clone(); perspectives].into_boxed_slice();
        let level = Level {
            rows: ByColor([K::Row::ZERO; 2]),
            is_ready: ByColor::default(),
            perspectives: ByColor::default(),
            changes: Changes::default(),
        };
        Self {
            levels: vec![level; MAX_PLY + 2].into_boxed_slice(),
            height: 0,
            cache: ByColor([cache(), cache()]),
        }
    }

    /// Starts a line at `position`.
    pub(super) fn reset(&mut self, position: &Position) {
        self.height = 0;
        let level = &mut self.levels[0];
        level.is_ready = ByColor::default();
        level.perspectives = ByColor(
            [Color::White, Color::Black]
                .map(|side| K::ARCHITECTURE.inputs.perspective(side, position.king(side))),
        );
    }

    /// Adds a level; the observer records the changes that lead to it.
    #[inline]
    pub(super) fn push(&mut self) -> AccumulatorObserver<'_, K> {
        let perspectives = self.levels[self.height].perspectives;
        self.height += 1;
        let level = &mut self.levels[self.height];
        level.perspectives = perspectives;
        level.is_ready = ByColor::default();
        level.changes = Changes::default();
        AccumulatorObserver(level)
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        debug_assert!(self.height > 0, "the root cannot be popped");
        self.height -= 1;
    }

    /// The accumulators of both sides for `position`, which is the current one.
    #[inline]
    pub(super) fn rows(&mut self, position: &Position, network: &QuantisedNetwork<K>) -> &ByColor<K::Row> {
        for side in [Color::White, Color::Black] {
            if !self.levels[self.height].is_ready[side] {
                self.make_ready(side, position, network);
            }
        }
        &self.levels[self.height].rows
    }

    // ANCHOR: make_ready
    fn make_ready(&mut self, side: Color, position: &Position, network: &QuantisedNetwork<K>) {
        let perspective = self.levels[self.height].perspectives[side];
        // The nearest level below that is up to date, if the perspective has not changed since.
        let mut base = self.height;
        while !self.levels[base].is_ready[side] {
            if base == 0 || self.levels[base - 1].perspectives[side] != perspective {
                return self.refresh(side, position, network);
            }
            base -= 1;
        }
        for height in base + 1..=self.height {
            let (below, above) = self.levels.split_at_mut(height);
            let (below, level) = (&below[height - 1], &mut above[0]);
            let feature = |placed: PlacedPiece| network.feature(perspective.feature(side, placed));
            let (from, to) = (&below.rows[side], &mut level.rows[side]);
            let Changes { placed, removed } = level.changes;
            match (placed.map(|placed| placed.map(feature)), removed.map(|placed| placed.map(feature))) {
                ([Some(placed), None], [Some(removed), None]) => {
                    network.update(to, from, &[placed], &[removed]);
                }
                ([Some(placed), None], [Some(removed), Some(taken)]) => {
                    network.update(to, from, &[placed], &[removed, taken]);
                }
                ([Some(king), Some(rook)], [Some(from_king), Some(from_rook)]) => {
                    network.update(to, from, &[king, rook], &[from_king, from_rook]);
                }
                // A null move.
                _ => *to = *from,
            }
            level.is_ready[side] = true;
        }
    }
    // ANCHOR_END: make_ready

    /// Makes the accumulator of a side from the refresh cache.
    fn refresh(&mut self, side: Color, position: &Position, network: &QuantisedNetwork<K>) {
        let level = &mut self.levels[self.height];
        let perspective = level.perspectives[side];
        let cached = &mut self.cache[side][perspective.index()];
        let (mut added, mut removed) = ([network.bias(); MAX_PIECES], [network.bias(); MAX_PIECES]);
        let (mut adds, mut removes) = (0, 0);
        for color in [Color::White, Color::Black] {
            for piece in Piece::ALL {
                let now = position.color(color) & position.pieces(piece);
                let then = std::mem::replace(&mut cached.pieces[color][piece], now);
                let feature =
                    |square| network.feature(perspective.feature(side, PlacedPiece { color, piece, square }));
                for square in now & !then {
                    added[adds] = feature(square);
                    adds += 1;
                }
                for square in then & !now {
                    removed[removes] = feature(square);
                    removes += 1;
                }
            }
        }
        let row = &mut level.rows[side];
        network.update(row, &cached.row, &added[..adds], &removed[..removes]);
        cached.row = *row;
        level.is_ready[side] = true;
    }
}

/// Records the changes that lead to a level.
pub(super) struct AccumulatorObserver<'l, K: NetworkKind>(&'l mut Level<K::Row>);

impl<K: NetworkKind> ChangeObserver for AccumulatorObserver<'_, K> {
    #[inline]
    fn placed(&mut self, color: Color, piece: Piece, square: Square) {
        let changed = Some(PlacedPiece { color, piece, square });
        let placed = &mut self.0.changes.placed;
        placed[usize::from(placed[0].is_some())] = changed;
        if piece == Piece::King {
            self.0.perspectives[color] = K::ARCHITECTURE.inputs.perspective(color, square);
        }
    }

    #[inline]
    fn removed(&mut self, color: Color, piece: Piece, square: Square) {
        let changed = Some(PlacedPiece { color, piece, square });
        let removed = &mut self.0.changes.removed;
        removed[usize::from(removed[0].is_some())] = changed;
    }
}
