//! Piece-square tables (PSQT) with material and phase: the part of the evaluation that is updated incrementally.
//!
//! It knows pieces on squares one by one, not their relations.

use rukh_chess::position::ChangeObserver;
use rukh_chess::types::{Black, Rank, Side, White};
use rukh_chess::{Color, Piece, Position, Square};

use super::declare::WeightIndex;
use super::tapered::Tapered;
use super::trace::{Ledger, Trace};
use super::weights;
use crate::geometry::edge_distance;

/// The phase of each kind of piece, from pawn to king.
const PHASES: [i32; Piece::COUNT] = [0, 1, 1, 2, 4, 0];

/// The sum of material and piece-square values, and the phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Psqt {
    /// Material and piece-square values of White less those of Black.
    pub sum: Tapered,
    /// The phase: 24 with all pieces, 0 with kings and pawns alone.
    pub phase: i32,
}

static VALUES: [[[Tapered; Square::COUNT]; Piece::COUNT]; Color::COUNT] = values();

const fn values() -> [[[Tapered; Square::COUNT]; Piece::COUNT]; Color::COUNT] {
    let mut table = [[[Tapered::ZERO; Square::COUNT]; Piece::COUNT]; Color::COUNT];
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut i = 0;
        while i < Square::COUNT {
            let (kind, square) = (Piece::ALL[piece], Square::ALL[i]);
            let value = weights::constant(weights::MATERIAL.at(piece))
                .plus(weights::constant(square_weight(kind, square)));
            table[Color::White.index()][piece][i] = value;
            table[Color::Black.index()][piece][square.flip_rank().index()] = value.negated();
            i += 1;
        }
        piece += 1;
    }
    table
}

/// The piece-square weight of a white piece on `square`.
const fn square_weight(piece: Piece, square: Square) -> WeightIndex {
    let i = square.rank().index() * (Rank::COUNT / 2) + edge_distance(square.file());
    match piece {
        Piece::Pawn => weights::PAWN_SQUARES.at(i),
        Piece::Knight => weights::KNIGHT_SQUARES.at(i),
        Piece::Bishop => weights::BISHOP_SQUARES.at(i),
        Piece::Rook => weights::ROOK_SQUARES.at(i),
        Piece::Queen => weights::QUEEN_SQUARES.at(i),
        Piece::King => weights::KING_SQUARES.at(i),
    }
}

impl Psqt {
    /// The sums of a position, from scratch.
    pub fn of(position: &Position) -> Self {
        let mut psqt = Self::default();
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in position.colored_pieces(color, piece) {
                    psqt.placed(color, piece, square);
                }
            }
        }
        psqt
    }

    /// Emits the weights that the sum is made of.
    pub(crate) fn emit(position: &Position, ledger: &mut Ledger<'_, impl Trace>) {
        emit_side::<White>(position, ledger);
        emit_side::<Black>(position, ledger);
    }
}

fn emit_side<Us: Side>(position: &Position, ledger: &mut Ledger<'_, impl Trace>) {
    for piece in Piece::ALL {
        for square in position.colored_pieces(Us::COLOR, piece) {
            let square = match Us::COLOR {
                Color::White => square,
                Color::Black => square.flip_rank(),
            };
            ledger.add::<Us>(weights::MATERIAL.at(piece.index()), 1);
            ledger.add::<Us>(square_weight(piece, square), 1);
        }
    }
}

// ANCHOR: psqt
impl ChangeObserver for Psqt {
    #[inline]
    fn placed(&mut self, color: Color, piece: Piece, square: Square) {
        self.sum += VALUES[color.index()][piece.index()][square.index()];
        self.phase += PHASES[piece.index()];
    }

    #[inline]
    fn removed(&mut self, color: Color, piece: Piece, square: Square) {
        self.sum -= VALUES[color.index()][piece.index()][square.index()];
        self.phase -= PHASES[piece.index()];
    }

    #[inline]
    fn moved(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        let values = &VALUES[color.index()][piece.index()];
        self.sum += values[to.index()] - values[from.index()];
    }
}
// ANCHOR_END: psqt
