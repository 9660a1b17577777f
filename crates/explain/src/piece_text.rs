//! Pieces as text: English names and glyphs. It knows nothing else of this crate.

use rukh_chess::Piece;

/// The name of a piece in lower case.
pub fn name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

/// The filled glyph of a piece, for both colours, with the variation selector for text instead of emoji.
pub fn glyph(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "\u{265F}\u{FE0E}",
        Piece::Knight => "\u{265E}\u{FE0E}",
        Piece::Bishop => "\u{265D}\u{FE0E}",
        Piece::Rook => "\u{265C}\u{FE0E}",
        Piece::Queen => "\u{265B}\u{FE0E}",
        Piece::King => "\u{265A}\u{FE0E}",
    }
}
