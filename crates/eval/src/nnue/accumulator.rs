//! The first layer, kept up to date along a line of moves.
//!
//! A move changes two to four inputs. What changed is noted when a move is made, and summed up only when a position is judged:
//! most are not. A king that crosses the middle sees the board from the other side; then the layer is made from the last one
//! of that view and the men that stand elsewhere now.

use rukh_chess::position::ChangeObserver;
use rukh_chess::types::{ByColor, ByPiece};
use rukh_chess::{Bitboard, Color, Piece, Position, Square};

use super::arch::MEN_MAX;
use super::features::{Man, View};
use super::network::Network;
use super::simd::Lane;
use crate::score::MAX_PLY;

/// Men that come and go with a move: two each at most, when castling.
#[derive(Clone, Copy, Debug, Default)]
struct Changes {
    placed: [Option<Man>; 2],
    removed: [Option<Man>; 2],
}

/// The first layer after a move.
#[derive(Clone, Debug, Default)]
struct Level {
    lanes: ByColor<Lane>,
    /// Whether the lane of a side is summed up.
    is_ready: ByColor<bool>,
    views: ByColor<View>,
    changes: Changes,
}

/// Levels of a line, and the last layer of each view.
#[derive(Clone, Debug)]
pub(super) struct Accumulator {
    levels: Box<[Level]>,
    height: usize,
    cache: ByColor<[Remembered; View::COUNT]>,
}

/// A layer, and the men that it was made from.
#[derive(Clone, Debug)]
struct Remembered {
    lane: Lane,
    men: ByColor<ByPiece<Bitboard>>,
}

impl Accumulator {
    pub(super) fn new(network: &Network) -> Self {
        let empty = Remembered { lane: *network.bias(), men: ByColor::default() };
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
        level.views = ByColor([Color::White, Color::Black].map(|side| View::of(side, position.king(side))));
    }

    /// A level above the present one, to which changes are told.
    #[inline]
    pub(super) fn push(&mut self) -> Listener<'_> {
        let views = self.levels[self.height].views;
        self.height += 1;
        let level = &mut self.levels[self.height];
        level.views = views;
        level.is_ready = ByColor::default();
        level.changes = Changes::default();
        Listener(level)
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        debug_assert!(self.height > 0, "the root cannot be taken back");
        self.height -= 1;
    }

    /// The layers of both sides for `position`, which is the one reached.
    #[inline]
    pub(super) fn lanes(&mut self, position: &Position, network: &Network) -> &ByColor<Lane> {
        for side in [Color::White, Color::Black] {
            if !self.levels[self.height].is_ready[side] {
                self.make_ready(side, position, network);
            }
        }
        &self.levels[self.height].lanes
    }

    fn make_ready(&mut self, side: Color, position: &Position, network: &Network) {
        let view = self.levels[self.height].views[side];
        // The nearest level below that is summed up, if the side has looked at the board the same way ever since.
        let mut base = self.height;
        while !self.levels[base].is_ready[side] {
            if base == 0 || self.levels[base - 1].views[side] != view {
                return self.refresh(side, position, network);
            }
            base -= 1;
        }
        for height in base + 1..=self.height {
            let (below, above) = self.levels.split_at_mut(height);
            let (below, level) = (&below[height - 1], &mut above[0]);
            let feature = |man: Man| network.feature(view.feature(side, man));
            let (from, to) = (&below.lanes[side], &mut level.lanes[side]);
            let Changes { placed, removed } = level.changes;
            match (placed.map(|man| man.map(feature)), removed.map(|man| man.map(feature))) {
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

    /// Sums up from what is remembered of the view.
    fn refresh(&mut self, side: Color, position: &Position, network: &Network) {
        let level = &mut self.levels[self.height];
        let view = level.views[side];
        let remembered = &mut self.cache[side][view.number()];
        let (mut added, mut removed) = ([network.bias(); MEN_MAX], [network.bias(); MEN_MAX]);
        let (mut adds, mut removes) = (0, 0);
        for color in [Color::White, Color::Black] {
            for piece in Piece::ALL {
                let now = position.color(color) & position.pieces(piece);
                let then = std::mem::replace(&mut remembered.men[color][piece], now);
                let feature = |square| network.feature(view.feature(side, Man { color, piece, square }));
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
        let lane = &mut level.lanes[side];
        network.change(lane, &remembered.lane, &added[..adds], &removed[..removes]);
        remembered.lane = *lane;
        level.is_ready[side] = true;
    }
}

/// Hears the changes that lead to a level.
pub(super) struct Listener<'l>(&'l mut Level);

impl ChangeObserver for Listener<'_> {
    #[inline]
    fn placed(&mut self, color: Color, piece: Piece, square: Square) {
        let man = Some(Man { color, piece, square });
        let placed = &mut self.0.changes.placed;
        placed[usize::from(placed[0].is_some())] = man;
        if piece == Piece::King {
            self.0.views[color] = View::of(color, square);
        }
    }

    #[inline]
    fn removed(&mut self, color: Color, piece: Piece, square: Square) {
        let man = Some(Man { color, piece, square });
        let removed = &mut self.0.changes.removed;
        removed[usize::from(removed[0].is_some())] = man;
    }
}
