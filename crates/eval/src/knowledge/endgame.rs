//! Known endgames: positions whose value follows from rules, so that no evaluation term or network is needed.
//!
//! It knows material and the places of the kings, nothing of the evaluations that use it.

use rukh_chess::types::Rank;
use rukh_chess::{Bitboard, Color, Piece, Position, Square};

use super::kpk;
use crate::geometry::{distance, edge_distance, relative_rank};

/// An endgame against a lone king that has its own evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownEndgame {
    /// King and pawn against king: exact, from a bitbase.
    PawnAgainstKing,
    /// Bishop and knight against king: mate is possible only in the corners of the bishop's colour.
    BishopAndKnight,
    /// Enough material to mate a lone king, which is driven to the edge.
    LoneKing,
}

/// The value of a won endgame beside its material.
const WON: i32 = 1000;
/// For each step that the lone king is nearer to the edge, by file and by rank.
const EDGE_STEP: i32 = 20;
/// For each step that the kings are nearer to each other.
const KINGS_STEP: i32 = 14;
/// For each step that the lone king is nearer to a corner in which it can be mated.
const CORNER_STEP: i32 = 60;
/// For each rank of a pawn that wins.
const PAWN_STEP: i32 = 10;
/// The longest distance on the board, in king moves.
const LONGEST: i32 = 7;
/// Endgame values of the pieces, from pawn to king.
const PIECE_VALUES: [i32; Piece::COUNT] = [113, 409, 421, 644, 1248, 0];

/// The endgame and its value for White in internal units, if this is a known one.
#[inline]
pub(crate) fn known(position: &Position) -> Option<(KnownEndgame, i32)> {
    let weak = Color::ALL.into_iter().find(|&color| !position.color(color).has_many())?;
    let (endgame, value) = against_lone_king(position, !weak)?;
    Some((endgame, if weak == Color::Black { value } else { -value }))
}

/// The endgame and its value for `strong` against a lone king.
fn against_lone_king(position: &Position, strong: Color) -> Option<(KnownEndgame, i32)> {
    let own = |piece| position.colored_pieces(strong, piece);
    let (king, enemy) = (position.king(strong), position.king(!strong));
    let pawns = own(Piece::Pawn);
    let pieces = position.color(strong) & !pawns & !own(Piece::King);
    if pieces.is_empty() {
        let pawn = pawns.first().filter(|_| !pawns.has_many())?;
        let is_won = kpk::is_won(strong, king, pawn, enemy, position.side_to_move());
        let advance = relative_rank(strong, pawn).index() as i32 * PAWN_STEP;
        return Some((KnownEndgame::PawnAgainstKing, if is_won { WON / 2 + advance } else { 0 }));
    }
    let nearness = (LONGEST - distance(king, enemy)) * KINGS_STEP;
    let bishops = own(Piece::Bishop);
    let is_bishop_and_knight =
        pawns.is_empty() && pieces.count() == 2 && bishops.count() == 1 && own(Piece::Knight).count() == 1;
    if is_bishop_and_knight {
        let value =
            material(position, strong) + WON + nearness - corner_distance(enemy, bishops) * CORNER_STEP;
        return Some((KnownEndgame::BishopAndKnight, value));
    }
    if !can_mate(position, strong) {
        return None;
    }
    let rank_edge = (enemy.rank().index()).min(Rank::COUNT - 1 - enemy.rank().index());
    let edge = (edge_distance(enemy.file()) + rank_edge) as i32 * EDGE_STEP;
    Some((KnownEndgame::LoneKing, material(position, strong) + WON + nearness - edge))
}

/// The Manhattan distance to the nearest corner in which a bishop can give mate.
fn corner_distance(king: Square, bishops: Bitboard) -> i32 {
    let corners = if bishops.intersects(Bitboard::DARK_SQUARES) {
        [Square::A1, Square::H8]
    } else {
        [Square::A8, Square::H1]
    };
    let steps = |corner: Square| {
        let files = king.file().index().abs_diff(corner.file().index());
        let ranks = king.rank().index().abs_diff(corner.rank().index());
        (files + ranks) as i32
    };
    steps(corners[0]).min(steps(corners[1]))
}

/// Mating material, pawns not counted: a heavy piece, bishops of both colours, bishop and knight, or three knights.
fn can_mate(position: &Position, strong: Color) -> bool {
    let own = |piece| position.colored_pieces(strong, piece);
    let bishops = own(Piece::Bishop);
    let knights = own(Piece::Knight).count();
    let has_both = bishops.intersects(Bitboard::DARK_SQUARES) && bishops.intersects(!Bitboard::DARK_SQUARES);
    !(own(Piece::Rook) | own(Piece::Queen)).is_empty()
        || has_both
        || !bishops.is_empty() && knights > 0
        || knights > 2
}

fn material(position: &Position, color: Color) -> i32 {
    Piece::ALL
        .into_iter()
        .map(|piece| position.colored_pieces(color, piece).count() as i32 * PIECE_VALUES[piece.index()])
        .sum()
}
