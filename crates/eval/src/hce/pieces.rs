//! Mobility and the other terms of knights, bishops, rooks and queens.
//!
//! They fill in the attacks of the `context` that later terms need.

use rukh_chess::types::{File, Rank, Side};
use rukh_chess::{Bitboard, Color, Piece, Square, attacks};

use super::context::Context;
use super::trace::{Ledger, Trace};
use super::weights;
use crate::geometry::{distance, forward, rank_of, relative_rank, same_color_squares};

/// The four central squares.
const CENTER: Bitboard = Bitboard(0x0000_0018_1800_0000);
/// The four central files.
const CENTRAL_FILES: Bitboard = Bitboard(0x3C3C_3C3C_3C3C_3C3C);
/// A rook with fewer squares than this may be trapped by its king.
const FREE_ROOK_SQUARES: usize = 4;

/// Evaluates the pieces of `Us` and registers their attacks.
#[inline]
pub(super) fn pieces<Us: Side>(context: &mut Context<'_>, ledger: &mut Ledger<'_, impl Trace>) {
    knights::<Us>(context, ledger);
    bishops::<Us>(context, ledger);
    rooks::<Us>(context, ledger);
    queens::<Us>(context, ledger);
}

/// The attacks of a piece; if it is pinned, those along the pin.
#[inline(always)]
fn unless_pinned<Us: Side>(context: &Context<'_>, square: Square, squares: Bitboard) -> Bitboard {
    if context.blockers[Us::COLOR].contains(square) {
        squares & attacks::line(context.kings[Us::COLOR], square)
    } else {
        squares
    }
}

/// Outposts: squares on ranks four to six that an own pawn protects and no enemy pawn can ever attack.
#[inline(always)]
fn outposts<Us: Side>(context: &Context<'_>) -> Bitboard {
    let (us, them) = (Us::COLOR, !Us::COLOR);
    let ranks = rank_of(us, Rank::Fourth) | rank_of(us, Rank::Fifth) | rank_of(us, Rank::Sixth);
    ranks & context.attacks[us][Piece::Pawn] & !context.pawns.attack_span[them]
}

// ANCHOR: knights
#[inline]
fn knights<Us: Side>(context: &mut Context<'_>, ledger: &mut Ledger<'_, impl Trace>) {
    let us = Us::COLOR;
    let outposts = outposts::<Us>(context);
    let behind_pawns = forward::<Us::Them>(context.position.pieces(Piece::Pawn));
    for square in context.colored_pieces(us, Piece::Knight) {
        let squares = unless_pinned::<Us>(context, square, attacks::knight(square));
        context.register::<Us>(Piece::Knight, squares);
        let mobility = (squares & context.mobility_area[us]).count();
        ledger.add::<Us>(weights::KNIGHT_MOBILITY.at(mobility as usize), 1);

        if outposts.contains(square) {
            ledger.add::<Us>(weights::KNIGHT_OUTPOST.one(), 1);
        } else if (squares & outposts & !context.position.color(us)).count() > 0 {
            ledger.add::<Us>(weights::KNIGHT_REACHES_OUTPOST.one(), 1);
        }
        ledger.add_if::<Us>(behind_pawns.contains(square), weights::MINOR_BEHIND_PAWN.one());
        ledger.add::<Us>(weights::KNIGHT_FROM_KING.one(), distance(square, context.kings[us]));
    }
}
// ANCHOR_END: knights

#[inline]
fn bishops<Us: Side>(context: &mut Context<'_>, ledger: &mut Ledger<'_, impl Trace>) {
    let (us, them) = (Us::COLOR, !Us::COLOR);
    let bishops = context.colored_pieces(us, Piece::Bishop);
    if bishops.is_empty() {
        return;
    }
    let outposts = outposts::<Us>(context);
    let pawns = context.position.pieces(Piece::Pawn);
    let (own_pawns, enemy_pawns) =
        (context.colored_pieces(us, Piece::Pawn), context.colored_pieces(them, Piece::Pawn));
    let behind_pawns = forward::<Us::Them>(pawns);
    let blocked_center = own_pawns & CENTRAL_FILES & forward::<Us::Them>(context.occupied);
    // X-ray through queens: they can leave the diagonal with tempo.
    let seen_through = context.occupied ^ context.position.pieces(Piece::Queen);
    for square in bishops {
        let squares = unless_pinned::<Us>(context, square, attacks::bishop(square, seen_through));
        context.register::<Us>(Piece::Bishop, squares);
        let mobility = (squares & context.mobility_area[us]).count();
        ledger.add::<Us>(weights::BISHOP_MOBILITY.at(mobility as usize), 1);

        ledger.add_if::<Us>(outposts.contains(square), weights::BISHOP_OUTPOST.one());
        ledger.add_if::<Us>(behind_pawns.contains(square), weights::MINOR_BEHIND_PAWN.one());
        ledger.add::<Us>(weights::BISHOP_FROM_KING.one(), distance(square, context.kings[us]));
        let shared = (own_pawns & same_color_squares(square)).count() * (1 + blocked_center.count());
        ledger.add::<Us>(weights::BISHOP_PAWNS.one(), shared as i32);
        let facing = (attacks::bishop_rays(square) & enemy_pawns).count();
        ledger.add::<Us>(weights::BISHOP_ENEMY_PAWNS.one(), facing as i32);
        let central = (attacks::bishop(square, pawns) | Bitboard::of(square)) & CENTER;
        ledger.add_if::<Us>(central.has_many(), weights::BISHOP_LONG_DIAGONAL.one());
        ledger.add_if::<Us>(is_trapped_bishop::<Us>(square, enemy_pawns), weights::BISHOP_TRAPPED.one());
    }
}

/// A bishop on a7 or h7, or b8 or g8, that enemy pawns on b6 and c7, or g6 and f7, trap.
#[inline]
fn is_trapped_bishop<Us: Side>(bishop: Square, enemy_pawns: Bitboard) -> bool {
    let relative = match Us::COLOR {
        Color::White => bishop,
        Color::Black => bishop.flip_rank(),
    };
    let needed = match relative {
        Square::A7 | Square::B8 => Bitboard::of(Square::B6) | Bitboard::of(Square::C7),
        Square::H7 | Square::G8 => Bitboard::of(Square::G6) | Bitboard::of(Square::F7),
        _ => return false,
    };
    let needed = match Us::COLOR {
        Color::White => needed,
        Color::Black => needed.flip_ranks(),
    };
    needed.is_subset_of(enemy_pawns)
}

#[inline]
fn rooks<Us: Side>(context: &mut Context<'_>, ledger: &mut Ledger<'_, impl Trace>) {
    let (us, them) = (Us::COLOR, !Us::COLOR);
    let (own_pawns, enemy_pawns) =
        (context.colored_pieces(us, Piece::Pawn), context.colored_pieces(them, Piece::Pawn));
    let queens = context.position.pieces(Piece::Queen);
    let seen_through = context.occupied ^ (queens | context.colored_pieces(us, Piece::Rook));
    let seventh_matters = relative_rank(us, context.kings[them]) == Rank::Eighth
        || enemy_pawns.intersects(rank_of(us, Rank::Seventh));
    for square in context.colored_pieces(us, Piece::Rook) {
        let squares = unless_pinned::<Us>(context, square, attacks::rook(square, seen_through));
        context.register::<Us>(Piece::Rook, squares);
        let mobility = (squares & context.mobility_area[us]).count() as usize;
        ledger.add::<Us>(weights::ROOK_MOBILITY.at(mobility), 1);

        let file = Bitboard::file(square.file());
        ledger.add_if::<Us>(file.intersects(queens), weights::ROOK_ON_QUEEN_FILE.one());
        if !file.intersects(own_pawns) {
            if file.intersects(enemy_pawns) {
                ledger.add::<Us>(weights::ROOK_HALF_OPEN_FILE.one(), 1);
            } else {
                ledger.add::<Us>(weights::ROOK_OPEN_FILE.one(), 1);
            }
        } else if mobility < FREE_ROOK_SQUARES && is_behind_king::<Us>(context, square) {
            ledger.add::<Us>(weights::ROOK_TRAPPED.one(), 1);
        }
        let is_on_seventh = relative_rank(us, square) == Rank::Seventh;
        ledger.add_if::<Us>(is_on_seventh && seventh_matters, weights::ROOK_SEVENTH.one());
    }
}

/// Whether a king that can no longer castle stands between this rook and the centre.
#[inline]
fn is_behind_king<Us: Side>(context: &Context<'_>, rook: Square) -> bool {
    let king = context.kings[Us::COLOR];
    let is_king_side = king.file() >= File::E;
    let is_outside = if is_king_side { rook.file() > king.file() } else { rook.file() < king.file() };
    is_outside
        && relative_rank(Us::COLOR, king) <= Rank::Second
        && context.position.castling().rooks_of(Us::COLOR).is_empty()
}

#[inline]
fn queens<Us: Side>(context: &mut Context<'_>, ledger: &mut Ledger<'_, impl Trace>) {
    let (us, them) = (Us::COLOR, !Us::COLOR);
    let far_half =
        Rank::ALL[Rank::COUNT / 2..].iter().fold(Bitboard::EMPTY, |set, &rank| set | rank_of(us, rank));
    for square in context.colored_pieces(us, Piece::Queen) {
        let squares = unless_pinned::<Us>(context, square, attacks::queen(square, context.occupied));
        context.register::<Us>(Piece::Queen, squares);
        let mobility = (squares & context.mobility_area[us]).count();
        ledger.add::<Us>(weights::QUEEN_MOBILITY.at(mobility as usize), 1);
        ledger.add_if::<Us>(is_exposed(context, square, them), weights::QUEEN_EXPOSED.one());
        let infiltrates = far_half.contains(square) && !context.pawns.attack_span[them].contains(square);
        ledger.add_if::<Us>(infiltrates, weights::QUEEN_INFILTRATION.one());
    }
}

/// Whether a rook or bishop of `them` attacks the queen through a single piece.
#[inline]
fn is_exposed(context: &Context<'_>, queen: Square, them: Color) -> bool {
    let snipers = attacks::rook_rays(queen) & context.colored_pieces(them, Piece::Rook)
        | attacks::bishop_rays(queen) & context.colored_pieces(them, Piece::Bishop);
    snipers.into_iter().any(|sniper| {
        let between = attacks::between(queen, sniper) & context.occupied;
        !between.is_empty() && !between.has_many()
    })
}
