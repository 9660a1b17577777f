//! The evaluation context: attack maps of both sides, computed once and shared by the terms.
//!
//! It knows no weights.

use rukh_chess::types::{ByColor, ByPiece, File, Rank, Side};
use rukh_chess::{Bitboard, Color, Piece, Position, Square, attacks};

use super::pawns::PawnEntry;
use crate::geometry::{forward, rank_of};

/// What the terms share. The attack maps are filled in by the terms of the pieces.
pub(super) struct Context<'p> {
    pub(super) position: &'p Position,
    pub(super) pawns: &'p PawnEntry,
    pub(super) occupied: Bitboard,
    pub(super) kings: ByColor<Square>,
    /// Squares attacked by each kind of piece.
    pub(super) attacks: ByColor<ByPiece<Bitboard>>,
    /// Squares attacked by any piece.
    pub(super) all: ByColor<Bitboard>,
    /// Squares attacked twice or more.
    pub(super) double: ByColor<Bitboard>,
    /// Pieces of either colour that are the only one between a king and an enemy slider.
    pub(super) blockers: ByColor<Bitboard>,
    /// The mobility area: squares that count for mobility.
    pub(super) mobility_area: ByColor<Bitboard>,
    /// The king ring.
    pub(super) king_ring: ByColor<Bitboard>,
    /// The attack on the king of a colour.
    pub(super) king_attack: ByColor<KingAttack>,
}

/// The enemy pieces that attack a king ring.
#[derive(Clone, Copy, Default)]
pub(super) struct KingAttack {
    pub(super) attackers: ByPiece<i32>,
    /// Attacks on squares next to the king, summed over the pieces.
    pub(super) ring_attacks: u32,
}

impl<'p> Context<'p> {
    /// A context with the attacks of kings and pawns; [`Self::register`] adds the others.
    #[inline]
    pub(super) fn new(position: &'p Position, pawns: &'p PawnEntry) -> Self {
        let kings = ByColor([position.king(Color::White), position.king(Color::Black)]);
        let mut context = Self {
            position,
            pawns,
            occupied: position.occupied(),
            kings,
            attacks: ByColor::default(),
            all: ByColor::default(),
            double: ByColor::default(),
            blockers: ByColor([
                blockers(position, kings[Color::White], Color::Black),
                blockers(position, kings[Color::Black], Color::White),
            ]),
            mobility_area: ByColor::default(),
            king_ring: ByColor::default(),
            king_attack: ByColor::default(),
        };
        context.begin::<rukh_chess::types::White>();
        context.begin::<rukh_chess::types::Black>();
        context
    }

    #[inline]
    fn begin<Us: Side>(&mut self) {
        let (us, them) = (Us::COLOR, !Us::COLOR);
        let position = self.position;
        let pawns = position.colored_pieces(us, Piece::Pawn);
        let (left, right) = match us {
            Color::White => (pawns.shifted(7), pawns.shifted(9)),
            Color::Black => (pawns.shifted(-9), pawns.shifted(-7)),
        };
        let king = attacks::king(self.kings[us]);
        self.attacks[us][Piece::Pawn] = left | right;
        self.attacks[us][Piece::King] = king;
        self.all[us] = left | right | king;
        self.double[us] = left & right | (left | right) & king;

        let low = rank_of(us, Rank::Second) | rank_of(us, Rank::Third);
        let stuck = pawns & (low | forward::<Us::Them>(self.occupied));
        let enemy_pawns = position.colored_pieces(them, Piece::Pawn).pawn_attacks(them);
        let own = position.colored_pieces(us, Piece::King) | position.colored_pieces(us, Piece::Queen);
        self.mobility_area[us] = !(stuck | own | enemy_pawns);
        self.king_ring[us] = ring(self.kings[us]) & !(left & right);
    }

    /// Adds the attacks of one piece.
    #[inline(always)]
    pub(super) fn register<Us: Side>(&mut self, piece: Piece, squares: Bitboard) {
        let (us, them) = (Us::COLOR, !Us::COLOR);
        self.double[us] |= self.all[us] & squares;
        self.all[us] |= squares;
        self.attacks[us][piece] |= squares;
        if squares.intersects(self.king_ring[them]) {
            let king_attack = &mut self.king_attack[them];
            king_attack.attackers[piece] += 1;
            king_attack.ring_attacks += (squares & attacks::king(self.kings[them])).count();
        }
    }

    /// The pieces of one kind and colour.
    #[inline(always)]
    pub(super) fn colored_pieces(&self, color: Color, piece: Piece) -> Bitboard {
        self.position.colored_pieces(color, piece)
    }
}

/// The king ring: nine squares around the king, shifted inwards at the edge.
#[inline]
fn ring(king: Square) -> Bitboard {
    let file = File::from_low_bits((king.file() as u8).clamp(File::B as u8, File::G as u8));
    let rank = Rank::from_low_bits((king.rank() as u8).clamp(Rank::Second as u8, Rank::Seventh as u8));
    let center = Square::new(file, rank);
    attacks::king(center) | Bitboard::of(center)
}

/// The pieces of either colour that are the only one between `square` and a slider of `attacker`.
#[inline]
fn blockers(position: &Position, square: Square, attacker: Color) -> Bitboard {
    let snipers = attacks::rook_rays(square) & position.orthogonal_sliders(attacker)
        | attacks::bishop_rays(square) & position.diagonal_sliders(attacker);
    let mut found = Bitboard::EMPTY;
    for sniper in snipers {
        let between = attacks::between(square, sniper) & position.occupied();
        if !between.has_many() {
            found |= between;
        }
    }
    found
}
