//! Attack and protection of single pieces, as the detectors define them.

use rukh_chess::{Bitboard, Color, Piece, Position, Square, attacks};

/// The value of a piece in pawns. The king is above all.
pub(crate) fn value(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 1,
        Piece::Knight | Piece::Bishop => 3,
        Piece::Rook => 5,
        Piece::Queen => 9,
        Piece::King => 99,
    }
}

/// The material of a side less that of the other, in pawns.
pub(crate) fn balance(position: &Position, side: Color) -> i32 {
    let sum = |color| -> i32 {
        let pieces = Piece::ALL.into_iter().filter(|&piece| piece != Piece::King);
        pieces.map(|piece| value(piece) * position.colored_pieces(color, piece).count() as i32).sum()
    };
    sum(side) - sum(!side)
}

/// Whether the piece moves along lines.
pub(crate) fn is_slider(piece: Piece) -> bool {
    matches!(piece, Piece::Bishop | Piece::Rook | Piece::Queen)
}

/// The pieces of a side that attack a square. Pins do not count.
pub(crate) fn attackers(position: &Position, side: Color, square: Square) -> Bitboard {
    position.attackers_to(square, position.occupied()) & position.color(side)
}

/// The squares that the piece on `square` attacks; none if it is empty.
pub(crate) fn attacks_from(position: &Position, square: Square) -> Bitboard {
    let (Some(color), Some(piece)) = (position.color_on(square), position.piece_on(square)) else {
        return Bitboard::EMPTY;
    };
    attacks::of_piece(color, piece, square, position.occupied())
}

/// Whether a piece of its own colour protects the piece on `square`, directly or through an attacking slider.
pub(crate) fn is_protected(position: &Position, square: Square) -> bool {
    let Some(color) = position.color_on(square) else { return false };
    if !attackers(position, color, square).is_empty() {
        return true;
    }
    attackers(position, !color, square).into_iter().any(|attacker| {
        let is_ray = position.piece_on(attacker).is_some_and(is_slider);
        let occupied = position.occupied() & !Bitboard::of(attacker);
        is_ray && (position.attackers_to(square, occupied) & occupied).intersects(position.color(color))
    })
}

/// Whether the piece on `square` is attacked, and unprotected or attacked by a less valuable piece.
pub(crate) fn is_en_prise(position: &Position, square: Square) -> bool {
    let (Some(color), Some(piece)) = (position.color_on(square), position.piece_on(square)) else {
        return false;
    };
    let by = attackers(position, !color, square);
    let by_less = |from: Square| position.piece_on(from).is_some_and(|other| value(other) < value(piece));
    !by.is_empty() && (!is_protected(position, square) || by.into_iter().any(by_less))
}

/// The distance of two squares in moves of a king.
pub(crate) fn distance(a: Square, b: Square) -> usize {
    let files = a.file().index().abs_diff(b.file().index());
    files.max(a.rank().index().abs_diff(b.rank().index()))
}

/// The slider that pins the piece on `square` to its king, if there is one.
pub(crate) fn pinned_by(position: &Position, square: Square) -> Option<Square> {
    let color = position.color_on(square)?;
    let king = position.king(color);
    if king == square {
        return None;
    }
    let occupied = position.occupied();
    let snipers = attacks::rook_rays(king) & position.orthogonal_sliders(!color)
        | attacks::bishop_rays(king) & position.diagonal_sliders(!color);
    snipers.into_iter().find(|&sniper| attacks::between(king, sniper) & occupied == Bitboard::of(square))
}
