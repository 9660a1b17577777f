//! The state of a position, and its queries.

use super::keys::Keys;
use crate::attacks;
use crate::types::{Bitboard, ByColor, ByPiece, BySquare, Castling, Color, Move, Piece, Square};

/// A legal position: one king on each side, the side that has moved not in check, castling rights that can be used.
///
/// It holds bitboards and a mailbox, and the checkers and pins of the side to move. The en-passant square is set only if
/// an en-passant capture is legal. So two positions are equal by the rules of repetition exactly if their keys are equal.
///
/// A position comes from a [`Setup`](crate::setup::Setup) and is changed by [`Position::make`] alone (copy-make): to take
/// a move back, keep a copy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) pieces: ByPiece<Bitboard>,
    pub(super) colors: ByColor<Bitboard>,
    pub(super) board: BySquare<Option<Piece>>,
    pub(super) keys: Keys,
    pub(super) checkers: Bitboard,
    pub(super) pins: Pins,
    pub(super) castling: Castling,
    pub(super) fullmove_number: u32,
    pub(super) halfmove_clock: u16,
    pub(super) en_passant: Option<Square>,
    pub(super) side_to_move: Color,
}

/// Pins: the lines on which pieces of the side to move are pinned to their king. A line has the squares from the king,
/// which is excluded, to the pinning piece, which is included.
///
/// Orthogonal and diagonal pins are separate masks. A piece that moves along its own pin line never reaches another pin
/// line of the same kind, so one mask is enough for all pinned pieces of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pins {
    /// Pins along files and ranks.
    pub orthogonal: Bitboard,
    /// Pins along diagonals.
    pub diagonal: Bitboard,
}

impl Pins {
    /// The union of both masks.
    #[inline]
    pub fn all(self) -> Bitboard {
        self.orthogonal | self.diagonal
    }
}

impl Position {
    /// All pieces of one kind, of both colours.
    #[inline]
    pub fn pieces(&self, piece: Piece) -> Bitboard {
        self.pieces[piece]
    }

    /// All pieces of one colour.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color]
    }

    /// The pieces of one kind and colour.
    #[inline]
    pub fn colored_pieces(&self, color: Color, piece: Piece) -> Bitboard {
        self.colors[color] & self.pieces[piece]
    }

    /// The bishops and queens of one colour.
    #[inline]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.colors[color] & (self.pieces[Piece::Bishop] | self.pieces[Piece::Queen])
    }

    /// The rooks and queens of one colour.
    #[inline]
    pub fn orthogonal_sliders(&self, color: Color) -> Bitboard {
        self.colors[color] & (self.pieces[Piece::Rook] | self.pieces[Piece::Queen])
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[Color::White] | self.colors[Color::Black]
    }

    /// The kind of piece on `square`.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square]
    }

    /// The colour of the piece on `square`.
    #[inline]
    pub fn color_on(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.colors[color].contains(square))
    }

    /// The square of the king of `color`.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        Square::from_low_bits(self.colored_pieces(color, Piece::King).0.trailing_zeros() as u8)
    }

    /// The side to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The castling rights.
    #[inline]
    pub fn castling(&self) -> Castling {
        self.castling
    }

    /// The en-passant square; `None` unless an en-passant capture is legal.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The halfmove clock: plies since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move. It increases after a move of Black.
    #[inline]
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// The Zobrist keys.
    #[inline]
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The Zobrist key of the whole position: [`Keys::whole`].
    #[inline]
    pub fn key(&self) -> u64 {
        self.keys.whole()
    }

    /// The likely [`Self::key`] after a legal move, for prefetching. It is wrong if castling rights or the en-passant square
    /// change, and for castling, en-passant captures and promotions.
    #[inline]
    pub fn likely_key_after(&self, mv: Move) -> u64 {
        let Some(piece) = self.board[mv.from()] else { return self.key() };
        self.keys.whole_after((self.side_to_move, piece), mv.from(), mv.to(), self.board[mv.to()])
    }

    /// The pieces that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        !self.checkers.is_empty()
    }

    /// The pins of the side to move.
    #[inline]
    pub fn pins(&self) -> Pins {
        self.pins
    }

    /// The piece that the legal move `mv` captures.
    #[inline]
    pub fn captured_by(&self, mv: Move) -> Option<Piece> {
        use crate::types::MoveKind;
        match mv.kind() {
            MoveKind::EnPassant => Some(Piece::Pawn),
            _ if mv.is_capture() => self.board[mv.to()],
            _ => None,
        }
    }

    /// The pieces of both colours that attack `square` with the given occupancy.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let diagonal = self.pieces[Piece::Bishop] | self.pieces[Piece::Queen];
        let orthogonal = self.pieces[Piece::Rook] | self.pieces[Piece::Queen];
        attacks::knight(square) & self.pieces[Piece::Knight]
            | attacks::king(square) & self.pieces[Piece::King]
            | attacks::pawn(Color::White, square) & self.colored_pieces(Color::Black, Piece::Pawn)
            | attacks::pawn(Color::Black, square) & self.colored_pieces(Color::White, Piece::Pawn)
            | attacks::bishop(square, occupied) & diagonal
            | attacks::rook(square, occupied) & orthogonal
    }
}
