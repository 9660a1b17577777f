//! Material imbalance, space and initiative: terms that belong to no single piece.
//!
//! Initiative depends on the sum of all other terms, so it comes last.

use rukh_chess::types::{Black, Rank, Side, White};
use rukh_chess::{Bitboard, Color, Piece};

use super::context::Context;
use super::declare::Term;
use super::tapered::Tapered;
use super::trace::{Ledger, Trace};
use super::weights;
use crate::geometry::{forward, rank_of, relative_rank};

/// The number of own pawns at which knights and rooks have their nominal value.
const USUAL_PAWNS: i32 = 5;
/// Space counts only with more own pieces than this, pawns and king included.
const SPACE_MIN_PIECES: i32 = 5;
/// The product of safe squares and pieces is divided by this.
const SPACE_UNIT: i32 = 8;
/// The files on which space counts.
const SPACE_FILES: Bitboard = Bitboard(0x3C3C_3C3C_3C3C_3C3C);

/// The files a to d.
const QUEEN_WING: Bitboard = Bitboard(0x0F0F_0F0F_0F0F_0F0F);

/// Material imbalance of `Us`.
#[inline]
pub(super) fn imbalance<Us: Side>(context: &Context<'_>, ledger: &mut Ledger<'_, impl Trace>) {
    let us = Us::COLOR;
    let count = |piece| context.colored_pieces(us, piece).count() as i32;
    let pawns = count(Piece::Pawn) - USUAL_PAWNS;
    let bishops = context.colored_pieces(us, Piece::Bishop);
    let is_pair = bishops.intersects(Bitboard::DARK_SQUARES) && bishops.intersects(!Bitboard::DARK_SQUARES);
    ledger.add_if::<Us>(is_pair, weights::BISHOP_PAIR.one());
    let (knights, rooks) = (count(Piece::Knight), count(Piece::Rook));
    ledger.add::<Us>(weights::KNIGHT_PER_PAWN.one(), knights * pawns);
    ledger.add::<Us>(weights::ROOK_PER_PAWN.one(), rooks * pawns);
    ledger.add_if::<Us>(knights > 1, weights::KNIGHT_PAIR.one());
    ledger.add_if::<Us>(rooks > 1, weights::ROOK_PAIR.one());
}

/// Space: safe squares on the central files behind and between the own pawns, more with many pieces.
#[inline]
pub(super) fn space<Us: Side>(context: &Context<'_>, ledger: &mut Ledger<'_, impl Trace>) {
    let (us, them) = (Us::COLOR, !Us::COLOR);
    let pieces = context.position.color(us).count() as i32 - SPACE_MIN_PIECES;
    if pieces <= 0 {
        return;
    }
    let pawns = context.colored_pieces(us, Piece::Pawn);
    let ranks = rank_of(us, Rank::Second) | rank_of(us, Rank::Third) | rank_of(us, Rank::Fourth);
    let safe = ranks & SPACE_FILES & !pawns & !context.attacks[them][Piece::Pawn];
    // Squares up to three ranks behind an own pawn count twice.
    let one_behind = pawns | forward::<Us::Them>(pawns);
    let behind = one_behind | forward::<Us::Them>(forward::<Us::Them>(one_behind));
    let doubly = safe & behind & !context.all[them];
    let squares = (safe.count() + doubly.count()) as i32;
    ledger.add::<Us>(weights::SPACE.one(), squares * pieces / SPACE_UNIT);
}

/// Initiative: a bonus for the side that is better in the endgame if there is play left, a malus if there is none. It
/// never changes which side is better.
#[inline]
pub(super) fn initiative(context: &Context<'_>, ledger: &mut Ledger<'_, impl Trace>) {
    let endgame = ledger.sum().endgame();
    match endgame.signum() {
        1 => initiative_of::<White>(context, endgame, ledger),
        -1 => initiative_of::<Black>(context, -endgame, ledger),
        _ => {}
    }
}

#[inline(always)]
fn initiative_of<Us: Side>(context: &Context<'_>, endgame: i32, ledger: &mut Ledger<'_, impl Trace>) {
    let position = context.position;
    let pawns = position.pieces(Piece::Pawn);
    let kings = context.kings;
    let file_gap = (kings[Color::White].file() as i32 - kings[Color::Black].file() as i32).abs();
    let rank_gap = (kings[Color::White].rank() as i32 - kings[Color::Black].rank() as i32).abs();
    let infiltrates = Color::ALL.iter().any(|&color| relative_rank(color, kings[color]) > Rank::Fourth);
    let is_pawn_ending = (position.occupied() & !pawns & !position.pieces(Piece::King)).is_empty();
    let passed = context.pawns.passed;

    let mut total = Tapered::ZERO;
    let mut part = |weight, count| ledger.part::<Us>(Term::Initiative, &mut total, weight, count);
    part(weights::INITIATIVE_PASSED.one(), (passed[Color::White] | passed[Color::Black]).count() as i32);
    part(weights::INITIATIVE_PAWN.one(), pawns.count() as i32);
    part(weights::INITIATIVE_OUTFLANKING.one(), file_gap - rank_gap);
    let both = pawns.intersects(QUEEN_WING) && pawns.intersects(!QUEEN_WING);
    part(weights::INITIATIVE_BOTH_WINGS.one(), i32::from(both));
    part(weights::INITIATIVE_INFILTRATION.one(), i32::from(infiltrates));
    part(weights::INITIATIVE_PAWN_ENDING.one(), i32::from(is_pawn_ending));
    part(weights::INITIATIVE_BASE.one(), 1);
    ledger.value::<Us>(Term::Initiative, Tapered::new(0, total.endgame().max(-endgame)));
}
