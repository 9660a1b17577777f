//! King safety: pawn shelter and storm, and king danger.
//!
//! It needs the attacks of all pieces in the `context`.

use rukh_chess::types::{File, Rank, Side, Wing};
use rukh_chess::{Bitboard, Color, Piece, Square, attacks};

use super::context::Context;
use super::declare::{Term, WeightIndex};
use super::tapered::Tapered;
use super::trace::{Ledger, Trace};
use super::weights;
use crate::geometry::{adjacent, distance, edge_distance, fill_forward, forward, relative_rank};

/// King danger is quadratic: the square of this many units, divided by this, is its value in the middlegame.
pub const DANGER_SQUARED_PER_UNIT: i32 = 2048;
/// The greatest king danger that counts.
pub const DANGER_MAX: i32 = 2200;
/// The king flank, by the file of the king: the files from which the king is attacked.
const FLANKS: [Bitboard; File::COUNT] = flanks();
/// Ranks of the shelter and storm tables.
const SHELTER_RANKS: usize = 7;
/// The distance to the nearest pawn if there is none.
const NO_PAWN_DISTANCE: i32 = 6;

const fn flanks() -> [Bitboard; File::COUNT] {
    let mut table = [Bitboard::EMPTY; File::COUNT];
    let mut i = 0;
    while i < File::COUNT {
        // The queenside for a king on a to c, the centre for d and e, the kingside for f to h.
        let (first, last) = match i {
            0 => (0, 2),
            1 | 2 => (0, 3),
            3 | 4 => (2, 5),
            5 | 6 => (4, 7),
            _ => (5, 7),
        };
        let mut file = first;
        while file <= last {
            table[i].0 |= Bitboard::file(File::from_low_bits(file)).0;
            file += 1;
        }
        i += 1;
    }
    table
}

/// Evaluates the safety of the king of `Us`.
#[inline]
pub(super) fn king<Us: Side>(context: &Context<'_>, ledger: &mut Ledger<'_, impl Trace>) {
    shelter::<Us>(context, ledger);
    surroundings::<Us>(context, ledger);
    danger::<Us>(context, ledger);
}

/// Calls `visit` with every shelter and storm weight of a king on `king`.
#[inline(always)]
fn shelter_weights<Us: Side>(context: &Context<'_>, king: Square, mut visit: impl FnMut(WeightIndex)) {
    let (us, them) = (Us::COLOR, !Us::COLOR);
    // Only pawns beside or in front of the king count.
    let before = fill_forward::<Us>(Bitboard::rank(king.rank()));
    let ours = context.colored_pieces(us, Piece::Pawn) & before & !context.attacks[them][Piece::Pawn];
    let theirs = context.colored_pieces(them, Piece::Pawn) & before;
    let center = (king.file() as u8).clamp(File::B as u8, File::G as u8);
    for file in center - 1..=center + 1 {
        let file = File::from_low_bits(file);
        let squares = Bitboard::file(file);
        let row = edge_distance(file) * SHELTER_RANKS;
        let nearest = |pawns: Bitboard| {
            let square = match us {
                Color::White => (pawns & squares).first(),
                Color::Black => (pawns & squares).last(),
            };
            square.map_or(0, |square| relative_rank(us, square).index())
        };
        let (shield, storm) = (nearest(ours), nearest(theirs));
        visit(weights::SHELTER.at(row + shield));
        visit(if shield > 0 && storm == shield + 1 {
            weights::STORM_BLOCKED.at(storm)
        } else {
            weights::STORM.at(row + storm)
        });
    }
}

/// Pawn shelter of the king on its square, or on a square it can castle to if that is better.
#[inline]
fn shelter<Us: Side>(context: &Context<'_>, ledger: &mut Ledger<'_, impl Trace>) {
    let us = Us::COLOR;
    let king = context.kings[us];
    let mut home = king;
    let rooks = context.position.castling().rooks_of(us);
    if !rooks.is_empty() {
        let value_on = |square| {
            let mut sum = Tapered::ZERO;
            shelter_weights::<Us>(context, square, |weight| sum += weight.value());
            sum.midgame()
        };
        let mut best = value_on(king);
        for rook in rooks {
            let target = Wing::of_rook(king, rook).king_target(us);
            let value = value_on(target);
            if value > best {
                (home, best) = (target, value);
            }
        }
    }
    shelter_weights::<Us>(context, home, |weight| ledger.add::<Us>(weight, 1));
}

/// Open files at the king, a flank without pawns, and the distance to the pawns in the endgame.
#[inline]
fn surroundings<Us: Side>(context: &Context<'_>, ledger: &mut Ledger<'_, impl Trace>) {
    let us = Us::COLOR;
    let king = context.kings[us];
    let file = Bitboard::file(king.file());
    let pawns = context.position.pieces(Piece::Pawn);
    if !file.intersects(context.colored_pieces(us, Piece::Pawn)) {
        let is_open = !file.intersects(pawns);
        ledger
            .add::<Us>(if is_open { weights::KING_OPEN_FILE } else { weights::KING_HALF_OPEN_FILE }.one(), 1);
    }
    ledger.add_if::<Us>(!pawns.intersects(FLANKS[king.file().index()]), weights::KING_PAWNLESS_FLANK.one());
    let own = context.colored_pieces(us, Piece::Pawn);
    if !own.is_empty() {
        let steps = if own.intersects(attacks::king(king)) {
            1
        } else {
            own.into_iter().map(|pawn| distance(king, pawn)).min().unwrap_or(NO_PAWN_DISTANCE)
        };
        ledger.add::<Us>(weights::KING_FROM_PAWNS.one(), steps.min(NO_PAWN_DISTANCE));
    }
}

// ANCHOR: danger
/// King danger: a sum of units, which is squared.
#[inline]
fn danger<Us: Side>(context: &Context<'_>, ledger: &mut Ledger<'_, impl Trace>) {
    let (us, them) = (Us::COLOR, !Us::COLOR);
    let king_attack = context.king_attack[us];
    let attackers: i32 = king_attack.attackers.0.iter().sum();
    let has_queen = !context.colored_pieces(them, Piece::Queen).is_empty();
    // A single attacker is no danger unless there is a queen.
    if attackers < 2 - i32::from(has_queen) {
        return;
    }
    let mut total = Tapered::ZERO;
    let mut part = |weight, count| ledger.part::<Us>(Term::KingDanger, &mut total, weight, count);
    part(weights::DANGER_BASE.one(), 1);
    for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
        part(weights::DANGER_ATTACKER.at(piece.index()), king_attack.attackers[piece]);
    }
    part(weights::DANGER_ATTACKERS.at(attackers as usize), 1);
    part(weights::DANGER_RING_ATTACK.one(), king_attack.ring_attacks as i32);
    if !has_queen {
        part(weights::DANGER_NO_QUEEN.one(), 1);
    }
    checks::<Us>(context, &mut part);
    around::<Us>(context, &mut part);

    let quadratic = total.midgame().clamp(0, DANGER_MAX);
    let value = Tapered::new(-(quadratic * quadratic / DANGER_SQUARED_PER_UNIT), -total.endgame().max(0));
    ledger.value::<Us>(Term::KingDanger, value);
}
// ANCHOR_END: danger

/// Safe and unsafe checks, and weak squares around the king.
#[inline(always)]
fn checks<Us: Side>(context: &Context<'_>, part: &mut impl FnMut(WeightIndex, i32)) {
    let (us, them) = (Us::COLOR, !Us::COLOR);
    let (ours, theirs) = (&context.attacks[us], &context.attacks[them]);
    let king = context.kings[us];
    // A weak square is attacked and not protected, or protected by the king or queen alone.
    let protected_badly = !context.all[us] | ours[Piece::Queen] | ours[Piece::King];
    let weak = context.all[them] & !context.double[us] & protected_badly;
    part(weights::DANGER_WEAK_SQUARE.one(), (weak & context.king_ring[us]).count() as i32);

    let free = !context.position.color(them);
    let safe = free & (!context.all[us] | weak & context.double[them]);
    let without_queen = context.occupied ^ context.colored_pieces(us, Piece::Queen);
    let orthogonal = attacks::rook(king, without_queen);
    let diagonal = attacks::bishop(king, without_queen);

    let rook_checks = orthogonal & theirs[Piece::Rook] & free;
    let queen_checks = (orthogonal | diagonal) & theirs[Piece::Queen] & free & !ours[Piece::Queen];
    let bishop_checks = diagonal & theirs[Piece::Bishop] & free;
    let knight_checks = attacks::knight(king) & theirs[Piece::Knight] & free;

    let mut unsafe_checks = Bitboard::EMPTY;
    for (piece, squares) in
        [(Piece::Rook, rook_checks), (Piece::Bishop, bishop_checks), (Piece::Knight, knight_checks)]
    {
        if squares.intersects(safe) {
            part(weights::DANGER_SAFE_CHECK.at(piece.index()), 1);
        } else {
            unsafe_checks |= squares;
        }
    }
    // A queen check counts only where there is no safe rook check.
    if (queen_checks & safe & !(rook_checks & safe)).count() > 0 {
        part(weights::DANGER_SAFE_CHECK.at(Piece::Queen.index()), 1);
    }
    part(weights::DANGER_UNSAFE_CHECK.one(), unsafe_checks.count() as i32);
}

/// Pins, open files, attackers and defenders of the king flank.
#[inline(always)]
fn around<Us: Side>(context: &Context<'_>, part: &mut impl FnMut(WeightIndex, i32)) {
    let (us, them) = (Us::COLOR, !Us::COLOR);
    let king = context.kings[us];
    part(weights::DANGER_BLOCKER.one(), context.blockers[us].count() as i32);
    let files = adjacent(king.file()) | Bitboard::file(king.file());
    let own_files = fill_forward::<Us>(fill_forward::<Us::Them>(context.colored_pieces(us, Piece::Pawn)));
    let open = Bitboard::rank(Rank::First) & files & !own_files;
    part(weights::DANGER_OPEN_FILE.one(), open.count() as i32);
    // The own camp: the first five ranks.
    let far = forward::<Us>(fill_forward::<Us>(Bitboard::rank(Rank::Fifth.relative_to(us))));
    let flank = FLANKS[king.file().index()] & !far;
    let attacked = context.all[them] & flank;
    part(
        weights::DANGER_FLANK_ATTACK.one(),
        (attacked.count() + (attacked & context.double[them]).count()) as i32,
    );
    part(weights::DANGER_FLANK_DEFENCE.one(), (context.all[us] & flank).count() as i32);
    if context.attacks[us][Piece::Knight].intersects(attacks::king(king)) {
        part(weights::DANGER_KNIGHT_DEFENDER.one(), 1);
    }
}
