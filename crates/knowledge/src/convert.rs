//! Conversion of positions and moves to the types of shakmaty.

use rukh_chess::{Color, Piece, Position};
use shakmaty::{Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, FromSetup, Setup};

/// The same position as the library has it. It has no castling rights, and no moves are counted towards the fifty.
pub(crate) fn theirs(position: &Position) -> Option<Chess> {
    let pieces = |piece: Piece| Bitboard(position.pieces(piece).0);
    let by_role = ByRole {
        pawn: pieces(Piece::Pawn),
        knight: pieces(Piece::Knight),
        bishop: pieces(Piece::Bishop),
        rook: pieces(Piece::Rook),
        queen: pieces(Piece::Queen),
        king: pieces(Piece::King),
    };
    let by_color = ByColor {
        white: Bitboard(position.color(Color::White).0),
        black: Bitboard(position.color(Color::Black).0),
    };
    let setup = Setup {
        board: Board::try_from_bitboards(by_role, by_color).ok()?,
        turn: if position.side_to_move() == Color::White {
            shakmaty::Color::White
        } else {
            shakmaty::Color::Black
        },
        ep_square: position.en_passant().map(|square| shakmaty::Square::new(square.index() as u32)),
        ..Setup::empty()
    };
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}
