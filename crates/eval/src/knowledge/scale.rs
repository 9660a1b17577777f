//! Endgame scaling: the factor by which an endgame advantage shrinks where it is hard or impossible to win.
//!
//! It knows material and pawns, nothing of the evaluation that it scales.

use rukh_chess::types::{File, Rank};
use rukh_chess::{Bitboard, Color, Piece, Position, Square};

use crate::geometry::{distance, forward_file, relative_rank};

/// The factor that changes nothing.
pub const SCALE_NORMAL: i32 = 64;
const SCALE_DRAW: i32 = 0;
/// Almost always a draw: a minor piece or less ahead without pawns, against at most one minor piece.
const SCALE_HARDLY: i32 = 4;
/// A minor piece or less ahead without pawns, against more than one minor piece.
const SCALE_PAWNLESS: i32 = 14;
/// Rook against a far advanced pawn.
const SCALE_ROOK_AGAINST_PAWN: i32 = 12;
/// Rook endgames with all pawns on one wing and at most one extra pawn.
const SCALE_ROOKS_ONE_WING: i32 = 36;
/// Opposite-coloured bishops and pawns only; more for each passed pawn.
const SCALE_OPPOSITE_BISHOPS: i32 = 20;
const SCALE_OPPOSITE_PER_PASSED: i32 = 6;
/// Opposite-coloured bishops with other pieces; more for each of those pieces.
const SCALE_OPPOSITE_WITH_PIECES: i32 = 34;
const SCALE_OPPOSITE_PER_PIECE: i32 = 4;
/// Few pawns are easily exchanged: the factor without any, and more for each.
const SCALE_FEW_PAWNS: i32 = 40;
const SCALE_PER_PAWN: i32 = 7;

/// Material points, from pawn to king.
const POINTS: [u32; Piece::COUNT] = [1, 3, 3, 5, 9, 0];
const MINOR: u32 = POINTS[Piece::Knight.index()];
const ROOK: u32 = POINTS[Piece::Rook.index()];

/// The files a to d.
const QUEEN_WING: Bitboard = Bitboard(0x0F0F_0F0F_0F0F_0F0F);

/// The material points of a side, pawns not counted.
fn piece_points(position: &Position, color: Color) -> u32 {
    [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
        .into_iter()
        .map(|piece| position.colored_pieces(color, piece).count() * POINTS[piece.index()])
        .sum()
}

/// The factor, of [`SCALE_NORMAL`], for an endgame advantage of `strong`, whose passed pawns are given.
#[inline]
pub fn scale(position: &Position, strong: Color, passed: Bitboard) -> i32 {
    let own_pawns = position.colored_pieces(strong, Piece::Pawn);
    if own_pawns.is_empty() {
        return without_pawns(position, strong);
    }
    if cannot_queen(position, strong) {
        return SCALE_DRAW;
    }
    if let Some(factor) = opposite_bishops(position, passed) {
        return factor;
    }
    let count = own_pawns.count() as i32;
    let usual = SCALE_NORMAL.min(SCALE_FEW_PAWNS + SCALE_PER_PAWN * count);
    if is_rook_ending_on_one_wing(position, strong) { usual.min(SCALE_ROOKS_ONE_WING) } else { usual }
}

fn without_pawns(position: &Position, strong: Color) -> i32 {
    let (ours, theirs) = (piece_points(position, strong), piece_points(position, !strong));
    if ours <= theirs + MINOR {
        return match () {
            () if ours < ROOK => SCALE_DRAW,
            () if theirs <= MINOR => SCALE_HARDLY,
            () => SCALE_PAWNLESS,
        };
    }
    let enemy_pawns = position.colored_pieces(!strong, Piece::Pawn);
    let has_knights_alone = ours == MINOR * 2 && position.colored_pieces(strong, Piece::Knight).count() == 2;
    if has_knights_alone && enemy_pawns.is_empty() {
        return SCALE_DRAW;
    }
    match enemy_pawns.first() {
        Some(pawn) if ours == ROOK && theirs == 0 && is_hard_to_stop(position, strong, pawn) => {
            SCALE_ROOK_AGAINST_PAWN
        }
        _ => SCALE_NORMAL,
    }
}

/// Rook against pawn: the pawn is far advanced and escorted by its king, and the other king is not in front of it.
fn is_hard_to_stop(position: &Position, strong: Color, pawn: Square) -> bool {
    let weak = !strong;
    let (king, enemy) = (position.king(strong), position.king(weak));
    let is_before = forward_file(weak, pawn).contains(king);
    let goal = Square::new(pawn.file(), Rank::Eighth.relative_to(weak));
    let tempo = i32::from(position.side_to_move() == strong);
    relative_rank(weak, pawn) >= Rank::Fifth
        && !is_before
        && distance(enemy, pawn) == 1
        && distance(king, goal) - tempo > distance(enemy, goal)
}

/// Rook pawns on one file with at most bishops of the wrong colour, and the enemy king in the promotion corner.
fn cannot_queen(position: &Position, strong: Color) -> bool {
    let pawns = position.colored_pieces(strong, Piece::Pawn);
    let file = match pawns.first() {
        Some(pawn) if matches!(pawn.file(), File::A | File::H) => pawn.file(),
        _ => return false,
    };
    let corner = Square::new(file, Rank::Eighth.relative_to(strong));
    let bishops = position.colored_pieces(strong, Piece::Bishop);
    let right = if Bitboard::DARK_SQUARES.contains(corner) {
        Bitboard::DARK_SQUARES
    } else {
        !Bitboard::DARK_SQUARES
    };
    pawns.is_subset_of(Bitboard::file(file))
        && position.color(strong) == pawns | bishops | position.colored_pieces(strong, Piece::King)
        && !bishops.intersects(right)
        && distance(position.king(!strong), corner) <= 1
}

/// The factor with one bishop each, of opposite colours.
fn opposite_bishops(position: &Position, passed: Bitboard) -> Option<i32> {
    let bishops = position.pieces(Piece::Bishop);
    let dark = bishops & Bitboard::DARK_SQUARES;
    let is_one_each =
        Color::ALL.iter().all(|&color| position.colored_pieces(color, Piece::Bishop).count() == 1);
    if !is_one_each || dark.count() != 1 {
        return None;
    }
    let others =
        position.occupied() & !bishops & !position.pieces(Piece::Pawn) & !position.pieces(Piece::King);
    let factor = if others.is_empty() {
        SCALE_OPPOSITE_BISHOPS + SCALE_OPPOSITE_PER_PASSED * passed.count() as i32
    } else {
        SCALE_OPPOSITE_WITH_PIECES + SCALE_OPPOSITE_PER_PIECE * others.count() as i32
    };
    Some(factor.min(SCALE_NORMAL))
}

fn is_rook_ending_on_one_wing(position: &Position, strong: Color) -> bool {
    let is_rook_each = Color::ALL.iter().all(|&color| {
        position.colored_pieces(color, Piece::Rook).count() == 1 && piece_points(position, color) == ROOK
    });
    let pawns = position.pieces(Piece::Pawn);
    let is_one_wing = pawns.is_subset_of(QUEEN_WING) || pawns.is_subset_of(!QUEEN_WING);
    let count = |color| position.colored_pieces(color, Piece::Pawn).count();
    is_rook_each && is_one_wing && count(!strong) > 0 && count(strong) <= count(!strong) + 1
}
