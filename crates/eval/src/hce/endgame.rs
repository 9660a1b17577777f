//! Endings in which the usual terms are wrong: those whose value is known, and those that are hard to win.

use rukh_chess::types::{File, Rank};
use rukh_chess::{Bitboard, Color, Piece, Position, Square};

use super::geometry::{distance, edge_distance, forward_file, relative_rank};
use super::kpk;
use super::pawns::PawnEntry;
use super::weights;

/// An ending that is judged by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// King and pawn against king, known exactly.
    PawnAgainstKing,
    /// Bishop and knight against king: only the corner of the bishop's colour mates.
    BishopAndKnight,
    /// Enough to mate a lone king, which is driven to the edge.
    LoneKing,
}

/// What a won ending is worth beside the material.
const WON: i32 = 1000;
/// For each step that the lone king is nearer to the edge, by file and by rank.
const EDGE_STEP: i32 = 20;
/// For each step that the kings are nearer to each other.
const KINGS_STEP: i32 = 14;
/// For each step that the lone king is nearer to the right corner.
const CORNER_STEP: i32 = 60;
/// For each rank of a pawn that wins.
const PAWN_STEP: i32 = 10;
/// The longest distance on the board.
const LONGEST: i32 = 7;

/// The factor of an ending like any other.
pub const SCALE_NORMAL: i32 = 64;
const SCALE_DRAW: i32 = 0;
/// Hardly ever won: a minor piece or less ahead without pawns, against at most one minor piece.
const SCALE_HARDLY: i32 = 4;
/// The same against more.
const SCALE_PAWNLESS: i32 = 14;
/// Rook against a pawn that is well on its way.
const SCALE_ROOK_AGAINST_PAWN: i32 = 12;
/// Rook endings with all pawns on one wing and at most one more of them.
const SCALE_ROOKS_ONE_WING: i32 = 36;
/// Bishops of opposite colours and pawns, and more for each passed pawn.
const SCALE_OPPOSITE_BISHOPS: i32 = 20;
const SCALE_OPPOSITE_PER_PASSED: i32 = 6;
/// Bishops of opposite colours with other pieces, and more for each of the pieces.
const SCALE_OPPOSITE_WITH_PIECES: i32 = 34;
const SCALE_OPPOSITE_PER_PIECE: i32 = 4;
/// Few pawns are easily exchanged: the factor without any, and more for each.
const SCALE_FEW_PAWNS: i32 = 40;
const SCALE_PER_PAWN: i32 = 7;

/// The points that children learn, for comparisons of material.
const POINTS: [u32; Piece::COUNT] = [1, 3, 3, 5, 9, 0];
const MINOR: u32 = POINTS[Piece::Knight.index()];
const ROOK: u32 = POINTS[Piece::Rook.index()];

/// The files of the queen's wing.
const QUEEN_WING: Bitboard = Bitboard(0x0F0F_0F0F_0F0F_0F0F);

/// The points of the pieces, without pawns.
fn piece_points(position: &Position, color: Color) -> u32 {
    [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
        .into_iter()
        .map(|piece| position.colored_pieces(color, piece).count() * POINTS[piece.index()])
        .sum()
}

/// The ending and its worth for White, if this is one that is judged by itself.
#[inline]
pub fn known(position: &Position) -> Option<(Ending, i32)> {
    let weak = Color::ALL.into_iter().find(|&color| !position.color(color).has_many())?;
    let (ending, worth) = against_lone_king(position, !weak)?;
    Some((ending, if weak == Color::Black { worth } else { -worth }))
}

/// The ending and its worth for `strong` against a lone king.
fn against_lone_king(position: &Position, strong: Color) -> Option<(Ending, i32)> {
    let own = |piece| position.colored_pieces(strong, piece);
    let (king, enemy) = (position.king(strong), position.king(!strong));
    let pawns = own(Piece::Pawn);
    let pieces = position.color(strong) & !pawns & !own(Piece::King);
    if pieces.is_empty() {
        let pawn = pawns.first().filter(|_| !pawns.has_many())?;
        let is_won = kpk::is_won(strong, king, pawn, enemy, position.side_to_move());
        let advance = relative_rank(strong, pawn).index() as i32 * PAWN_STEP;
        return Some((Ending::PawnAgainstKing, if is_won { WON / 2 + advance } else { 0 }));
    }
    let nearness = (LONGEST - distance(king, enemy)) * KINGS_STEP;
    let bishops = own(Piece::Bishop);
    let is_bishop_and_knight =
        pawns.is_empty() && pieces.count() == 2 && bishops.count() == 1 && own(Piece::Knight).count() == 1;
    if is_bishop_and_knight {
        let worth =
            material(position, strong) + WON + nearness - corner_distance(enemy, bishops) * CORNER_STEP;
        return Some((Ending::BishopAndKnight, worth));
    }
    if !can_mate(position, strong) {
        return None;
    }
    let rank_edge = (enemy.rank().index()).min(Rank::COUNT - 1 - enemy.rank().index());
    let edge = (edge_distance(enemy.file()) + rank_edge) as i32 * EDGE_STEP;
    Some((Ending::LoneKing, material(position, strong) + WON + nearness - edge))
}

/// Steps from the nearest corner in which a bishop can give mate, measured as a walk along the edges.
fn corner_distance(king: Square, bishops: Bitboard) -> i32 {
    let corners = if bishops.intersects(Bitboard::DARK_SQUARES) {
        [Square::A1, Square::H8]
    } else {
        [Square::A8, Square::H1]
    };
    let walk = |corner: Square| {
        let files = king.file().index().abs_diff(corner.file().index());
        let ranks = king.rank().index().abs_diff(corner.rank().index());
        (files + ranks) as i32
    };
    walk(corners[0]).min(walk(corners[1]))
}

/// Whether the pieces, pawns aside, can force mate: a heavy piece, bishops of both colours, bishop and knight, or three
/// knights.
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
        .map(|piece| {
            let worth = weights::MATERIAL.at(piece.index()).value().endgame();
            position.colored_pieces(color, piece).count() as i32 * worth
        })
        .sum()
}

/// How much of an advantage in the endgame `strong` can hope to turn into a win, of [`SCALE_NORMAL`].
#[inline]
pub fn scale(position: &Position, strong: Color, pawns: &PawnEntry) -> i32 {
    let own_pawns = position.colored_pieces(strong, Piece::Pawn);
    if own_pawns.is_empty() {
        return without_pawns(position, strong);
    }
    if cannot_queen(position, strong) {
        return SCALE_DRAW;
    }
    if let Some(factor) = opposite_bishops(position, strong, pawns) {
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

/// Rook against pawn: whether the pawn is far, its king beside it, and the king with the rook not before it.
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

/// Pawns on one rook's file, the enemy king in their corner, and nothing but at most bishops of the wrong colour.
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

/// One bishop each, of opposite colours.
fn opposite_bishops(position: &Position, strong: Color, pawns: &PawnEntry) -> Option<i32> {
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
        SCALE_OPPOSITE_BISHOPS + SCALE_OPPOSITE_PER_PASSED * pawns.passed[strong].count() as i32
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
