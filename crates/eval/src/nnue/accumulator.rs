//! The first layer, kept up to date along a line of moves.
//!
//! A move changes two to four inputs. What changed is noted when a move is made, and summed up only when a position is judged:
//! most are not. A king that crosses the middle sees the board from the other side; then the layer is made from the last one
//! of that perspective and the pieces that stand elsewhere now.

use rukh_chess::position::ChangeObserver;
use rukh_chess::types::{ByColor, ByPiece};
use rukh_chess::{Bitboard, Color, Piece, Position, Square};

use super::arch::MAX_PIECES;
use super::features::{Perspective, PlacedPiece};
use super::network::Network;
use super::simd::HiddenVector;
use crate::score::MAX_PLY;

/// Men that come and go with a move: two each at most, when castling.
#[derive(Clone, Copy, Debug, Default)]
struct Changes {
    placed: [Option<PlacedPiece>; 2],
    removed: [Option<PlacedPiece>; 2],
}

/// The first layer after a move.
#[derive(Clone, Debug, Default)]
struct Level {
    rows: ByColor<HiddenVector>,
    /// Whether the vector of a side is summed up.
    is_ready: ByColor<bool>,
    perspectives: ByColor<Perspective>,
    changes: Changes,
}

/// Levels of a line, and the last layer of each perspective.
#[derive(Clone, Debug)]
pub(super) struct Accumulator {
    levels: Box<[Level]>,
    height: usize,
    cache: ByColor<[RefreshEntry; Perspective::COUNT]>,
}

/// A layer, and the pieces that it was made from.
#[derive(Clone, Debug)]
struct RefreshEntry {
    vector: HiddenVector,
    pieces: ByColor<ByPiece<Bitboard>>,
}

impl Accumulator {
    pub(super) fn new(network: &Network) -> Self {
        let empty = RefreshEntry { vector: *network.bias(), pieces: ByColor::default() };
        let cache = || [empty.clone(), empty.clone()];
        Self {
            levels: vec![Level::default(); MAX_PLY + 2].into_boxed_slice(),
            height: 0,
            cache: ByColor([cache(), cache()]),
        }
    }

    /// Begins a line.
    pub(super) fn reset(&mut self, position: &Position) {
        self.height = 0;
        let level = &mut self.levels[0];
        level.is_ready = ByColor::default();
        level.perspectives =
            ByColor([Color::White, Color::Black].map(|side| Perspective::of(side, position.king(side))));
    }

    /// A level above the present one, to which changes are told.
    #[inline]
    pub(super) fn push(&mut self) -> AccumulatorObserver<'_> {
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
        debug_assert!(self.height > 0, "the root cannot be taken back");
        self.height -= 1;
    }

    /// The layers of both sides for `position`, which is the one reached.
    #[inline]
    pub(super) fn rows(&mut self, position: &Position, network: &Network) -> &ByColor<HiddenVector> {
        for side in [Color::White, Color::Black] {
            if !self.levels[self.height].is_ready[side] {
                self.make_ready(side, position, network);
            }
        }
        &self.levels[self.height].rows
    }

    fn make_ready(&mut self, side: Color, position: &Position, network: &Network) {
        let perspective = self.levels[self.height].perspectives[side];
        // The nearest level below that is summed up, if the side has looked at the board the same way ever since.
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
                    network.change(to, from, &[placed], &[removed]);
                }
                ([Some(placed), None], [Some(removed), Some(taken)]) => {
                    network.change(to, from, &[placed], &[removed, taken]);
                }
                ([Some(king), Some(rook)], [Some(from_king), Some(from_rook)]) => {
                    network.change(to, from, &[king, rook], &[from_king, from_rook]);
                }
                // The turn was passed.
                _ => *to = *from,
            }
            level.is_ready[side] = true;
        }
    }

    /// Sums up from what is cached of the perspective.
    fn refresh(&mut self, side: Color, position: &Position, network: &Network) {
        let level = &mut self.levels[self.height];
        let perspective = level.perspectives[side];
        let cached = &mut self.cache[side][perspective.number()];
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
        let vector = &mut level.rows[side];
        network.change(vector, &cached.vector, &added[..adds], &removed[..removes]);
        cached.vector = *vector;
        level.is_ready[side] = true;
    }
}

/// Hears the changes that lead to a level.
pub(super) struct AccumulatorObserver<'l>(&'l mut Level);

impl ChangeObserver for AccumulatorObserver<'_> {
    #[inline]
    fn placed(&mut self, color: Color, piece: Piece, square: Square) {
        let changed = Some(PlacedPiece { color, piece, square });
        let placed = &mut self.0.changes.placed;
        placed[usize::from(placed[0].is_some())] = changed;
        if piece == Piece::King {
            self.0.perspectives[color] = Perspective::of(color, square);
        }
    }

    #[inline]
    fn removed(&mut self, color: Color, piece: Piece, square: Square) {
        let changed = Some(PlacedPiece { color, piece, square });
        let removed = &mut self.0.changes.removed;
        removed[usize::from(removed[0].is_some())] = changed;
    }
}
